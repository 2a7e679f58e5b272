"""Leases on a real NATS: those who fall silent are looked after in time, and it can be watched."""

import asyncio
import os
import signal
import time

import pytest

from shared.runtime.adapters.leases import NatsRegistry
from shared.runtime.adapters.nats import connect, disconnect
from shared.runtime.ports import Deployment, LeaseTaken, Line
from tests.integration.runtime.conftest import COUNTERS
from tests.integration.runtime.running import Running, until

TTL_S = 2
FOR_EVER_S = 600.0
DEPLOYMENT = Deployment("dep_1", {"counter": 2})


@pytest.fixture
async def registries(nats_url):
    """Two processes of one service, as the registry knows them."""
    clients = [await connect(nats_url, name) for name in ("one", "other")]
    js = clients[0].jetstream()
    for info in await js.streams_info():
        await js.delete_stream(info.config.name)
    made = [
        NatsRegistry(client, "counter", name, f"life-{name}", TTL_S)
        for client, name in zip(clients, ("one", "other"), strict=True)
    ]
    for registry in made:
        await registry.open(DEPLOYMENT)
    yield made
    for client in clients:
        await disconnect(client)


async def taken_over(registry: NatsRegistry, line: Line) -> bool:
    try:
        await registry.hold(line, 0)
    except LeaseTaken:
        return False
    return True


async def test_one_that_falls_silent_is_looked_after_when_its_keys_have_run_out(registries):
    """Nothing is told and no tick is near: the moment is known from what was heard before."""
    one, other = registries
    await other.announce()
    await asyncio.gather(one.announce(), *[one.hold(line, 0) for line in COUNTERS])
    while "one" in await other.members():
        await other.changed(FOR_EVER_S)
    await until(lambda: taken_over(other, COUNTERS[0]))
    await until(lambda: taken_over(other, COUNTERS[1]))


async def test_what_leases_are_held_and_lost_can_be_watched(store_url, broker_url):
    began = time.time()
    with Running("counter", store_url, broker_url, instance="b", lease_ttl_s=TTL_S) as one:
        await one.ready()
        assert await one.metric("rollforward_leases_held") == len(COUNTERS)
        assert began < await one.metric("rollforward_leases_renewed_seconds") <= time.time()
        with Running("counter", store_url, broker_url, instance="a", lease_ttl_s=TTL_S) as other:
            await other.ready()
            await until(lambda: has_lines(one, 1))
            assert await one.metric(lost(COUNTERS[0])) == 0
            os.kill(one.child.pid, signal.SIGSTOP)
            await until(lambda: has_lines(other, len(COUNTERS)))
            os.kill(one.child.pid, signal.SIGCONT)
            await until(lambda: has_lost(one, COUNTERS[0]))


async def has_lines(process: Running, count: int) -> bool:
    return await process.metric("rollforward_leases_held") == count


async def has_lost(process: Running, line: Line) -> bool:
    return await process.metric(lost(line)) == 1


def lost(line: Line) -> str:
    return f'rollforward_leases_lost_total{{line="{line}"}}'
