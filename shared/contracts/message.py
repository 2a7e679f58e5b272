"""What every command and every event is: a tagged Struct, strict inwards, tolerant outwards."""

from typing import Any, final

import msgspec


class Command(
    msgspec.Struct, frozen=True, kw_only=True, tag_field="type", forbid_unknown_fields=True
):
    """Base of every request: imperative, refused unless understood in full."""


class Event(msgspec.Struct, frozen=True, kw_only=True, tag_field="type"):
    """Base of every event: past tense, readable by consumers older than it."""


class Reply(msgspec.Struct, frozen=True, kw_only=True):
    """Base of every answer that carries more than the recorded events do."""


def tag_of(message: type[Any]) -> str:
    """Return the wire tag of a message class, such as `table.pot-awarded.v1`."""
    tag = message.__struct_config__.tag
    if not isinstance(tag, str):
        raise TypeError(f"{message.__name__} has no tag")
    return tag


@final
class TimerFired(Command, frozen=True, tag="timer.fired.v1"):
    """A moment that an aggregate asked for has come; decide checks whether it still matters."""

    name: str


@final
class OutageOver(Command, frozen=True, tag="timer.outage-over.v1"):
    """From `down_from_ms` to `up_at_ms` nobody could act here; decide gives that time back.

    It may come late, twice, or overlap with another one: only what lies after a clock began and
    after its last credit counts.
    """

    down_from_ms: int
    up_at_ms: int
