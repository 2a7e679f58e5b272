"""Proof that the simulation sees: take one guard away, and some seed must break a law.

A guard is what keeps a law when something dies or doubles. Here each is replaced, alone, by what
an honest mistake would leave in its place.
"""

import asyncio
from collections.abc import Callable, Collection, Iterable, Iterator, Sequence
from contextlib import contextmanager
from functools import partial
from typing import Any, NamedTuple
from unittest.mock import patch

from services.dealer.core import verdicts
from services.dealer.shell.registry import Cards, Registry
from services.gateway.shell.reconnecting import Reconnecting
from services.wallet.core.tournaments import obstacles
from shared.runtime import deciding, snapshots
from shared.runtime.answers import Answers
from shared.runtime.deciding import Batch
from shared.runtime.follow import Follower
from shared.runtime.memory import Memory
from shared.runtime.owner import Owner
from shared.runtime.parking import Read, Untaken, take_in_order
from shared.runtime.pulse import Pulse
from shared.runtime.shard import Shard
from shared.runtime.snapshots import Snapshots
from tests.simulation.broker import Stream
from tests.simulation.loop import Broken
from tests.simulation.store import Disk
from tests.simulation.terms import Size
from tests.simulation.world import World

SEEDS_MAX = 1_000


class Guard(NamedTuple):
    """What is protected, where it stands in the code, and what stands there without it.

    Worlds of this `size` can see that it is gone.
    """

    name: str
    owner: Any
    attribute: str
    without: Any
    size: Size = "small"


class Found(NamedTuple):
    """The first seed that broke a law, and the law."""

    seed: int
    law: str


def never(*_: Any) -> bool:
    return False


def always(*_: Any, **__: Any) -> bool:
    return True


def forgotten(*_: Any) -> None:
    """Nothing is remembered, nothing done."""


def dealt_anew(*_: Any) -> str:
    """Every request for a deck makes one, whether the hand has one or not."""
    return "due"


async def not_refilled(*_: Any) -> None:
    """A hole is passed over."""


async def trusted(*_: Any) -> None:
    """The upstream is taken for the one that was read before."""


async def all_new(_registry: Registry, decks: Iterable[Cards]) -> list[bool]:
    """No deck is looked up among those used before."""
    return [True for _ in decks]


async def believed(*_: Any, **__: Any) -> bool:
    """Memory is what the log says, without a look."""
    return True


def answered_at_once() -> Callable[..., Any]:
    """The write goes on by itself, and the answer does not wait for it."""
    write = Shard._write

    async def write_later(shard: Shard, *what: Any) -> None:
        asyncio.ensure_future(write(shard, *what))  # noqa: RUF006 - nobody waits: that is the fault

    return write_later


async def taken_in_unseen(
    shard: Shard, facts: Sequence[Read], blocked: Collection[str]
) -> tuple[Batch, tuple[Untaken, ...]]:
    """A fact is found impossible without a look whether memory was old."""
    batch = await shard._batch_on([given for fact in facts for given in fact.inputs])
    return batch, take_in_order(facts, blocked, partial(shard._take_in, batch))


async def not_again(*_: Any) -> None:
    """Only a new owner takes up what waits."""
    await asyncio.Event().wait()


async def not_credited(*_: Any) -> None:
    """Whoever had to act while nobody could has lost that time."""


async def from_the_snapshot_on(_memory: Memory, _stream: str, n: int) -> int:
    """Commands before the snapshot are forgotten, however young they are."""
    return n - 1


def whenever_due() -> Callable[..., Any]:
    """A clock runs out whether or not anybody has heard a gateway since it was due."""
    steady = Pulse.steady
    return lambda pulse, _until_ms=0: steady(pulse)


GUARDS = (
    Guard("compare-and-set position", Disk, "has_moved", never),
    Guard("version key", Disk, "is_taken", never),
    Guard("relay fence", Stream, "ends_at", always),
    Guard("command ids", Answers, "find", forgotten),
    Guard("trust in an upstream", Follower, "_verify", trusted),
    Guard("refill", Follower, "_catch_up", not_refilled),
    Guard("reply after commit", Shard, "_write", answered_at_once()),
    Guard("dealer key", verdicts, "on_deal", dealt_anew),
    Guard("re-check before refusal", Shard, "_still_current", believed),
    Guard("re-check before parking", Shard, "_taken_in", taken_in_unseen),
    Guard("taking up after a doubt", Owner, "_take_up_again", not_again),
    Guard("outage credit", Shard, "credit", not_credited),
    Guard("credit for a lost gateway", Reconnecting, "_credit", forgotten),
    Guard("a gateway at the clock's end", Pulse, "steady", whenever_due()),
    Guard("steady before a clock runs out", Pulse, "steady", always),
    Guard("the answer's own question", deciding, "answers_nothing", never),
    Guard("used decks", Registry, "enter", all_new),
    Guard("a snapshot's bytes", snapshots, "is_whole", always),
    Guard("a snapshot's build", snapshots, "is_by_this_build", always),
    Guard("a snapshot's log", Snapshots, "fits", always),
    Guard("commands before a snapshot", Memory, "_before_the_young", from_the_snapshot_on),
    Guard("one series, one entry", obstacles, "big_shoot_obstacle", forgotten, "series"),
)


@contextmanager
def without(guard: Guard) -> Iterator[None]:
    """Run without one guard."""
    with patch.object(guard.owner, guard.attribute, guard.without):
        yield


def first_found(guard: Guard, seeds: Sequence[int]) -> Found | None:
    """Return the first of these seeds that sees that the guard is gone."""
    with without(guard):
        for seed in seeds:
            try:
                World(seed, guard.size).play()
            except Broken as broken:
                return Found(seed, broken.law)
    return None
