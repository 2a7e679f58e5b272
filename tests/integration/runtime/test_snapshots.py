"""Snapshots on a real store: beside the log, never on the way of a decision, never believed."""

import asyncio
from contextlib import asynccontextmanager

import psycopg
import pytest
from msgspec.structs import replace
from prometheus_client import REGISTRY

from shared.contracts.commit import Actor, Cause
from shared.contracts.edge import Accepted
from shared.runtime.adapters.schema import migrate
from shared.runtime.aggregate import ask_nobody
from shared.runtime.ports import Line
from tests.integration.runtime.counting import Add, Counter, counters
from tests.integration.runtime.feeding import fed
from tests.integration.runtime.running import until

LINE = Line("counter", 0)
STREAM = "ctr_1"
BY = Actor("player", "ply_1")
EVERY = 5
AGGREGATE = replace(counters(ask_nobody), state=Counter, snapshot_every=EVERY)


@asynccontextmanager
async def owning(dsn):
    """A shard that decides and puts snapshots away."""
    async with fed(dsn, LINE, AGGREGATE) as one:
        tasks = [asyncio.create_task(run()) for run in (one.shard.run, one.shard.snapshots.run)]
        yield one
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)


async def add(one, amount):
    answer = await one.shard.submit(STREAM, Add(amount=amount), BY, Cause(timer="test"))
    assert isinstance(answer, Accepted), answer
    return answer


def counted(name, **labels):
    found = REGISTRY.get_sample_value(
        f"rollforward_snapshots_{name}_total", {"line": str(LINE), **labels}
    )
    return found or 0


def labels(dsn):
    with psycopg.connect(dsn) as connection:
        rows = connection.execute("SELECT n FROM counter_0.snapshots WHERE part = 0").fetchall()
    return [n for (n,) in rows]


async def total_of(dsn):
    """What an owner that has just started believes."""
    async with fed(dsn, LINE, AGGREGATE) as one:
        await one.shard._memory.load([STREAM])
        return one.shard._memory.head(STREAM).state.total


async def test_owners_one_after_the_other_start_from_snapshots(store_url):
    used = counted("used")
    for life in range(3):
        async with owning(store_url) as one:
            for _ in range(2 * EVERY):
                await add(one, 1)
            newest = 2 * EVERY * (life + 1)
            await until(lambda newest=newest: labels(store_url)[-1:] > [newest - EVERY])
            assert len(labels(store_url)) == 1
    assert counted("used") == used + 2
    assert await total_of(store_url) == 6 * EVERY


SPOILT = {
    "a bit of the label": ("SET data = set_bit(data, 300, 1 - get_bit(data, 300))", "broken_seal"),
    "a bit of the state": (
        "SET data = set_bit(data, 9, 1 - get_bit(data, 9)) WHERE part = 1",
        "broken_part",
    ),
    "the end": ("SET data = substr(data, 1, length(data) - 1) WHERE part = 1", "broken_part"),
    "the number": ("SET n = n + 1 WHERE part = 1", "incomplete"),
}


@pytest.mark.parametrize(("change", "reason"), SPOILT.values(), ids=SPOILT)
async def test_a_spoilt_snapshot_changes_no_answer(store_url, change, reason):
    async with owning(store_url) as one:
        for _ in range(EVERY):
            await add(one, 1)
        await until(lambda: labels(store_url))
    with psycopg.connect(store_url) as connection:
        connection.execute(f"UPDATE counter_0.snapshots {change}")
    refused = counted("refused", reason=reason)
    assert await total_of(store_url) == EVERY
    assert counted("refused", reason=reason) == refused + 1


async def test_parts_are_kept_and_a_label_sweeps_the_others_away(store_url):
    async with fed(store_url, LINE, AGGREGATE) as one:
        store = one.store
        assert await store.snapshot_label(STREAM) is None
        large = bytes(range(256)) * 4_096
        for n, first, parts in ((5, 1, [large, b"2"]), (5, 0, [large]), (9, 1, [b"1", b"2"])):
            await store.keep_snapshot(STREAM, n, first, parts)
        await store.keep_snapshot("ctr_2", 5, 0, [b"other"])
        # What has no label is no snapshot, and nothing of the last whole one is gone.
        assert await store.snapshot_label(STREAM) == large
        assert await store.snapshot_parts(STREAM, 5, 0, 9) == [large, b"2"]
        assert await store.snapshot_parts(STREAM, 5, 0, 1) == [large]
        assert await store.snapshot_parts(STREAM, 5, 1, 1) == [b"2"]
        await store.keep_snapshot(STREAM, 9, 1, [b"again"])
        await store.keep_snapshot(STREAM, 9, 0, [b"label"])
        assert await store.snapshot_label(STREAM) == b"label"
        assert await store.snapshot_parts(STREAM, 9, 0, 9) == [b"again", b"2"]
        assert await store.snapshot_parts(STREAM, 5, 0, 9) == []
        assert await store.snapshot_label("ctr_2") == b"other"


async def test_decisions_go_on_while_every_other_commit_is_put_away(store_url):
    async with owning(store_url) as one:
        one.shard.snapshots.every = 2
        answers = await asyncio.gather(*[add(one, 1) for _ in range(200)])
        assert sorted(answer.n for answer in answers) == list(range(1, 201))
        await until(lambda: labels(store_url))
    assert await total_of(store_url) == 200


async def test_a_database_of_an_older_build_is_given_the_table(store_url):
    with psycopg.connect(store_url) as connection:
        connection.execute("DROP TABLE counter_0.snapshots")
    migrate(store_url, [LINE])
    assert labels(store_url) == []
