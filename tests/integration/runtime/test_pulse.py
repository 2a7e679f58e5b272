"""Nobody's clock runs out while nobody could act: owners die and freeze, engines go away.

A clock of CLOCK_MS is running when something goes away for longer than that; it must be there
still when all is back, longer by the outage, once, and then run out in its own time.
"""

import asyncio
import os
import signal
from collections.abc import AsyncIterator, Iterator
from contextlib import asynccontextmanager
from typing import Any, Self

import psycopg
import pytest
from psycopg.sql import SQL, Identifier

from shared.contracts.commit import moment_ms
from shared.kernel.sharding import shard_of
from shared.runtime.adapters.deployment import migrate
from shared.runtime.adapters.engines import NatsServer, Postgres
from shared.runtime.adapters.leases import Bucket
from shared.runtime.adapters.nats import connect
from shared.runtime.adapters.postgres import PostgresStore, Threads
from shared.runtime.adapters.schema import schema_of
from shared.runtime.ports import CLOCK_OFF_MS, StartRefused
from shared.runtime.reach import GATEWAY
from tests.integration.runtime.audit import events_of, log_of
from tests.integration.runtime.conftest import COUNTERS, TALLIES, Client, client_at
from tests.integration.runtime.counting import Add
from tests.integration.runtime.counting_clock import StartClock
from tests.integration.runtime.running import Running, until
from tests.integration.runtime.test_ownership import FIRST, SECOND, held

CLOCK_MS = 4_000
AWAY_SECONDS = 5.0
AWAY_MS = 5_000
UNSEEN_MS = 2_500
LINE = COUNTERS[1]
STREAM = next(f"ctr_{n}" for n in range(9) if shard_of(f"ctr_{n}", len(COUNTERS)) == LINE.shard)


class Seen:
    """What the log says of the clock."""

    def __init__(self, dsn: str) -> None:
        rows = log_of(dsn, LINE)
        self.extended = events_of(rows, "counter.clock-extended.v1")
        self.ran_out = [
            moment_ms(row.commit["at"])
            for row in rows
            for event in row.commit["events"]
            if event["type"] == "counter.clock-ran-out.v1"
        ]
        (self.started,) = events_of(rows, "counter.clock-started.v1")
        self.causes = [row.commit["cause"] for row in rows if b"clock-extended" in row.data]


class Gateway:
    """Says that players are served, as a gateway does, until it is told to be silent."""

    def __init__(self, nats_url: str) -> None:
        self._nats_url = nats_url
        self.silent = False

    async def __aenter__(self) -> Self:
        self._client = await connect(self._nats_url, GATEWAY)
        self._beating = asyncio.create_task(self._beat())
        return self

    async def __aexit__(self, *_: object) -> None:
        self._beating.cancel()
        await self._client.close()

    async def _beat(self) -> None:
        while True:
            if not self.silent and self._client.is_connected:
                await self._client.publish(Bucket(GATEWAY).beats, b"life")
            await asyncio.sleep(0.5)


@pytest.fixture
async def gateway(broker_url: str) -> AsyncIterator[Gateway]:
    async with Gateway(broker_url) as beating:
        yield beating


def counter_at(dsn: str, nats_url: str, **settings: object) -> Running:
    return Running("counter", dsn, nats_url, counter_clocks=True, **settings)


async def started(client: Client) -> None:
    """Start a clock, and let it run long enough for a beat."""
    await client.send(STREAM, StartClock(lasts_ms=CLOCK_MS))
    await asyncio.sleep(1.5)


async def given_back(dsn: str, away_ms: int) -> None:
    """Wait for the clock's end, and see that the outage was given back, whole and once."""
    await until(lambda: Seen(dsn).ran_out)
    seen = Seen(dsn)
    began_ms, lost_ms = seen.started["began_ms"], 0
    for before, credit in zip([{"to_ms": began_ms}, *seen.extended], seen.extended, strict=False):
        assert before["to_ms"] <= credit["from_ms"] < credit["to_ms"]
        lost_ms += credit["to_ms"] - credit["from_ms"]
    assert seen.causes
    assert all(cause == {"timer": "outage"} for cause in seen.causes)
    assert lost_ms >= away_ms - UNSEEN_MS
    assert seen.extended[-1]["due_ms"] == seen.started["due_ms"] + lost_ms
    assert seen.ran_out[0] >= began_ms + CLOCK_MS + lost_ms
    assert max(credit["to_ms"] - credit["from_ms"] for credit in seen.extended) >= away_ms - 200


async def test_after_a_kill_the_successor_gives_the_outage_back(
    store_url, broker_url, client, gateway
):
    with counter_at(store_url, broker_url, instance=FIRST) as counter:
        await counter.ready()
        await started(client)
        counter.kill()
        await asyncio.sleep(AWAY_SECONDS)
        assert not Seen(store_url).ran_out
        with counter_at(store_url, broker_url, instance=SECOND) as successor:
            await successor.ready()
            await given_back(store_url, AWAY_MS)


async def test_a_frozen_owner_that_wakes_gives_the_outage_back(
    store_url, broker_url, client, gateway
):
    with counter_at(store_url, broker_url, instance=FIRST) as counter:
        await counter.ready()
        await started(client)
        os.kill(counter.child.pid, signal.SIGSTOP)
        await asyncio.sleep(AWAY_SECONDS)
        os.kill(counter.child.pid, signal.SIGCONT)
        await given_back(store_url, AWAY_MS)


async def test_told_to_stop_it_leaves_its_successor_a_small_gap(
    store_url, broker_url, client, gateway
):
    with (
        counter_at(store_url, broker_url, instance=FIRST) as one,
        counter_at(store_url, broker_url, instance=SECOND) as other,
    ):
        for process in (one, other):
            await process.ready()
        await held(broker_url, FIRST, SECOND)
        await started(client)
        await asyncio.to_thread(other.stop)
        await held(broker_url, FIRST, FIRST)
        await until(lambda: Seen(store_url).ran_out)
        seen = Seen(store_url)
        assert sum(credit["to_ms"] - credit["from_ms"] for credit in seen.extended) < CLOCK_MS


@pytest.fixture
def database() -> Iterator[Postgres]:
    with Postgres(durable=False) as engine:
        migrate(engine.url, [*COUNTERS, *TALLIES])
        yield engine


async def test_while_postgresql_is_away_no_clock_runs(database, broker_url, client, gateway):
    with counter_at(database.url, broker_url) as counter:
        await counter.ready()
        await started(client)
        await asyncio.to_thread(database.stop)
        await counter.unready(f"store {LINE}", "")
        await asyncio.sleep(AWAY_SECONDS)
        await asyncio.to_thread(database.start)
        await counter.ready()
        await given_back(database.url, AWAY_MS)


async def test_while_nats_is_away_no_clock_runs(store_url):
    with NatsServer() as server:
        client, broker = await client_at(server.url)
        async with Gateway(server.url):
            with counter_at(store_url, server.url, lease_ttl_s=60) as counter:
                await counter.ready()
                await started(client)
                await asyncio.to_thread(server.stop)
                await asyncio.sleep(AWAY_SECONDS)
                assert not Seen(store_url).ran_out
                await asyncio.to_thread(server.start)
                await given_back(store_url, AWAY_MS)
        await broker._client.close()


async def test_without_a_gateway_no_clock_runs(store_url, broker_url, client, gateway):
    with counter_at(store_url, broker_url) as counter:
        await counter.ready()
        await started(client)
        gateway.silent = True
        await asyncio.sleep(AWAY_SECONDS)
        assert not Seen(store_url).ran_out
        gateway.silent = False
        await given_back(store_url, AWAY_MS)


@asynccontextmanager
async def store_of(dsn: str) -> AsyncIterator[PostgresStore]:
    threads = Threads()
    store = PostgresStore(dsn, LINE, threads)
    try:
        yield store
    finally:
        store.close()
        threads.close()


async def test_the_pulse_is_kept_as_the_port_promises(store_url):
    async with store_of(store_url) as store:
        at_ms, now_ms = await store.beat(0, 0)
        assert at_ms == 0
        assert (await store.beat(now_ms, 1)).at_ms == 0  # It was not so at 1 or later.
        assert (await store.beat(now_ms, 0)).at_ms == 0
        assert (await store.beat(now_ms - 10, 0)).at_ms == now_ms  # That was the first to stand.
        assert (await store.beat(now_ms + 2 * CLOCK_OFF_MS, 0)).at_ms == now_ms
        assert (await store.beat(now_ms + 1, now_ms + 1)).at_ms == now_ms
        assert (await store.beat(now_ms + 1, now_ms)).at_ms == now_ms
        assert (await store.beat(0, 0)).at_ms == now_ms + 1


def delete(dsn: str, number: int) -> None:
    """What no service may do: a superuser takes a commit out of a log."""
    table = Identifier(schema_of(LINE), "commits")
    with psycopg.connect(dsn) as connection:
        query = SQL("DELETE FROM {} WHERE notification_id = %s").format(table)
        assert connection.execute(query, (number,)).rowcount == 1


async def test_a_log_that_lacks_a_commit_stops_its_line_and_refuses_the_migration(
    store_url, broker_url, client
):
    with counter_at(store_url, broker_url) as counter:
        await counter.ready()
        for amount in range(1, 8):
            await client.send(STREAM, Add(amount=amount))
        assert await asyncio.to_thread(counter.stop) == 0
        before = [row.number for row in log_of(store_url, LINE)]
        delete(store_url, 3)
        counter.start()
        await counter.unready(f"log {LINE}", "stopped: the log lacks its commit 3")
        answer = await client.send(STREAM, Add(amount=8))
        assert (answer.reason, answer.detail) == ("line_stopped", "the log lacks its commit 3")
        assert count(store_url) == len(before) - 1
        with pytest.raises(StartRefused, match="the log of counter-1 lacks its commit 3"):
            migrate(store_url, [*COUNTERS, *TALLIES])


@pytest.mark.parametrize(("deleted", "missing"), [((), None), ((1,), 1), ((5, 6), 5), ((7,), None)])
async def test_the_first_commit_that_is_missing_is_named(
    store_url, broker_url, client, deleted: tuple[int, ...], missing: int | None
):
    """A lost end shows elsewhere: the stream is ahead of the log."""
    with counter_at(store_url, broker_url) as counter:
        await counter.ready()
        for amount in range(1, 8):
            await client.send(STREAM, Add(amount=amount))
    for number in deleted:
        delete(store_url, number)
    async with store_of(store_url) as store:
        assert await store.first_missing() == missing


def count(dsn: str) -> Any:
    with psycopg.connect(dsn) as connection:
        query = SQL("SELECT count(*) FROM {}").format(Identifier(schema_of(LINE), "commits"))
        return connection.execute(query).fetchone()[0]
