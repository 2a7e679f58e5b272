"""Upstream facts that cannot be taken in stop their line, visibly, and nothing else."""

import asyncio

import nats
import psycopg

from shared.contracts.commit import Actor, Cause, Commit, encode
from shared.contracts.edge import Accepted
from shared.runtime.adapters.postgres import PostgresStore, Threads
from shared.runtime.ports import Line, NewCommit
from tests.integration.runtime.audit import events_of, facts_of, log_of
from tests.integration.runtime.conftest import COUNTERS, TALLIES
from tests.integration.runtime.counting import POISON, Add, WriteTexts
from tests.integration.runtime.running import Running, until
from tests.integration.runtime.verdict import all_counted


async def record(dsn: str, line: Line, stream: str, *events: bytes) -> int:
    """Write a commit into a log as a newer or a broken build would; return its number."""
    commit = Commit(
        stream=stream,
        n=1,
        at="2026-01-01T00:00:00.000Z",
        by=Actor("service", line.service),
        cause=Cause(timer="test"),
        saga=None,
        build="other",
        prev="",
        events=(),
    )
    data = encode(commit).replace(b'"events":[]', b'"events":[' + b",".join(events) + b"]")
    threads = Threads()
    store = PostgresStore(dsn, line, threads)
    number = await store.append([NewCommit(stream, 1, "m", data)])
    store.close()
    threads.close()
    return number


def reached(dsn: str, line: Line, upstream: Line) -> int:
    with psycopg.connect(dsn) as connection:
        found = connection.execute(
            f"SELECT reached FROM {line.service}_{line.shard}.positions WHERE upstream = %s",
            (str(upstream),),
        ).fetchone()
    return found[0] if found else 0


async def test_a_fact_that_cannot_be_decoded_stops_its_line_only(store_url, broker_url, client):
    with (
        Running("counter", store_url, broker_url) as counter,
        Running("tally", store_url, broker_url) as tally,
    ):
        await counter.ready()
        await client.load(8, 50)
        await all_counted(store_url)
        bad = await record(
            store_url, COUNTERS[1], "ctr_bad", b'{"type":"counter.added.v1","amount":"many"}'
        )
        reasons = [
            await tally.unready(f"follow counter-1 for {line}", "stopped") for line in TALLIES
        ]
        assert all(f"counter-1 {bad}: cannot be read" in reason for reason in reasons)
        before = sum(len(log_of(store_url, line)) for line in TALLIES)
        await client.load(8, 40)
        others = sum(
            len(events_of(log_of(store_url, line), "counter.added.v1")) for line in COUNTERS[:1]
        )
        await until(
            lambda: [facts["counter-0"] for facts in [counted_by_line(store_url)]] == [others]
        )
        assert sum(len(log_of(store_url, line)) for line in TALLIES) > before
        for line in TALLIES:
            assert reached(store_url, line, COUNTERS[1]) < bad
        # A restart changes nothing: it says so again, and nothing was skipped.
        tally.kill()
        tally.start()
        await tally.unready("follow counter-1 for tally-0", f"counter-1 {bad}: cannot be read")
        assert max(n for fact, n in all_facts(store_url) if fact == "counter-1") < bad
        assert isinstance(await client.send("ctr_0", Add(amount=1)), Accepted)


def all_facts(dsn: str) -> list[tuple[str, int]]:
    return [fact for line in TALLIES for fact in facts_of(log_of(dsn, line))]


def counted_by_line(dsn: str) -> dict[str, int]:
    facts = [fact for fact, _ in all_facts(dsn)]
    return {str(line): facts.count(str(line)) for line in COUNTERS}


async def test_facts_before_one_that_is_refused_stand(store_url, broker_url, client):
    with Running("counter", store_url, broker_url) as counter:
        await counter.ready()
        for amount in (8, 16, 24):
            await client.send("ctr_0", Add(amount=amount))
        await client.send("ctr_0", Add(amount=POISON))
        await client.send("ctr_0", Add(amount=32))
        with Running("tally", store_url, broker_url) as tally:
            home = POISON % 8
            await until(lambda: len(all_facts(store_url)) >= 3)
            reason = await until(lambda: stopped(tally))
            assert "counter-1 4: poisoned" in reason
            amounts = [
                event["amount"]
                for line in TALLIES
                for event in events_of(log_of(store_url, line), "tally.counted.v1")
            ]
            assert sorted(amounts) in ([8, 16, 24], [8, 16, 24, 32]), home
            assert POISON not in amounts


async def stopped(tally: Running) -> str:
    return " ".join((await tally.readyz())[1].values())


async def test_types_that_are_not_routed_are_skipped_event_by_event(store_url, broker_url, client):
    added = b'{"type":"counter.added.v1","amount":3,"total":3,"later_field":[1]}'
    later = b'{"type":"counter.of-a-later-build.v9","anything":{}}'
    with (
        Running("counter", store_url, broker_url) as counter,
        Running("tally", store_url, broker_url) as tally,
    ):
        await counter.ready()
        await record(store_url, COUNTERS[1], "ctr_later", later)
        number = await record(store_url, COUNTERS[1], "ctr_mixed", later, added, later)
        await client.send("ctr_0", WriteTexts(count=1, characters=9))
        await client.send("ctr_0", Add(amount=5))
        await until(lambda: len(all_facts(store_url)) == 2)
        assert sorted(all_facts(store_url)) == [("counter-1", number), ("counter-1", number + 2)]
        await tally.ready()


async def test_an_upstream_restored_from_an_older_backup_stops_the_line(
    store_url, broker_url, client
):
    with (
        Running("counter", store_url, broker_url) as counter,
        Running("tally", store_url, broker_url) as tally,
    ):
        await counter.ready()
        for amount in range(1, 30):
            await client.send("ctr_0", Add(amount=amount))
        await all_counted(store_url)
        counter.kill()
        await restore(store_url, broker_url, COUNTERS[1], upto=10)
        counter.start()
        reason = await tally.unready("follow counter-1 for tally-0", "stopped")
        assert "counter-1" in reason
        # Even grown beyond the position again it is another log.
        await asyncio.gather(*[client.send("ctr_0", Add(amount=9)) for _ in range(30)])
        tally.kill()
        tally.start()
        reason = await tally.unready("follow counter-1 for tally-0", "stopped")
        assert "has another commit" in reason
        assert len(all_facts(store_url)) == 29


async def restore(dsn: str, nats_url: str, line: Line, upto: int) -> None:
    """Take a log back to an earlier number, and its stream with it."""
    with psycopg.connect(dsn) as connection:
        connection.execute(
            f"DELETE FROM {line.service}_{line.shard}.commits WHERE notification_id > %s", (upto,)
        )
    admin = await nats.connect(nats_url)
    await admin.jetstream().delete_stream(line.stream)
    await admin.close()
