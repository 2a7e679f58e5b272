"""Two gateways side by side: either serves everybody, and nobody pays for the end of one."""

import asyncio
import os
import subprocess
import sys
import time
import uuid
from collections.abc import AsyncIterator, Iterator
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import psycopg
import pytest
from psycopg.conninfo import make_conninfo
from psycopg.sql import SQL, Identifier
from websockets.exceptions import ConnectionClosed

from services.cli.platform import Platform
from services.cli.status.judging import wrongs
from services.cli.status.reading import read
from shared.contracts.commit import decode, decode_type
from shared.contracts.hand import ClockExtended, PlayerFolded
from shared.contracts.table import PlayerWentOut
from shared.runtime.adapters.engines import nats_server
from shared.runtime.adapters.postgres import PostgresStore
from shared.runtime.adapters.reading import patient_stores
from shared.runtime.reacting import DECODERS
from tests.integration.gateway.guests import Guest, House, terms

STAYS, GOES = "gateway", "gateway-2"
LEASE_TTL_S = 2
ACTION_MS = 5_000
RECONNECT_MS = 7_000
SETTINGS = {
    "ROLLFORWARD_LEASE_TTL_S": str(LEASE_TTL_S),
    "ROLLFORWARD_GATEWAY_ABSENT_MS": "1000",
    "ROLLFORWARD_GATEWAY_RECONNECT_MS": str(RECONNECT_MS),
}


@pytest.fixture(scope="module")
def platform(postgres_url) -> Iterator[Platform]:
    name = f"gateways_{uuid.uuid4().hex}"
    with psycopg.connect(postgres_url, autocommit=True) as connection:
        connection.execute(SQL("create database {}").format(Identifier(name)))
    dsn = make_conninfo(postgres_url, dbname=name)
    with (
        TemporaryDirectory(prefix="rollforward-gateways-") as home,
        nats_server() as nats_url,
        Platform(dsn, nats_url, Path(home), SETTINGS, {"gateway": 2}) as started,
    ):
        started.start()
        yield started


@pytest.fixture(scope="module")
def stores(platform) -> Iterator[list[PostgresStore]]:
    with patient_stores(platform.settings.database_url, platform.lines) as stores:
        yield list(stores.values())


@pytest.fixture
async def house(platform) -> AsyncIterator[House]:
    async with House(platform.url(STAYS), platform.operator_token) as house:
        yield house


@pytest.fixture
async def elsewhere(platform) -> AsyncIterator[House]:
    async with House(platform.url(GOES), platform.operator_token) as house:
        yield house


async def test_what_is_done_at_one_gateway_is_seen_at_the_other(house, elsewhere):
    guest = await house.guest("Ann")
    tournament = await house.announce(terms(3))
    account = await elsewhere.anybody.get("/api/me", headers=guest.http.headers)
    assert account.json()["cash_cents"] > 0
    there = Guest(elsewhere.url, guest.player, guest.token)
    answer = await there.http.post(f"/api/tournaments/{tournament}/entries")
    assert answer.status_code == 201, answer.text
    await entered(house, tournament)
    await there.close()


async def entered(house: House, tournament: str) -> None:
    """Look at the lobby until somebody has entered."""
    async with asyncio.timeout(5):
        while True:
            if (await house.lobby(tournament))["entries"]:
                return
            await asyncio.sleep(0.05)


async def test_sockets_at_both_gateways_get_the_own_cards(house, elsewhere):
    table = await house.table_of_two()
    second = Guest(elsewhere.url, table.actor.player, table.actor.token)
    await second.connect()
    assert await own_cards(second) == await own_cards(table.actor, table.actor.heard)
    await second.say(**table.move("fold"))
    await table.other.event("hand-ended")
    await second.close()


async def own_cards(guest: Guest, heard: Any = ()) -> Any:
    for message in heard:
        if "own_cards" in message:
            return message["own_cards"]
    return await guest.until(lambda message: message.get("own_cards"))


async def test_status_shows_every_gateway_that_is_there(platform):
    report = await read(platform.settings.nats_url)
    assert sorted(report.members["gateway"]) == [STAYS, GOES]
    assert not [what for what in wrongs(report, 0) if "gateway" in what]


async def test_a_gateway_of_another_platform_does_not_start(platform):
    environ = {
        **os.environ,
        "NATS_URL": platform.settings.nats_url,
        "ROLLFORWARD_GATEWAY_TOKEN_SECRET": "of the other platform",
        "ROLLFORWARD_TABLE_SHARDS": "8",
        "ROLLFORWARD_INSTANCE": "gateway-8",
    }
    command = [sys.executable, "-m", "services.gateway"]
    ended = await asyncio.to_thread(
        subprocess.run,
        command,
        env=environ,
        capture_output=True,
        text=True,
        timeout=30,
        check=False,
    )
    assert ended.returncode == 2
    assert "gateway: the settings say 8 shards for table, deployment dep_" in ended.stderr
    assert ended.stderr.strip().endswith("has 4")


async def test_the_clocks_of_those_whose_gateway_is_killed_wait_for_them(house, platform, stores):
    """One comes back after the time to act, one stays away, and a third hears of nothing."""
    url = platform.url(GOES)
    tables = [house.table_of_two(url, action_ms=ACTION_MS) for _ in range(2)]
    back, away = await asyncio.gather(*tables)
    began = time.monotonic()
    for table in (back, away):
        await table.other.hang_up()
        table.other.go_to(house.url)
        await table.other.connect()
    await asyncio.to_thread(platform.kill, GOES)
    for table in (back, away):
        with pytest.raises(ConnectionClosed):
            await table.actor.event("nothing")
    await asyncio.sleep(began + ACTION_MS / 1000 + 1 - time.monotonic())
    back.actor.go_to(house.url)
    await back.actor.connect()
    shown = await back.actor.until(lambda message: message.get("snapshot"))
    assert shown["facts"][-1]["event"]["type"] == "table.clock-extended.v1"
    assert not any(seat["out"] for seat in shown["seats"])
    await back.actor.say(**back.move("call"))
    assert (await back.actor.answer())["answer"] == "accepted"
    facts = await facts_of(stores, back.table)
    assert {fact.decision for fact in facts if isinstance(fact, ClockExtended)} == {back.decision}
    assert {fact.outage for fact in facts if isinstance(fact, ClockExtended)} == {"player"}
    await away.other.event("player-folded")
    assert time.monotonic() - began > RECONNECT_MS / 1000
    platform.spawn(GOES)
    await asyncio.to_thread(platform.wait_ready)


async def facts_of(stores: list[PostgresStore], stream: str) -> list[Any]:
    found = [row for store in stores for row in await store.read_stream(stream)]
    events = [raw for row in found for raw in decode(row.data).events]
    return [DECODERS[decode_type(raw).type](raw) for raw in events]


async def test_the_end_of_a_gateway_in_good_order_takes_no_time_from_its_players(house, platform):
    table = await house.table_of_two(platform.url(GOES), action_ms=ACTION_MS)
    await table.other.hang_up()
    table.other.go_to(house.url)
    await table.other.connect()
    ending = asyncio.create_task(asyncio.to_thread(platform.end, GOES))
    with pytest.raises(ConnectionClosed) as closed:
        await table.actor.event("nothing")
    assert closed.value.rcvd.code == 1012
    extended = await table.other.event("clock-extended")
    assert (extended["decision"], extended["outage"]) == (table.decision, "player")
    table.actor.go_to(house.url)
    await table.actor.connect()
    assert (await table.act(table.actor, "call")).status_code == 200
    await ending


def wait_for(platform: Platform, process: str) -> None:
    while platform.reasons(process):
        time.sleep(0.05)


async def test_no_clock_runs_while_no_gateway_is_there(house, platform, stores):
    """The other one has gone in the test before."""
    table = await house.table_of_two(action_ms=3_000)
    await asyncio.to_thread(platform.kill, STAYS)
    await asyncio.sleep(5)
    report = await read(platform.settings.nats_url)
    assert "no gateway is there: the clocks of players stand still" in wrongs(report, 0)
    platform.spawn(STAYS)
    await asyncio.to_thread(wait_for, platform, STAYS)
    await table.actor.connect()
    await table.other.connect()
    shown = await table.actor.until(lambda message: message.get("snapshot"))
    if shown["facts"][-1]["event"]["type"] != "table.clock-extended.v1":
        await table.actor.event("clock-extended")
    await table.actor.say(**table.move("call"))
    assert (await table.actor.answer())["answer"] == "accepted"
    facts = await facts_of(stores, table.table)
    assert not [fact for fact in facts if isinstance(fact, (PlayerFolded, PlayerWentOut))]
    assert sum(fact.by_ms for fact in facts if isinstance(fact, ClockExtended)) > 4_500
