"""The inbox of whole processes: said in readiness and metric, listed and fed by the command."""

import asyncio
import json
import os
import random
import subprocess
import sys

import psycopg
import pytest

from services.cli.inbox.command import list_inboxes, retry_inboxes
from shared.contracts.commit import hash_of
from shared.contracts.edge import RetryInbox, encode
from shared.kernel.sharding import shard_of
from shared.runtime.adapters.engines import nats_server
from shared.runtime.adapters.nats import NatsBroker, connect
from shared.runtime.ports import BrokerUnavailable, Line
from tests.integration.runtime.audit import log_of
from tests.integration.runtime.conftest import COUNTERS, TALLIES
from tests.integration.runtime.counting import POISON, Add
from tests.integration.runtime.feeding import commit_of, record
from tests.integration.runtime.running import ROOT, Running, until
from tests.integration.runtime.verdict import all_is_exact, counted_facts, upstream_facts

KILLS_IN_RETRY = 2
POISONED = ("ctr_1", "ctr_4")


def parked(dsn: str, line: Line) -> set[tuple[str, int]]:
    with psycopg.connect(dsn) as connection:
        return set(
            connection.execute(
                f"SELECT upstream, number FROM {line.service}_{line.shard}.parked"
            ).fetchall()
        )


async def test_what_an_older_build_cannot_decode_waits_for_a_newer_one(
    store_url, broker_url, client, capsys
):
    with (
        Running("counter", store_url, broker_url) as counter,
        Running("tally", store_url, broker_url) as tally,
    ):
        await counter.ready()
        await client.load(8, 20)
        newer = b'{"type":"counter.added.v1","amount":"16","total":16}'
        usual = b'{"type":"counter.added.v1","amount":16,"total":32}'
        first = commit_of(COUNTERS[1], "ctr_bad", 1, newer)
        then = commit_of(COUNTERS[1], "ctr_bad", 2, usual, prev=hash_of(first).hex())
        bad = await record(store_url, COUNTERS[1], first)
        behind = await record(store_url, COUNTERS[1], then, n=2)
        await client.load(8, 30)
        mine = Line("tally", shard_of("tly_0", len(TALLIES)))
        other = next(line for line in TALLIES if line != mine)
        parked_here = f'rollforward_parked{{line="{mine}"}}'
        await tally.unready(f"inbox counter-1 for {mine}", "parked: 2 facts of counter-1")
        await tally.unready(f"inbox counter-1 for {other}", "parked: 1 facts of counter-1")
        # The rest goes on, and a successor says the same.
        await until(lambda: len(waiting_for(store_url)) == 2)
        tally.kill()
        tally.start()
        await tally.unready(f"inbox counter-1 for {mine}", "parked: 2 facts of counter-1")
        assert await tally.metric(parked_here) == 2
        assert await list_inboxes(broker_url, TALLIES, as_json=True) == 1
        rows = [json.loads(row) for row in capsys.readouterr().out.splitlines()]
        assert {(row["line"], row["upstream"], row["number"], row["stream"]) for row in rows} == {
            (str(mine), "counter-1", bad, "ctr_bad"),
            (str(mine), "counter-1", behind, "ctr_bad"),
            (str(other), "counter-1", bad, "ctr_bad"),
        }
        assert await retry_inboxes(broker_url, TALLIES) == 1
        assert "0 facts taken in, 2 still wait" in capsys.readouterr().out
        tally.stop()
        tally.environment["ROLLFORWARD_TALLY_MENDED"] = "true"
        tally.start()
        await tally.unready(f"inbox counter-1 for {mine}", "parked: 2 facts of counter-1")
        assert await retry_inboxes(broker_url, TALLIES) == 0
        assert f"{mine}: 2 facts taken in" in capsys.readouterr().out
        await tally.ready()
        assert await tally.metric(parked_here) == 0
        assert await list_inboxes(broker_url, TALLIES, as_json=False) == 0
        assert "no facts are parked at 2 of 2 lines" in capsys.readouterr().out
        assert not waiting_for(store_url)
        assert set(counted_facts(store_url)[0].values()) == {1}


def waiting_for(dsn: str) -> set[tuple[str, int]]:
    """The upstream facts that no tally has counted."""
    return set(upstream_facts(dsn)[0]) - set(counted_facts(dsn)[0])


async def test_a_line_that_nobody_owns_is_said_and_not_taken_for_empty(broker_url, capsys):
    assert await list_inboxes(broker_url, TALLIES, as_json=False) == 1
    said = capsys.readouterr()
    assert "no facts are parked at 0 of 2 lines" in said.out
    assert "tally-1: nobody owns this line now" in said.err
    assert await retry_inboxes(broker_url, TALLIES) == 1


COMMANDS = [
    # what is typed, exit code, what is said
    (["inbox"], 1, "wallet-0: nobody owns this line now"),
    (["inbox", "--json"], 1, "director-0: nobody owns this line now"),
    (["inbox", "retry", "wallet-0"], 1, "wallet-0: nobody owns this line now"),
    (["inbox", "retry", "dealer-0"], 2, "no line 'dealer-0' has an inbox"),
]


@pytest.fixture(scope="module")
def nobody_here():
    """A NATS server that no service is connected to."""
    with nats_server() as url:
        yield url


@pytest.mark.parametrize(("typed", "code", "said"), COMMANDS)
def test_the_command_needs_no_database(nobody_here, typed, code, said):
    command = [sys.executable, "-c", "from services.cli.main import main; main()", *typed]
    environment = {**os.environ, "NATS_URL": nobody_here}
    environment.pop("DATABASE_URL", None)
    ended = subprocess.run(
        command, check=False, cwd=ROOT, env=environment, capture_output=True, text=True
    )
    assert (ended.returncode, said in ended.stderr) == (code, True), ended.stderr


@pytest.fixture
async def broker(broker_url):
    client = await connect(broker_url, "operator")
    yield NatsBroker(client)
    await client.close()


async def test_kill_9_loses_and_doubles_nothing_that_is_parked(
    store_url, broker_url, client, broker
):
    chance = random.Random(11)
    with (
        Running("counter", store_url, broker_url) as counter,
        Running("tally", store_url, broker_url) as tally,
    ):
        await counter.ready()
        load = asyncio.create_task(client.load(8, 100_000))
        for stream in POISONED:
            await asyncio.sleep(chance.uniform(0.1, 0.3))
            await client.send(stream, Add(amount=POISON))
            await asyncio.sleep(chance.uniform(0.0, 0.3))
            tally.kill()
            tally.start()
            await until(tally.readyz)
        client.enough = True
        await load
        await until(lambda: waiting_for(store_url) == all_parked(store_url))
        assert all_parked(store_url) == expected_parked(store_url)
        assert set(counted_facts(store_url)[0].values()) == {1}

        tally.environment["ROLLFORWARD_TALLY_MENDED"] = "true"
        for _ in range(KILLS_IN_RETRY):
            tally.kill()
            tally.start()
            await until(lambda: retried(broker))
            retry = asyncio.create_task(retried(broker))
            await asyncio.sleep(chance.uniform(0.0, 0.03))
            tally.kill()
            retry.cancel()
        tally.start()
        await until(lambda: retried(broker))
        await tally.ready()
        assert all_parked(store_url) == set()
        await all_is_exact(store_url, broker_url, client)
        in_upstream_order(store_url)


def all_parked(dsn: str) -> set[tuple[str, int]]:
    return {fact for line in TALLIES for fact in parked(dsn, line)}


def expected_parked(dsn: str) -> set[tuple[str, int]]:
    """The poisoned facts, and what came later in their stream for the same tally line."""
    waits: set[tuple[str, int]] = set()
    poisoned: set[str] = set()
    home = shard_of(f"tly_{POISON % 8}", len(TALLIES))
    for line in COUNTERS:
        for row in log_of(dsn, line):
            for event in row.commit["events"]:
                if event["amount"] == POISON:
                    poisoned.add(row.stream)
                there = shard_of(f"tly_{event['amount'] % 8}", len(TALLIES))
                if row.stream in poisoned and there == home:
                    waits.add((str(line), row.number))
    return waits


def in_upstream_order(dsn: str) -> None:
    """No line has counted a fact of a counter before an earlier one."""
    for line in TALLIES:
        reached: dict[str, int] = {}
        for row in log_of(dsn, line):
            counter = row.commit["events"][0]["counter"]
            number = row.commit["cause"]["number"]
            assert reached.get(counter, 0) < number
            reached[counter] = number


async def retried(broker: NatsBroker) -> bool:
    """Have both inboxes fed; whether both answered."""
    try:
        for line in TALLIES:
            answer = await broker.request(line.request("inbox-retry"), encode(RetryInbox()), 3.0)
            assert b"retried" in answer, answer
    except BrokerUnavailable:
        return False
    return True
