"""One process loses its way to NATS, to PostgreSQL or to both, while all others keep theirs."""

import asyncio
from collections.abc import Iterator

import pytest

from shared.runtime.adapters.nats import NatsBroker, connect, disconnect
from shared.runtime.adapters.system import SystemClock
from shared.runtime.health import Health
from shared.runtime.ports import BrokerUnavailable, Line, Outgoing
from tests.integration.runtime.conftest import COUNTERS
from tests.integration.runtime.counting import Add
from tests.integration.runtime.proxy import Proxy
from tests.integration.runtime.running import Running, until
from tests.integration.runtime.test_long_outages import asked_once
from tests.integration.runtime.test_ownership import FIRST, SECOND, TTL_S, held, more
from tests.integration.runtime.verdict import all_commanded, all_is_exact, stream_is_log


@pytest.fixture
def to_database(store_url) -> Iterator[Proxy]:
    with Proxy(store_url) as way:
        yield way


@pytest.fixture
def to_nats(broker_url) -> Iterator[Proxy]:
    with Proxy(broker_url) as way:
        yield way


async def test_the_lines_of_a_process_that_is_cut_off_go_to_another_and_come_back(
    store_url, broker_url, client, to_database, to_nats
):
    cuts = (
        ([to_nats.swallow], {"nats": "disconnected", "leases": "Timeout"}),
        ([to_database.swallow], {"leases": "standing aside", "database": "timeout"}),
        ([to_nats.refuse, to_database.refuse], {"nats": "disconnected", "leases": "Timeout"}),
    )
    with (
        Running("counter", to_database.url, to_nats.url, instance=FIRST, lease_ttl_s=TTL_S) as one,
        Running("counter", store_url, broker_url, instance=SECOND, lease_ttl_s=TTL_S) as other,
        Running("tally", store_url, broker_url) as tally,
    ):
        for process in (one, other, tally):
            await process.ready()
        await held(broker_url, FIRST, SECOND)
        load = asyncio.create_task(client.load(8, 10_000))
        for ways, reasons in cuts:
            await more(client)
            for cut in ways:
                cut()
            await held(broker_url, SECOND, SECOND)
            await more(client)
            for what, why in reasons.items():
                assert "(for " in await one.unready(what, why)
            assert await other.readyz() == (200, {})
            to_nats.free()
            to_database.free()
            await held(broker_url, FIRST, SECOND)
            await one.ready()
        client.enough = True
        await load
        await all_is_exact(store_url, broker_url, client)


async def test_alone_without_its_database_it_refuses_and_goes_on_when_the_way_is_free(
    store_url, broker_url, client, to_database
):
    with Running("counter", to_database.url, broker_url) as counter:
        await counter.ready()
        await client.load(8, 20)
        to_database.swallow()
        assert "(for " in await counter.unready("store counter-0", "")
        command_id = client.asking.command_id()
        assert await asked_once(client, "ctr_1", command_id) == "unavailable"
        to_database.free()
        await counter.ready()
        await client.send("ctr_1", Add(amount=7), command_id)
        all_commanded(store_url, client)
        for line in COUNTERS:
            await stream_is_log(store_url, broker_url, line)


@pytest.mark.long
async def test_connections_that_the_way_has_forgotten_are_given_up_and_made_anew(
    store_url, broker_url, client, to_database, to_nats
):
    with (
        Running("counter", to_database.url, to_nats.url, lease_ttl_s=TTL_S) as counter,
        Running("tally", to_database.url, to_nats.url, lease_ttl_s=TTL_S) as tally,
    ):
        await counter.ready()
        await tally.ready()
        load = asyncio.create_task(client.load(8, 10_000))
        await more(client)
        for way, wrongs in (
            (to_database, ("store counter-0", "store tally-1")),
            (to_nats, ("leases", "leases")),
        ):
            way.forget()
            await asyncio.gather(counter.unready(wrongs[0], ""), tally.unready(wrongs[1], ""))
            await counter.ready()
            await tally.ready()
            await more(client)
        client.enough = True
        await load
        await all_is_exact(store_url, broker_url, client)


async def test_a_dead_connection_with_much_under_way_is_given_up_too(to_nats):
    health = Health(SystemClock())
    client = await connect(to_nats.url, "test", health)
    broker, line = NatsBroker(client), Line("counter", 0)
    to_nats.swallow()
    for _ in range(300):
        await client.publish("evt.nowhere", b"x" * 100_000)
    with pytest.raises(BrokerUnavailable):
        await broker.tail(line)
    await until(lambda: "nats" in health.reasons())
    to_nats.free()
    await until(lambda: health.ready)
    assert await broker.publish(line, [Outgoing(line.subject("m", "ctr_0"), b"1", 0)], 0) == 1
    await disconnect(client)
