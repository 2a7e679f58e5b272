"""What becomes of upstream facts: taken in whole, or parked, with what comes behind in its stream.

A fact that cannot be read, or whose decision raises or is refused, must neither be skipped nor
stop what has nothing to do with it. It waits in the inbox, and every later fact of the same
upstream stream waits behind it, since an order of facts is never changed (law 8).
"""

from collections.abc import Callable, Collection, Sequence
from typing import NamedTuple

from shared.runtime.deciding import Input
from shared.runtime.ports import Parked

BEHIND = "behind an earlier fact of its stream"
REASON_CHARACTERS_MAX = 500

TakeIn = Callable[[Sequence[Input]], str]
"""Takes all inputs of one fact in, or none; returns why not, or nothing."""


class Read(NamedTuple):
    """An upstream fact as one shard reads it: its stream there, and its inputs here.

    `fault` says why it cannot be read; then nobody knows which shard it was for, and it concerns
    every shard of the service.
    """

    number: int
    stream: str
    data: bytes
    inputs: tuple[Input, ...] = ()
    fault: str = ""

    @property
    def concerns_us(self) -> bool:
        return bool(self.inputs or self.fault)


class Untaken(NamedTuple):
    """A fact that has to wait, and why."""

    fact: Read
    reason: str


def take_in_order(
    facts: Sequence[Read], blocked: Collection[str], take_in: TakeIn
) -> tuple[Untaken, ...]:
    """Take in facts of one upstream, in order; return those that have to wait.

    `blocked` are the upstream streams of which something waits already.
    """
    waiting: list[Untaken] = []
    streams = dict.fromkeys(blocked)
    for fact in facts:
        if not fact.concerns_us:
            continue
        if fact.stream in streams:
            waiting.append(Untaken(fact, BEHIND))
        elif reason := fact.fault or take_in(fact.inputs):
            waiting.append(Untaken(fact, written(reason)))
            streams[fact.stream] = None
    return tuple(waiting)


def as_parked(upstream: str, untaken: Sequence[Untaken], at: str) -> tuple[Parked, ...]:
    """Return the rows of facts that are parked now."""
    return tuple(
        Parked(upstream, fact.number, fact.stream, reason, at, fact.data)
        for fact, reason in untaken
    )


def changed(
    rows: Sequence[Parked], untaken: Sequence[Untaken]
) -> tuple[tuple[Parked, ...], tuple[Parked, ...]]:
    """Return what a retry of these rows takes away, and what it parks again for another reason."""
    reasons = {fact.number: reason for fact, reason in untaken}
    gone = tuple(row for row in rows if reasons.get(row.number) != row.reason)
    again = tuple(row._replace(reason=reasons[row.number]) for row in gone if row.number in reasons)
    return gone, again


def written(reason: str) -> str:
    """Make a reason fit for a store and a terminal, whatever a fact has put into it."""
    return "".join([c if c.isprintable() else " " for c in reason[:REASON_CHARACTERS_MAX]])
