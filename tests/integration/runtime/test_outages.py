"""PostgreSQL and NATS restarted under load, or not there yet: said, waited for, recovered from."""

import asyncio

import httpx
import pytest

from shared.runtime.adapters.deployment import migrate
from shared.runtime.adapters.engines import NatsServer, Postgres
from tests.integration.runtime.audit import log_of
from tests.integration.runtime.conftest import COUNTERS, TALLIES, client_at
from tests.integration.runtime.counting import Add
from tests.integration.runtime.running import Running, until
from tests.integration.runtime.verdict import all_counted, all_is_exact


@pytest.fixture
def database():
    with Postgres(durable=False) as engine:
        migrate(engine.url, [*COUNTERS, *TALLIES])
        yield engine


async def test_postgresql_restarted_and_killed_under_load(database, broker_url, client):
    with (
        Running("counter", database.url, broker_url) as counter,
        Running("tally", database.url, broker_url) as tally,
    ):
        await counter.ready()
        await tally.ready()
        load = asyncio.create_task(client.load(8, 10_000))
        for end in (database.stop, database.kill):
            await asyncio.sleep(0.5)
            await asyncio.to_thread(end)
            await counter.unready("store counter-0", "")
            await tally.unready("store tally-1", "")
            await asyncio.to_thread(database.start)
            await counter.ready()
            await tally.ready()
        client.enough = True
        await load
        await all_is_exact(database.url, broker_url, client)


async def test_a_service_started_before_its_database_waits_for_it(database, broker_url, client):
    await asyncio.to_thread(database.stop)
    with Running("counter", database.url, broker_url) as counter:
        await counter.unready("database", "")
        async with httpx.AsyncClient() as http:
            assert (await http.get(f"http://127.0.0.1:{counter.port}/livez")).status_code == 204
        await asyncio.to_thread(database.start)
        await counter.ready()
        await client.load(2, 10)
        all_of_it = [row for line in COUNTERS for row in log_of(database.url, line)]
        assert len(all_of_it) == 10


async def test_nats_restarted_and_killed_under_load(store_url):
    with NatsServer() as server:
        client, broker = await client_at(server.url)
        with (
            Running("counter", store_url, server.url) as counter,
            Running("tally", store_url, server.url) as tally,
        ):
            await counter.ready()
            await tally.ready()
            load = asyncio.create_task(client.load(8, 10_000))
            for end in (server.stop, server.kill):
                await asyncio.sleep(0.5)
                await asyncio.to_thread(end)
                await counter.unready("nats", "disconnected")
                await asyncio.to_thread(server.start)
                await counter.ready()
                await tally.ready()
            client.enough = True
            await load
            await all_is_exact(store_url, server.url, client)
        await broker._client.close()


async def test_a_follower_whose_upstream_is_away_waits_and_stays_ready(
    store_url, broker_url, client
):
    with Running("tally", store_url, broker_url) as tally:
        await tally.ready()
        with Running("counter", store_url, broker_url) as counter:
            await counter.ready()
            await client.load(8, 30)
            await all_counted(store_url)
        tally.kill()
        tally.start()
        await tally.ready()
        await asyncio.sleep(0.5)
        assert (await tally.readyz()) == (200, {})
        with Running("counter", store_url, broker_url) as counter:
            await counter.ready()
            await client.send("ctr_1", Add(amount=1))
            await all_counted(store_url)


async def test_a_service_without_nats_can_be_told_to_stop(store_url):
    with NatsServer() as server, Running("counter", store_url, server.url) as counter:
        await counter.ready()
        await asyncio.to_thread(server.stop)
        await counter.unready("nats", "disconnected")
        assert await asyncio.to_thread(counter.stop) == 0
        before = counter.log.read_text().count("broker_error")
        counter.start()
        await until(lambda: counter.log.read_text().count("broker_error") > before + 5)
        assert await asyncio.to_thread(counter.stop) == 0
