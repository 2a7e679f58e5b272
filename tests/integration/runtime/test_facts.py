"""What stops a line of upstream facts and what does not; what is parked has tests of its own."""

import asyncio

import nats
import psycopg

from shared.runtime.ports import Line
from tests.integration.runtime.audit import facts_of, log_of
from tests.integration.runtime.conftest import COUNTERS, TALLIES
from tests.integration.runtime.counting import Add, WriteTexts
from tests.integration.runtime.feeding import commit_of, record
from tests.integration.runtime.running import Running, until
from tests.integration.runtime.verdict import all_counted


def all_facts(dsn: str) -> list[tuple[str, int]]:
    return [fact for line in TALLIES for fact in facts_of(log_of(dsn, line))]


async def test_types_that_are_not_routed_are_skipped_event_by_event(store_url, broker_url, client):
    added = b'{"type":"counter.added.v1","amount":3,"total":3,"later_field":[1]}'
    later = b'{"type":"counter.of-a-later-build.v9","anything":{}}'
    with (
        Running("counter", store_url, broker_url) as counter,
        Running("tally", store_url, broker_url) as tally,
    ):
        await counter.ready()
        await record(store_url, COUNTERS[1], commit_of(COUNTERS[1], "ctr_later", 1, later))
        mixed = commit_of(COUNTERS[1], "ctr_mixed", 1, later, added, later)
        number = await record(store_url, COUNTERS[1], mixed)
        await client.send("ctr_0", WriteTexts(count=1, characters=9))
        await client.send("ctr_0", Add(amount=5))
        await until(lambda: len(all_facts(store_url)) == 2)
        assert sorted(all_facts(store_url)) == [("counter-1", number), ("counter-1", number + 2)]
        await tally.ready()


async def test_a_commit_that_tells_nothing_stops_the_line_visibly(store_url, broker_url, client):
    with (
        Running("counter", store_url, broker_url) as counter,
        Running("tally", store_url, broker_url) as tally,
    ):
        await counter.ready()
        await client.send("ctr_0", Add(amount=1))
        bad = await record(store_url, COUNTERS[1], b"{}")
        await client.send("ctr_0", Add(amount=2))
        for line in TALLIES:
            reason = await tally.unready(f"follow counter-1 for {line}", "stopped")
            assert f"counter-1 {bad}: cannot be read" in reason
        # A restart changes nothing: it says so again, and nothing was skipped.
        tally.kill()
        tally.start()
        await tally.unready("follow counter-1 for tally-0", f"counter-1 {bad}: cannot be read")
        assert all_facts(store_url) == [("counter-1", 1)]


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
