"""Moments as people write them, and time zones by their names (BH-MTT).

A start has an offset, `2026-12-24T21:00:00+01:00`, or is the local time of a zone that is named
beside it. A local time that a change of the clocks leaves out, or brings twice, is no moment.
"""

from datetime import UTC, datetime, timedelta, tzinfo
from zoneinfo import ZoneInfo, ZoneInfoNotFoundError

EPOCH = datetime(1970, 1, 1, tzinfo=UTC)
EXAMPLE = "2026-12-24T21:00:00+01:00"
SHORTEST = "2026-12-24T21:00"


class NoMoment(Exception):
    """It is not clear which moment is meant; the message says why."""


def zone_named(name: object) -> ZoneInfo:
    """Find a time zone by its name, such as Europe/Rome; raise NoMoment."""
    try:
        if isinstance(name, str):
            return ZoneInfo(name)
    except (ZoneInfoNotFoundError, OSError, ValueError):
        pass
    raise NoMoment(f"{name!r} is no time zone, such as Europe/Rome")


def moment_ms(said: object, zone: ZoneInfo | None) -> int:
    """Return milliseconds since 1970 of a start; raise NoMoment."""
    written = datetime_of(said)
    try:
        moment = in_zone(written, zone)
        at_ms = (moment - EPOCH) // timedelta(milliseconds=1)
    except OverflowError:
        raise NoMoment(f"{written} is out of the calendar") from None
    if at_ms <= 0:
        raise NoMoment(f"{written} is before 1970")
    return at_ms


def datetime_of(said: object) -> datetime:
    """Read a date with a time, which TOML knows and JSON has as text."""
    if isinstance(said, datetime):
        return said
    if isinstance(said, str) and len(said) >= len(SHORTEST):
        try:
            return datetime.fromisoformat(said)
        except ValueError:
            pass
    raise NoMoment(f"{said!s:.40} is no date with a time, such as {EXAMPLE}")


def in_zone(written: datetime, zone: ZoneInfo | None) -> datetime:
    """Return the one moment that is meant."""
    if zone is None:
        if written.tzinfo is None:
            raise NoMoment("it has no offset, such as +01:00, and no zone is named")
        return written
    if written.tzinfo is None:
        return local(written, zone)
    there = written.astimezone(zone)
    if there.utcoffset() != written.utcoffset():
        raise NoMoment(f"{zone} has {offset_of(there)} then, not {offset_of(written)}")
    return written


def local(written: datetime, zone: ZoneInfo) -> datetime:
    """Return the moment at which the clocks of a zone show this."""
    first, second = written.replace(tzinfo=zone), written.replace(tzinfo=zone, fold=1)
    if first.utcoffset() == second.utcoffset():
        return first
    if first.astimezone(UTC).astimezone(zone).replace(tzinfo=None) != written:
        raise NoMoment(f"the clocks of {zone} leave {written} out")
    offsets = f"{offset_of(first)} or {offset_of(second)}"
    raise NoMoment(f"{written} comes twice in {zone}: write {offsets} instead of the zone")


def offset_of(moment: datetime) -> str:
    """Write an offset from UTC, such as `+01:00`."""
    written = f"{moment:%z}"
    return f"{written[:3]}:{written[3:5]}"


def told(at_ms: int, zone: tzinfo) -> str:
    """Write a moment for people of a zone, such as `Thursday 24 December 2026, 21:00 CET`."""
    try:
        moment = (EPOCH + timedelta(milliseconds=at_ms)).astimezone(zone)
    except OverflowError:
        return "beyond every calendar"
    return f"{moment:%A} {moment.day} {moment:%B %Y}, {clock(moment)} {moment:%Z}"


def clock(moment: datetime) -> str:
    """Write the time of day, with seconds where there are any."""
    return f"{moment:%H:%M:%S}" if moment.second else f"{moment:%H:%M}"
