"""A NATS cluster: replicas as the setting says, leaders killed, no quorum, a server come empty."""

import asyncio
import json
from collections.abc import Iterator
from contextlib import suppress
from dataclasses import replace
from functools import partial

import nats.errors
import pytest
from nats.js.api import StreamConfig

from shared.contracts.edge import Declined
from shared.runtime.adapters.leases import Bucket
from shared.runtime.adapters.nats import Client as Connection, disconnect
from shared.runtime.adapters.nats_cluster import NatsCluster, Node
from tests.integration.runtime.audit import log_of
from tests.integration.runtime.conftest import COUNTERS, Client, client_at
from tests.integration.runtime.counting import Add
from tests.integration.runtime.running import Running, until
from tests.integration.runtime.test_ownership import more
from tests.integration.runtime.verdict import all_is_exact

STREAM, BUCKET = COUNTERS[0].stream, Bucket("counter").stream
LONG_S = 60.0  # Elections take up to ten seconds each, and the machine may be busy.


@pytest.fixture
def cluster() -> Iterator[NatsCluster]:
    with NatsCluster(sync="2m") as found:
        yield found


async def config_of(client: Connection, stream: str) -> StreamConfig:
    return (await client.jetstream().stream_info(stream)).config


async def leader_of(client: Connection, stream: str) -> str | None:
    """Return which server leads a stream, None while there is none."""
    with suppress(nats.errors.Error, TimeoutError):
        found = (await client.jetstream(timeout=1).stream_info(stream)).cluster
        return found.leader if found else None
    return None


async def gathered(cluster: NatsCluster, client: Connection) -> Node:
    """Have one server lead the cluster, the stream and the leases, and return it."""
    node = await until(cluster.leader)
    wish = json.dumps({"placement": {"preferred": node.name}}).encode()

    async def led(stream: str) -> bool:
        if await leader_of(client, stream) == node.name:
            return True
        with suppress(nats.errors.Error, TimeoutError):
            await client.request(f"$JS.API.STREAM.LEADER.STEPDOWN.{stream}", wish, timeout=1)
        return False

    for stream in (STREAM, BUCKET):
        await until(partial(led, stream), LONG_S)
    assert cluster.leader() is node
    return node


async def test_replicas_are_raised_never_lowered_and_the_rest_stays(store_url):
    cluster = NatsCluster(sync="2m")
    cluster.absent = (cluster.nodes[2],)
    with cluster:
        client, broker = await client_at(cluster.url)
        admin = broker._client
        with Running("counter", store_url, cluster.url) as counter:
            await counter.ready()
            await client.load(8, 50)
            before = await config_of(admin, STREAM)
            leases = await config_of(admin, BUCKET)
            assert (before.num_replicas, leases.num_replicas) == (1, 1)
            assert before.deny_delete
            assert before.deny_purge
        with Running("counter", store_url, cluster.url, nats_replicas=3) as counter:
            said = await counter.unready(f"replicas {STREAM}", "in 3 replicas: ")
            assert "(for " in said
            await counter.unready(f"replicas {BUCKET}", "in 3 replicas: ")
            await client.load(8, 50)
            assert (await config_of(admin, STREAM)) == before
            await asyncio.to_thread(cluster.nodes[2].start)
            await counter.ready()
            assert await config_of(admin, STREAM) == replace(before, num_replicas=3)
            assert await config_of(admin, BUCKET) == replace(leases, num_replicas=3)
            await client.load(8, 50)
        with Running("counter", store_url, cluster.url) as counter:
            await counter.unready(f"replicas {STREAM}", "in 3 replicas, the settings say 1")
            await client.load(8, 50)
            assert (await config_of(admin, STREAM)).num_replicas == 3
        await disconnect(admin)


@pytest.mark.long
async def test_the_server_that_leads_everything_is_killed_twice(store_url, cluster):
    client, broker = await client_at(cluster.url)
    with (
        Running("counter", store_url, cluster.url, nats_replicas=3) as counter,
        Running("tally", store_url, cluster.url, nats_replicas=3) as tally,
    ):
        await counter.ready()
        await tally.ready()
        load = asyncio.create_task(client.load(8, 100_000))
        for _ in range(2):
            await more(client)
            leader = await gathered(cluster, broker._client)
            await asyncio.to_thread(leader.kill)
            await counter.unready("leases", "")
            await until(lambda: all_lead_again(cluster, broker._client), LONG_S)
            await counter.ready()
            await tally.ready()
            await more(client)
            await asyncio.to_thread(leader.start)
            await asyncio.to_thread(cluster.wait_sound)
        client.enough = True
        await load
        await until(lambda: all_lead_again(cluster, broker._client), LONG_S)
        await all_is_exact(store_url, cluster.nodes[0].url, client)
    await disconnect(broker._client)


async def refused(client: Client) -> bool:
    """Ask as patiently as everybody does; what is left of a lease may still decide."""
    answer = await client.asking.ask("counter", "ctr_1", Add(amount=1))
    return isinstance(answer, Declined) and answer.reason == "unavailable"


async def all_lead_again(cluster: NatsCluster, client: Connection) -> bool:
    led = [await leader_of(client, stream) for stream in (STREAM, BUCKET)]
    return all(led) and cluster.leader() is not None


@pytest.mark.long
async def test_without_a_quorum_it_refuses_and_goes_on_and_an_empty_server_is_filled(
    store_url, cluster
):
    client, broker = await client_at(cluster.url)
    with (
        Running("counter", store_url, cluster.url, nats_replicas=3) as counter,
        Running("tally", store_url, cluster.url, nats_replicas=3) as tally,
    ):
        await counter.ready()
        await tally.ready()
        await client.load(8, 200)
        load = asyncio.create_task(client.load(8, 100_000))
        await more(client)
        back, emptied, _ = cluster.nodes
        await asyncio.gather(asyncio.to_thread(back.kill), asyncio.to_thread(emptied.kill))
        for process in (counter, tally):
            assert "(for " in await process.unready("leases", "BrokerUnavailable")
        await until(lambda: refused(client), LONG_S)
        await asyncio.to_thread(back.start)
        await until(lambda: all_lead_again(cluster, broker._client), LONG_S)
        await counter.ready()
        await tally.ready()
        await more(client)
        cluster.empty(emptied)
        await asyncio.to_thread(emptied.start)
        await asyncio.to_thread(cluster.wait_sound)
        client.enough = True
        await load
        await all_is_exact(store_url, cluster.nodes[0].url, client)
        count = len(log_of(store_url, COUNTERS[0]))
        await until(lambda: emptied.messages(STREAM) == count)
    await disconnect(broker._client)
