"""Moments at which something ends by itself: the earliest first, so that one timer suffices."""

from bisect import bisect_left, insort
from typing import NamedTuple

TIMER = "deadline"
AT_ONCE_MAX = 100


class Deadline(NamedTuple):
    """`what` ends at a moment; `key` says which one of them."""

    at_ms: int
    what: str
    key: str


Deadlines = tuple[Deadline, ...]


def with_deadline(deadlines: Deadlines, deadline: Deadline) -> Deadlines:
    """Return the deadlines with another one."""
    held = list(deadlines)
    insort(held, deadline)
    return tuple(held)


def without_deadline(deadlines: Deadlines, deadline: Deadline) -> Deadlines:
    """Return the deadlines without one; it may be gone already."""
    place = bisect_left(deadlines, deadline)
    if deadlines[place : place + 1] != (deadline,):
        return deadlines
    return deadlines[:place] + deadlines[place + 1 :]


def passed(deadlines: Deadlines, at_ms: int) -> Deadlines:
    """Return the deadlines that are over at a moment, as many as one decision takes."""
    return tuple(held for held in deadlines[:AT_ONCE_MAX] if held.at_ms <= at_ms)
