"""A line worked on with nothing there but its database, twice at once, and behind its upstream."""

import asyncio
from contextlib import asynccontextmanager

import psycopg
import pytest

from shared.contracts.commit import Actor
from shared.contracts.edge import Accepted, Declined
from shared.kernel.sharding import shard_of
from shared.runtime.adapters.postgres import PostgresStore, Threads
from shared.runtime.adapters.reading import patient_stores
from shared.runtime.adapters.system import SystemClock, entropy
from shared.runtime.aggregate import ask_nobody
from shared.runtime.alone import working_alone
from shared.runtime.ports import StartRefused
from shared.runtime.supervisor import LineStopped
from tests.integration.runtime.audit import commands_of, facts_of, log_of
from tests.integration.runtime.conftest import COUNTERS, SHARDS, TALLIES
from tests.integration.runtime.counting import Add, Take, counters, decide_tally, tallies

LINE = COUNTERS[0]
ANN = Actor("operator", "ann")
STREAM = next(f"ctr_{n}" for n in range(9) if shard_of(f"ctr_{n}", SHARDS["counter"]) == 0)


@asynccontextmanager
async def alone(line, aggregate, dsn):
    threads, clock = Threads(), SystemClock()
    store = PostgresStore(dsn, line, threads, patient=True)
    try:
        count = SHARDS[line.service]
        async with working_alone(line, aggregate, store, count, clock, entropy, "test") as working:
            yield working
    finally:
        store.close()
        threads.close()


async def test_a_request_is_decided_and_committed_as_by_an_owner(store_url):
    async with alone(LINE, counters(ask_nobody), store_url) as one:
        assert isinstance(await one.decide(STREAM, Add(amount=5), ANN), Accepted)
        refused = await one.decide(STREAM, Take(amount=9), ANN)
        assert isinstance(refused, Declined)
    (row,) = log_of(store_url, LINE)
    assert row.commit["by"] == {"kind": "operator", "id": "ann"}
    assert commands_of([row]).total() == 1


async def test_two_at_once_write_one_chain(store_url):
    aggregate = counters(ask_nobody)
    async with (
        alone(LINE, aggregate, store_url) as one,
        alone(LINE, aggregate, store_url) as other,
    ):
        adding = [who.decide(STREAM, Add(amount=1), ANN) for _ in range(20) for who in (one, other)]
        answers = await asyncio.gather(*adding)
    assert all(isinstance(answer, Accepted) for answer in answers)
    assert len(log_of(store_url, LINE)) == 40, "gapless, chained, and nothing twice"


async def test_another_shards_stream_is_refused(store_url):
    async with alone(COUNTERS[1], counters(ask_nobody), store_url) as one:
        answer = await one.decide(STREAM, Add(amount=1), ANN)
    assert (type(answer), answer.reason) == (Declined, "wrong_shard")


async def test_what_upstreams_committed_is_taken_in_once(store_url):
    async with alone(LINE, counters(ask_nobody), store_url) as counter:
        for _ in range(3):
            await counter.decide(STREAM, Add(amount=1), ANN)
    for _ in range(2):
        for tally in TALLIES:
            async with alone(tally, tallies(decide_tally), store_url) as one:
                with patient_stores(store_url, [LINE]) as logs:
                    await one.take_in(LINE, logs[LINE])
    rows = [row for tally in TALLIES for row in log_of(store_url, tally)]
    assert facts_of(rows).total() == len(facts_of(rows)) == 3


async def test_an_upstream_that_is_another_than_was_read_is_not_read_on(store_url):
    async with alone(LINE, counters(ask_nobody), store_url) as counter:
        await counter.decide(STREAM, Add(amount=1), ANN)
    with patient_stores(store_url, [LINE]) as logs:
        for tally in TALLIES:
            async with alone(tally, tallies(decide_tally), store_url) as one:
                await one.take_in(LINE, logs[LINE])
        with psycopg.connect(store_url) as connection:
            connection.execute("update counter_0.commits set state = state || ' '::bytea")
        async with alone(tally_of(store_url), tallies(decide_tally), store_url) as one:
            with pytest.raises(LineStopped, match="another commit 1"):
                await one.take_in(LINE, logs[LINE])


async def test_nothing_is_decided_on_a_log_with_a_hole(store_url):
    async with alone(LINE, counters(ask_nobody), store_url) as one:
        for _ in range(3):
            await one.decide(STREAM, Add(amount=1), ANN)
    with psycopg.connect(store_url) as connection:
        connection.execute("delete from counter_0.commits where notification_id = 2")
    with pytest.raises(StartRefused, match="lacks its commit 2"):
        async with alone(LINE, counters(ask_nobody), store_url):
            pass


def tally_of(dsn):
    """The line that has taken something in."""
    return next(tally for tally in TALLIES if log_of(dsn, tally))
