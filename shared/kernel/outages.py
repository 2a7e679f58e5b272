"""Outages as stretches of time: what has been given back once is not given back again."""

from collections.abc import Iterable

import msgspec


class Stretch(msgspec.Struct, frozen=True, order=True):
    """From one moment to a later one, in milliseconds since 1970 UTC."""

    from_ms: int
    to_ms: int

    @property
    def length_ms(self) -> int:
        """How long it lasts."""
        return self.to_ms - self.from_ms


Stretches = tuple[Stretch, ...]


def left_of(outage: Stretch, credited: Stretches) -> Stretches:
    """Return the parts of an outage that no credit covers; credits ascend and never overlap."""
    parts: list[Stretch] = []
    from_ms, to_ms = outage.from_ms, outage.to_ms
    for credit in credited:
        parts.append(Stretch(from_ms, min(to_ms, credit.from_ms)))
        from_ms = max(from_ms, credit.to_ms)
    return tuple([part for part in (*parts, Stretch(from_ms, to_ms)) if part.length_ms > 0])


def at_most(stretches: Iterable[Stretch], limit_ms: int) -> Stretches:
    """Return the first of these, no longer together than the limit."""
    kept: list[Stretch] = []
    for stretch in stretches:
        kept.append(Stretch(stretch.from_ms, min(stretch.to_ms, stretch.from_ms + limit_ms)))
        limit_ms -= kept[-1].length_ms
    return tuple([stretch for stretch in kept if stretch.length_ms > 0])


def with_credit(credited: Stretches, from_ms: int, to_ms: int) -> Stretches:
    """Return the credits, ascending, with one more."""
    return tuple(sorted((*credited, Stretch(from_ms, to_ms))))
