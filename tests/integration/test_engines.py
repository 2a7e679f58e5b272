"""The embedded engines: data outlive a stop and a kill, engines never outlive their owner."""

import asyncio
import os
import shutil
import signal
import socket
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from pathlib import Path
from urllib.parse import urlsplit

import nats
import nats.errors
import psycopg
import pytest
from nats.js.api import StreamConfig

from shared.runtime.adapters.engines import NatsServer, Postgres, nats_server, postgres
from shared.runtime.adapters.nats_cluster import NatsCluster

OWNER = """
import sys, time
from shared.runtime.adapters.engines import NatsServer, Postgres
with Postgres(durable=False) as database, NatsServer(sync="2m") as broker:
    print(database.url, broker.url, database.home, broker.home, flush=True)
    time.sleep(600)
"""
SOON_S = 20.0


@pytest.fixture
def home() -> Iterator[Path]:
    """A folder that PostgreSQL's own user can reach, which pytest's are not under root."""
    folder = Path(tempfile.mkdtemp(prefix="rollforward-test-"))
    folder.chmod(0o755)
    yield folder / "engine"
    shutil.rmtree(folder)


def write(url: str, value: int) -> None:
    with psycopg.connect(url) as connection:
        connection.execute("create table if not exists kept (value int)")
        connection.execute("insert into kept values (%s)", (value,))


def read(url: str) -> list[int]:
    with psycopg.connect(url) as connection:
        return [row[0] for row in connection.execute("select value from kept order by value")]


async def publish(url: str, body: bytes, replicas: int = 1) -> None:
    client = await nats.connect(url)
    stream = client.jetstream()
    await stream.add_stream(StreamConfig(name="KEPT", subjects=["kept"], num_replicas=replicas))
    await stream.publish("kept", body)
    await client.close()


async def published(url: str) -> int:
    client = await nats.connect(url)
    try:
        info = await client.jetstream().stream_info("KEPT")
    except (nats.errors.Error, TimeoutError):
        return 0  # No leader yet.
    finally:
        await client.close()
    return info.state.messages


@pytest.mark.parametrize("ending", [Postgres.stop, Postgres.kill])
def test_postgres_keeps_its_data_and_its_address(ending):
    with Postgres(durable=False) as engine:
        address = engine.url
        write(engine.url, 1)
        ending(engine)
        with pytest.raises(psycopg.OperationalError):
            read(address)
        engine.start()
        write(engine.url, 2)
        assert engine.url == address
        assert read(address) == [1, 2]


@pytest.mark.parametrize("ending", [NatsServer.stop, NatsServer.kill])
def test_nats_keeps_its_streams_and_its_address(ending):
    with NatsServer(sync="always") as engine:
        address = engine.url
        asyncio.run(publish(address, b"1"))
        ending(engine)
        assert refused(address)
        engine.start()
        assert engine.url == address
        asyncio.run(publish(address, b"2"))
        assert asyncio.run(published(address)) == 2


def test_a_given_home_survives_its_engine(home):
    with postgres(home / "postgres") as first:
        write(first, 1)
    with postgres(home / "postgres") as second:
        assert read(second) == [1]
    with nats_server(home / "nats") as first:
        asyncio.run(publish(first, b"1"))
    with nats_server(home / "nats") as second:
        assert asyncio.run(published(second)) == 1


def test_a_cluster_keeps_a_stream_when_its_leader_is_killed():
    with NatsCluster(sync="2m") as cluster:
        urls = [node.url for node in cluster.nodes]
        assert cluster.url.split(",") == urls
        asyncio.run(publish(urls[0], b"1", replicas=3))
        assert within_reason(lambda: all(node.messages("KEPT") == 1 for node in cluster.nodes))
        leader = cluster.leader()
        leader.kill()
        assert refused(leader.url)
        others = [url for url in urls if url != leader.url]
        assert within_reason(lambda: asyncio.run(published(others[0])) == 1)
        cluster.empty(leader)
        leader.start()
        assert within_reason(lambda: leader.messages("KEPT") == 1)
        homes = [node.home for node in cluster.nodes]
    assert all(refused(url) for url in urls)
    assert not any(folder.exists() for folder in homes)


def test_without_a_home_nothing_stays():
    with Postgres(durable=False) as database, NatsServer(sync="2m") as broker:
        homes = [database.home, broker.home]
        assert all(folder.exists() for folder in homes)
    assert not any(folder.exists() for folder in homes)


def test_two_at_once_do_not_meet():
    with postgres(durable=False) as one, postgres(durable=False) as other:
        write(one, 1)
        write(other, 2)
        assert (read(one), read(other)) == ([1], [2])
    with nats_server(sync="2m") as one, nats_server(sync="2m") as other:
        asyncio.run(publish(one, b"1"))
        asyncio.run(publish(one, b"2"))
        asyncio.run(publish(other, b"1"))
        assert (asyncio.run(published(one)), asyncio.run(published(other))) == (2, 1)


def test_one_home_has_one_engine_and_whoever_starts_another_is_told_so_in_a_line(home):
    with NatsServer(home / "nats"):
        found = subprocess.run(
            [Path(sys.executable).with_name("rollforward"), "up", "--home", home],
            env={**os.environ, "DATABASE_URL": "postgresql://127.0.0.1:1/none"},
            capture_output=True,
            text=True,
            check=False,
        )
    assert found.returncode == 1
    assert found.stderr == f"rollforward: {home / 'nats'} is in use by another NatsServer\n"


@pytest.mark.parametrize("number", [signal.SIGKILL, signal.SIGTERM])
def test_engines_die_with_their_owner(number):
    owner = subprocess.Popen([sys.executable, "-c", OWNER], stdout=subprocess.PIPE, text=True)
    assert owner.stdout
    database, broker, *homes = owner.stdout.readline().split()
    assert read_one(database) == 1
    os.kill(owner.pid, number)
    owner.communicate()
    assert within_reason(lambda: not any(Path(folder).exists() for folder in homes))
    with pytest.raises(psycopg.OperationalError):
        read_one(database)
    assert refused(broker)


def read_one(url: str) -> int:
    with psycopg.connect(url) as connection:
        row = connection.execute("select 1").fetchone()
    assert row
    return row[0]


def refused(url: str) -> bool:
    """Ask once; the client library would try for two minutes."""
    address = urlsplit(url)
    try:
        socket.create_connection((address.hostname, address.port), timeout=2).close()
    except ConnectionRefusedError:
        return True
    return False


def within_reason(true) -> bool:
    deadline = time.monotonic() + SOON_S
    while not true():
        if time.monotonic() > deadline:
            return False
        time.sleep(0.02)
    return True
