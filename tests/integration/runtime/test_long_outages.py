"""Engines away for long, killed at the worst moment, or back with less than they had."""

import asyncio
import os
import shutil
from collections.abc import Iterator
from contextlib import closing
from operator import sub
from pathlib import Path

import psycopg
import pytest

from shared.contracts.commit import Actor, raw
from shared.contracts.edge import Request, decode_answer, encode
from shared.kernel.sharding import shard_of
from shared.runtime.adapters.deployment import migrate
from shared.runtime.adapters.engines import NatsServer, Postgres
from shared.runtime.ports import Line
from tests.integration.runtime.conftest import COUNTERS, SHARDS, TALLIES, Client, client_at
from tests.integration.runtime.counting import Add
from tests.integration.runtime.running import Running
from tests.integration.runtime.test_ownership import more
from tests.integration.runtime.verdict import all_is_exact

OUTAGE_SECONDS = float(os.environ.get("OUTAGE_SECONDS", "8"))
ANSWER_SECONDS = 12.0
WAITING = (
    "SELECT count(*) FROM pg_stat_activity"
    " WHERE wait_event_type = 'Lock' AND query LIKE 'SELECT%append%'"
)


@pytest.fixture
def database() -> Iterator[Postgres]:
    with Postgres(durable=False) as engine:
        migrate(engine.url, [*COUNTERS, *TALLIES])
        yield engine


async def asked_once(client: Client, stream: str, command_id: str) -> str:
    """Ask as nobody does who is patient; return the reason of the refusal."""
    line = Line("counter", shard_of(stream, SHARDS["counter"]))
    by = Actor("player", "ply_1")
    request = Request(id=command_id, by=by, stream=stream, command=raw(Add(amount=7)))
    broker = client.asking._broker
    answer = await broker.request(line.request("add"), encode(request), ANSWER_SECONDS)
    return str(decode_answer.decode(answer).reason)


async def test_postgresql_killed_in_the_middle_of_a_commit_and_away_for_long(
    database, broker_url, client
):
    with (
        Running("counter", database.url, broker_url) as counter,
        Running("tally", database.url, broker_url) as tally,
    ):
        await counter.ready()
        await tally.ready()
        load = asyncio.create_task(client.load(8, 100_000))
        for end, away_s in ((database.kill, 0.0), (database.stop, OUTAGE_SECONDS)):
            await more(client)
            await asyncio.to_thread(end_in_a_commit, database.url, end)
            command_id = client.asking.command_id()
            assert await asked_once(client, "ctr_0", command_id) == "unavailable"
            before = [await away_for(counter, "counter-0"), await away_for(tally, "tally-1")]
            await asyncio.sleep(away_s)
            after = [await away_for(counter, "counter-0"), await away_for(tally, "tally-1")]
            assert min(map(sub, after, before)) > away_s - 1
            await asyncio.to_thread(database.start)
            await counter.ready()
            await tally.ready()
            await client.send("ctr_0", Add(amount=7), command_id)
        client.enough = True
        await load
        await all_is_exact(database.url, broker_url, client)


async def away_for(process: Running, line: str) -> float:
    """Return for how many seconds a process says that it has not reached its store."""
    said = await process.unready(f"store {line}", "")
    return float(said.rpartition("(for ")[2].removesuffix(" s)"))


def end_in_a_commit(url: str, end) -> None:
    """End PostgreSQL while a group commit has begun and waits for a lock of ours."""
    with closing(psycopg.connect(url)) as ours, closing(psycopg.connect(url)) as looking:
        looking.autocommit = True
        ours.execute("LOCK TABLE counter_0.commits IN EXCLUSIVE MODE")
        while looking.execute(WAITING).fetchone() == (0,):
            pass
        end()


async def test_nats_comes_back_with_an_older_store_and_then_with_none(store_url, tmp_path):
    older = tmp_path / "older"
    with NatsServer() as server:
        client, broker = await client_at(server.url)
        with (
            Running("counter", store_url, server.url) as counter,
            Running("tally", store_url, server.url) as tally,
        ):
            for change in (
                lambda: shutil.copytree(server.store, older),
                lambda: put_back(older, server.store),
                lambda: shutil.rmtree(server.store),
            ):
                await counter.ready()
                await tally.ready()
                await client.load(8, 100)
                await all_is_exact(store_url, server.url, client)
                await asyncio.to_thread(server.stop)
                change()
                await asyncio.to_thread(server.start)
            await more(client)
            await all_is_exact(store_url, server.url, client)
        await broker._client.close()


def put_back(older: Path, store: Path) -> None:
    shutil.rmtree(store)
    shutil.copytree(older, store)
