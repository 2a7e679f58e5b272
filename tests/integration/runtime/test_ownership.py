"""Processes that share the lines of a service: they come and go, and no command notices."""

import asyncio
import json
import os
import signal
import time

import psycopg
import pytest

from services.cli.platform import Platform
from services.cli.status.command import status
from services.cli.status.judging import wrongs
from services.cli.status.reading import Report, read
from shared.runtime.adapters.deployment import migrate
from shared.runtime.adapters.engines import NatsServer, nats_server
from shared.runtime.adapters.leases import read_shared
from shared.runtime.adapters.nats import connect
from shared.runtime.ports import StartRefused
from tests.integration.runtime.audit import events_of, log_of
from tests.integration.runtime.conftest import COUNTERS, TALLIES, client_at
from tests.integration.runtime.counting import Add, Remind
from tests.integration.runtime.running import Running, until
from tests.integration.runtime.verdict import all_is_exact

# Of counter-0 and counter-1, `b` and `a` have one each; `c` takes over from `b`.
FIRST, SECOND, THIRD = "b", "a", "c"
SERVICES = ("counter", "tally")
TTL_S = 2
TABLES = ["table", "table-2", "table-2", "table"]


async def holders(nats_url: str) -> dict[int, str]:
    """Who holds the leases of the counter's lines."""
    client = await connect(nats_url, "test")
    try:
        return dict((await read_shared(client, "counter")).holders)
    finally:
        await client.close()


async def held(nats_url: str, zero: str, one: str) -> None:
    """Wait until these two hold the counter's two lines."""

    async def so() -> bool:
        return await holders(nats_url) == {0: zero, 1: one}

    await until(so)


async def more(client) -> None:
    """Wait until commands of every counter line have been accepted from now on."""
    done = [client.send(f"ctr_{number}", Add(amount=1)) for number in range(8)]
    await asyncio.gather(*done)


async def test_told_to_stop_it_gives_its_lines_back_and_the_other_goes_on(
    store_url, broker_url, client
):
    with (
        Running("counter", store_url, broker_url, instance=FIRST) as one,
        Running("counter", store_url, broker_url, instance=SECOND) as other,
        Running("tally", store_url, broker_url) as tally,
    ):
        for process in (one, other, tally):
            await process.ready()
        assert await holders(broker_url) == {0: FIRST, 1: SECOND}
        load = asyncio.create_task(client.load(8, 10_000))
        await more(client)
        assert await asyncio.to_thread(one.stop) == 0
        assert FIRST not in (await holders(broker_url)).values()
        await more(client)
        assert await holders(broker_url) == {0: SECOND, 1: SECOND}
        client.enough = True
        await load
        assert "lease_lost" not in one.log.read_text()
        await all_is_exact(store_url, broker_url, client)


async def test_processes_come_and_go_under_load_and_every_command_counts_once(
    store_url, broker_url, client
):
    with (
        Running("counter", store_url, broker_url, instance=FIRST, lease_ttl_s=TTL_S) as first,
        Running("tally", store_url, broker_url, instance="x") as tally,
    ):
        await first.ready()
        await held(broker_url, FIRST, FIRST)
        load = asyncio.create_task(client.load(8, 10_000))
        with (
            Running("counter", store_url, broker_url, instance=SECOND, lease_ttl_s=TTL_S) as second,
            Running("counter", store_url, broker_url, instance=THIRD, lease_ttl_s=TTL_S) as third,
            Running("tally", store_url, broker_url, instance="y"),
        ):
            await held(broker_url, THIRD, SECOND)
            for process in (first, second, third, tally):
                await process.ready()
            await more(client)
            second.kill()
            await until(lambda: third_has_all(broker_url))
            await more(client)
            assert await asyncio.to_thread(third.stop) == 0
            await held(broker_url, FIRST, FIRST)
            await more(client)
            client.enough = True
            await load
        await all_is_exact(store_url, broker_url, client)


async def third_has_all(nats_url: str) -> bool:
    found = await holders(nats_url)
    return len(found) == 2 and SECOND not in found.values()


async def test_a_frozen_owner_that_wakes_late_changes_nothing(store_url, broker_url, client):
    with (
        Running("counter", store_url, broker_url, instance=FIRST, lease_ttl_s=TTL_S) as one,
        Running("counter", store_url, broker_url, instance=SECOND, lease_ttl_s=TTL_S) as other,
        Running("tally", store_url, broker_url) as tally,
    ):
        for process in (one, other, tally):
            await process.ready()
        load = asyncio.create_task(client.load(8, 10_000))
        await more(client)
        os.kill(one.child.pid, signal.SIGSTOP)
        await held(broker_url, SECOND, SECOND)
        await more(client)
        os.kill(one.child.pid, signal.SIGCONT)
        await held(broker_url, FIRST, SECOND)
        await one.ready()
        await more(client)
        client.enough = True
        await load
        assert "lease_lost" in one.log.read_text()
        await all_is_exact(store_url, broker_url, client)


async def test_a_process_started_under_a_name_in_use_takes_its_place(store_url, broker_url, client):
    with Running("counter", store_url, broker_url, instance=FIRST) as older:
        await older.ready()
        with Running("counter", store_url, broker_url, instance=FIRST) as younger:
            await until(lambda: older.child.poll() is not None)
            assert older.child.returncode == 2
            assert f"counter: another process is called {FIRST} too" in older.log.read_text()
            await younger.ready()
            await more(client)


async def test_no_timer_fires_while_the_broker_is_away(store_url):
    with NatsServer() as server:
        client, broker = await client_at(server.url)
        with Running("counter", store_url, server.url, lease_ttl_s=60) as counter:
            await counter.ready()
            due_ms = time.time_ns() // 1_000_000 + 1_500
            await client.send("ctr_1", Remind(due_ms=due_ms))
            await asyncio.to_thread(server.stop)
            await counter.unready("nats", "disconnected")
            await asyncio.sleep(2.0)
            assert reminded(store_url) == 0
            await asyncio.to_thread(server.start)
            await until(lambda: reminded(store_url) == 1)
        await broker._client.close()


def reminded(dsn: str) -> int:
    rows = [row for line in COUNTERS for row in log_of(dsn, line)]
    return len(events_of(rows, "counter.reminded.v1"))


async def test_another_number_of_shards_refuses_to_start(store_url, broker_url):
    with Running("counter", store_url, broker_url, counter_shards=3) as counter:
        assert await asyncio.to_thread(counter.child.wait, 20) == 2
        assert (
            "counter: the settings say 3 shards for counter, the database was made for 2;"
            in counter.log.read_text()
        )
    with pytest.raises(StartRefused, match="3 shards for counter"):
        migrate(store_url, [*COUNTERS, COUNTERS[0]])
    migrate(store_url, [*COUNTERS, *TALLIES])


async def test_the_leases_of_another_deployment_refuse_the_start(store_url, broker_url):
    with Running("counter", store_url, broker_url, instance=FIRST) as ours:
        await ours.ready()
        with psycopg.connect(store_url, autocommit=True) as connection:
            before = connection.execute("UPDATE platform.deployment SET id = 'dep_x'").rowcount
        assert before == 1
        with Running("counter", store_url, broker_url, instance=SECOND) as other:
            assert await asyncio.to_thread(other.child.wait, 20) == 2
            said = other.log.read_text()
            assert "counter: the leases on this NATS belong to deployment dep_" in said
            assert "the database to deployment dep_x" in said
        assert await ours.readyz() == (200, {})


async def test_a_database_without_a_platform_is_waited_for_in_sight(dsn, broker_url):
    with Running("counter", dsn, broker_url) as counter:
        await counter.unready("database", "the migrate step has not been run")
        migrate(dsn, COUNTERS)
        await counter.ready()


async def test_status_says_who_owns_what_and_what_is_wrong(store_url, broker_url, client):
    with (
        Running("counter", store_url, broker_url, instance=FIRST) as counter,
        Running("tally", store_url, broker_url, instance="x") as tally,
    ):
        await counter.ready()
        await tally.ready()
        await client.load(8, 20)
        await client.send("ctr_1", Remind(due_ms=time.time_ns() // 1_000_000 + 60_000))

        async def all_read() -> Report | None:
            report = await read(broker_url, SERVICES)
            read_up = all(set(line.behind.values()) <= {0} for line in report.lines)
            relayed = all(line.status.relay_lag == 0 for line in report.lines)
            return report if read_up and relayed else None

        report = await until(all_read)
        assert wrongs(report, time.time_ns() // 1_000_000) == ()
        assert report.members == {"counter": (FIRST,), "tally": ("x",)}
        assert [(line.line, line.holder) for line in report.lines] == [
            ("counter-0", FIRST),
            ("counter-1", FIRST),
            ("tally-0", "x"),
            ("tally-1", "x"),
        ]
        logs = {str(line): log_of(store_url, line) for line in (*COUNTERS, *TALLIES)}
        assert {line.line: line.status.last for line in report.lines} == {
            name: len(rows) for name, rows in logs.items()
        }
        assert sum(line.status.live for line in report.lines) == 1
        assert set(report.lines[2].behind) == {"counter-0", "counter-1"}
        tally.kill()
        wrong = wrongs(await read(broker_url, SERVICES), 0)
        assert "tally-0: nobody answers for it" in wrong


async def test_a_platform_with_two_table_processes_and_its_status(dsn, tmp_path, capsys):
    """Of four lines `table` and `table-2` have two each."""

    async def told(code: int) -> dict[str, str] | None:
        if await asyncio.to_thread(status, json=True, nats_url=nats_url) != code:
            return None
        lines = json.loads(capsys.readouterr().out.splitlines()[-1])["lines"]
        return {line["line"]: line["holder"] for line in lines}

    with (
        nats_server() as nats_url,
        Platform(dsn, nats_url, tmp_path, processes={"table": 2}) as platform,
    ):
        await asyncio.to_thread(platform.start)
        holders = await told(0)
        assert {line: holder for line, holder in holders.items() if "table" not in line} == {
            line: line.removesuffix("-0")
            for line in ("director-0", "wallet-0", "dealer-0", "ranking-0")
        }
        tables = [holder for line, holder in holders.items() if "table" in line]
        assert tables == TABLES
        platform.kill("table-2")
        assert await told(1) == holders
        assert platform.fallen() == ("table-2",)
        after = await until(lambda: told(0))
        assert [holder for line, holder in after.items() if "table" in line] == ["table"] * 4
