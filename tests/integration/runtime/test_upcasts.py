"""An event gets a new version: the old log is read on, and who is not rolled out yet waits.

`counter.added.v1` counts whole ones; in the new build `v2` counts hundredths, and a counter, too.
"""

import asyncio
from collections.abc import Iterator
from contextlib import asynccontextmanager, contextmanager
from typing import final
from unittest.mock import patch

from msgspec.structs import replace

from shared.contracts import registry
from shared.contracts.commit import Actor, Cause, decode_type
from shared.contracts.edge import Accepted
from shared.contracts.message import Event, tag_of
from shared.contracts.registry import Registered
from shared.contracts.upcasts import UPCASTS, Upcast, event_decoder
from shared.kernel.ids import new_id
from shared.runtime import reacting
from shared.runtime.aggregate import Reaction, ask_nobody
from shared.runtime.follow import Fact
from shared.runtime.ports import Line
from tests.integration.runtime.counting import (
    Add,
    Added,
    Count,
    Counted,
    ReadTotal,
    Total,
    counters,
    decide_mended_tally,
    evolve_counter,
    stepping,
    tallies,
)
from tests.integration.runtime.feeding import fed

COUNTER, TALLY = Line("counter", 0), Line("tally", 0)
STREAM = "ctr_1"
BY = Actor("player", "ply_1")


@final
class AddedHundredths(Event, frozen=True, tag="counter.added.v2"):
    hundredths: int
    total_hundredths: int


def in_hundredths(added):
    return AddedHundredths(hundredths=added.amount * 100, total_hundredths=added.total * 100)


def decide_in_hundredths(counter, command, _at_ms):
    match command:
        case Add(amount=amount):
            given = amount * 100
            total = counter.total + given
            return (AddedHundredths(hundredths=given, total_hundredths=total),)
    return ()


def evolve_in_hundredths(counter, event):
    assert not isinstance(event, Added), "evolve sees the newest only"
    match event:
        case AddedHundredths(total_hundredths=total):
            return replace(counter, total=total)
    return evolve_counter(counter, event)


OLD_COUNTER, OLD_TALLY = counters(ask_nobody), tallies(decide_mended_tally)
NEW_COUNTER = replace(
    OLD_COUNTER,
    decider=stepping(OLD_COUNTER.decider.initial, decide_in_hundredths, evolve_in_hundredths),
    events=(AddedHundredths, *[event for event in OLD_COUNTER.events if event is not Added]),
)
NEW_TALLY = replace(
    OLD_TALLY,
    reactions={
        AddedHundredths: Reaction(
            stream=lambda fact: "tly_1",
            command=lambda fact, origin: Count(counter=origin.stream, amount=fact.hundredths),
        )
    },
)


@contextmanager
def new_build() -> Iterator[None]:
    """What the new build knows: both versions, and the way from one to the other."""
    followed = frozenset({"tally"})
    known = {
        tag_of(event): Registered(event, "counter", followed) for event in (Added, AddedHundredths)
    }
    with (
        patch.dict(UPCASTS, {Added: Upcast(AddedHundredths, in_hundredths)}),
        patch.dict(registry.ROUTES, {AddedHundredths: followed}),
        patch.dict(registry.REGISTRY, known),
    ):
        decoders = {tag: event_decoder(one.type) for tag, one in known.items()}
        with patch.dict(reacting.DECODERS, decoders):
            yield


@asynccontextmanager
async def deciding(dsn, aggregate):
    """A counter's shard that answers."""
    async with fed(dsn, COUNTER, aggregate) as one:
        running = asyncio.create_task(one.shard.run())
        yield one
        running.cancel()


async def ask(one, command):
    command_id = new_id("cmd", one.clock.now_ms(), bytes(10))
    answer = await one.shard.submit(STREAM, command, BY, Cause(command=command_id))
    assert isinstance(answer, Accepted), answer
    return answer


async def written_by_both(dsn):
    """One counter's log: two commits of the old build, then one of the new; return its facts."""
    async with deciding(dsn, OLD_COUNTER) as old:
        for amount in (1, 2):
            await old.shard.submit(STREAM, Add(amount=amount), BY, Cause(timer="test"))
    with new_build():
        async with deciding(dsn, NEW_COUNTER) as new:
            await new.shard.submit(STREAM, Add(amount=3), BY, Cause(timer="test"))
            rows = await new.store.read_log(0, 10, "m")
    return [Fact(row.number, row.data) for row in rows]


async def sums(one):
    """What the tally has counted, in order."""
    rows = await one.store.read_log(0, 10)
    return [
        reacting.msgspec.json.decode(event, type=Counted).sum
        for row in rows
        for event in reacting.decode(row.data).events
    ]


async def test_the_new_build_continues_a_log_of_the_old_one(store_url):
    facts = await written_by_both(store_url)
    tags = [decode_type(e).type for fact in facts for e in reacting.decode(fact.data).events]
    assert tags == ["counter.added.v1", "counter.added.v1", "counter.added.v2"]
    with new_build():
        async with deciding(store_url, NEW_COUNTER) as again:
            total = await ask(again, ReadTotal())
            assert reacting.msgspec.json.decode(total.reply, type=Total) == Total(total=600)


async def test_a_follower_of_the_new_build_reads_both_versions(store_url):
    facts = await written_by_both(store_url)
    with new_build():
        async with fed(store_url, TALLY, NEW_TALLY) as tally:
            await tally.take(COUNTER, facts)
            assert await tally.parked(COUNTER) == {}
            assert await sums(tally) == [100, 300, 600]


async def test_a_follower_of_the_old_build_parks_the_new_version_until_its_rollout(store_url):
    facts = await written_by_both(store_url)
    async with fed(store_url, TALLY, OLD_TALLY) as tally:
        await tally.take(COUNTER, facts)
        assert await tally.parked(COUNTER) == {
            3: "cannot be read: UnknownVersion('counter.added.v2')"
        }
        retried = await tally.retry()
        assert (retried.taken, retried.waiting) == (0, 1)
    with new_build():
        async with fed(store_url, TALLY, NEW_TALLY) as tally:
            retried = await tally.retry()
            assert (retried.taken, retried.waiting) == (1, 0)
            assert (await sums(tally))[-1] == 1 + 300  # The old build took the first in as 1.
