"""Operators cancel, pause and resume: over HTTP and from the command line, with real refunds."""

import asyncio
import time
from collections.abc import AsyncIterator, Callable
from pathlib import Path
from typing import Any

import msgspec
import pytest

from services.cli.tournament import command
from services.cli.tournament.desk import Desk
from services.cli.tournament.file import read
from shared.contracts.commit import decode
from tests.integration.gateway.guests import PRICE_CENTS, Guest, House, Message, terms

SECONDS = 10
WHY = {"reason": "the hall burns"}


@pytest.fixture
def desk(platform) -> Desk:
    return Desk(platform.url("gateway"), platform.home / "operator.token")


async def entered(house: House, tournament: str, name: str) -> Guest:
    guest = await house.guest(name)
    await guest.connect()
    answer = await guest.http.post(f"/api/tournaments/{tournament}/entries")
    assert answer.status_code == 201, answer.text
    return guest


async def asked(house: House, tournament: str, act: str, **request: Any) -> Any:
    path = f"/api/operator/tournaments/{tournament}/{act}"
    return await house.operator.post(path, **request)


async def until(look: Callable[[], Any], wanted: Callable[[Any], bool]) -> Any:
    """Look again and again, until it is as wanted."""
    async with asyncio.timeout(SECONDS):
        while True:
            found = await look()
            if wanted(found):
                return found
            await asyncio.sleep(0.02)


async def cash_of(guest: Guest) -> int:
    return int((await guest.http.get("/api/me")).json()["cash_cents"])


# --- cancelled: PP-CRASH-REG ----------------------------------------------------------------------


async def test_pp_crash_reg_cancelled_everybody_has_the_whole_price_again(house, desk, capsys):
    """PP-CRASH-REG: commission included, whatever leaving would have cost."""
    tournament = await house.announce(terms(3, cancellation_charge=5_000))
    guests = [await entered(house, tournament, name) for name in ("Ann", "Bob")]
    assert [await cash_of(guest) for guest in guests] == [0, 0]
    cancel = asyncio.to_thread(command.cancel, tournament, reason=WHY["reason"], desk=desk)
    assert await cancel == 0
    assert capsys.readouterr().out == f"{tournament}: cancellation recorded\n"
    for guest in guests:
        told = await guest.event("tournament-cancelled")
        assert (told["author"], told["reason"]) == ("operator", WHY["reason"])
        assert (await guest.event("player-unregistered"))["refund_cents"] == PRICE_CENTS
        await until(lambda guest=guest: cash_of(guest), lambda cents: cents == PRICE_CENTS)
    shown = await house.lobby(tournament)
    assert (shown["status"], shown["cancelled_because"]) == ("cancelled", WHY["reason"])
    assert (shown["entries"], shown["pool_cents"], shown["collected_cents"]) == ([], 0, 0)
    await nothing_is_left_of(house, tournament)
    await guests[0].hang_up()
    assert (await guests[0].connect())["tournaments"] == []
    refused = await guests[0].http.post(f"/api/tournaments/{tournament}/entries")
    assert (refused.status_code, refused.json()["reason"]) == (409, "not_registering")


async def nothing_is_left_of(house: House, tournament: str) -> None:
    """The pool is empty, and the books are balanced."""
    asked_for = {"prefix": f"pool/{tournament}"}
    pools = (await house.operator.get("/api/operator/balances", params=asked_for)).json()
    assert [pool["balance_cents"] for pool in pools["balances"]] in ([], [0])
    assert (await house.operator.get("/api/operator/trial-balance")).json()["sum_cents"] == 0


async def test_cancelled_again_it_stays_as_it_was(house):
    tournament = await house.announce(terms(3))
    answer = await asked(house, tournament, "cancellation", json={"reason": "one"})
    assert (answer.status_code, answer.json()["status"]) == (200, "cancelled")
    again = await asked(house, tournament, "cancellation", json={"reason": "another"})
    assert (again.status_code, again.json()["reason"]) == (409, "already_cancelled")
    assert (await house.lobby(tournament))["cancelled_because"] == "one"


async def test_bh_mtt_with_too_few_players_it_is_cancelled_at_its_time(house):
    """BH-MTT: nobody has to do anything, and the reason is shown."""
    at_ms = time.time_ns() // 1_000_000 + 500
    tournament = await house.announce(terms(3, start_at_ms=at_ms, entries_min=2))
    ended = await until(
        lambda: house.lobby(tournament), lambda shown: shown["status"] == "cancelled"
    )
    assert ended["cancelled_because"] == "too few players"


# --- paused ---------------------------------------------------------------------------------------


async def test_paused_the_hand_ends_and_no_other_begins_until_it_is_resumed(house, table, stores):
    paused = await asked(house, table.tournament, "pause", json=WHY)
    assert (paused.status_code, paused.json()["paused"]) == (200, True)
    assert (await house.lobby(table.tournament))["paused"]["reason"] == WHY["reason"]
    assert (await table.act(table.actor, "fold")).status_code == 200
    await table.actor.event("hand-digested")
    resumed = await asked(house, table.tournament, "resumption")
    assert (resumed.status_code, resumed.json()["paused"]) == (200, False)
    assert (await house.lobby(table.tournament))["paused"] is None
    await table.actor.event("hand-started")
    kinds = [kind async for kind in facts_of(stores, table.tournament)]
    since = kinds.index("tournament-paused"), kinds.index("tournament-resumed")
    assert kinds[since[0] : since[1] + 2] == [
        *("tournament-paused", "hand-digested", "tournament-resumed", "hand-cleared")
    ]


async def facts_of(stores, tournament: str) -> AsyncIterator[str]:
    """Yield what the director recorded of a tournament, in order."""
    for store in stores:
        for row in await store.read_stream(tournament):
            for event in decode(row.data).events:
                yield str(msgspec.json.decode(event)["type"]).split(".")[1]


async def test_from_the_command_line_it_is_the_same(table, desk, house, capsys):
    pause = asyncio.to_thread(command.pause, table.tournament, reason="lunch", desk=desk)
    assert await pause == 0
    assert (await house.lobby(table.tournament))["paused"]["reason"] == "lunch"
    assert await asyncio.to_thread(command.resume, table.tournament, desk=desk) == 0
    assert (await house.lobby(table.tournament))["paused"] is None
    cancel = asyncio.to_thread(command.cancel, table.tournament, reason="x", desk=desk)
    assert await cancel == 0
    assert await asyncio.to_thread(command.resume, table.tournament, desk=desk) == 1
    told = capsys.readouterr()
    assert told.out.count("recorded\n") == 3
    assert told.err == "rollforward: refused: cancelling\n"


# --- announced from a file ------------------------------------------------------------------------


async def test_a_template_is_announced_as_it_is_written(house, desk, tmp_path: Path, capsys):
    command.template("turbo")
    file = tmp_path / "turbo.toml"
    file.write_text(capsys.readouterr().out)
    assert await asyncio.to_thread(command.create, file, desk=desk) == 0
    shown: Message = await house.lobby(capsys.readouterr().out.strip())
    assert shown["terms"] == msgspec.json.decode(msgspec.json.encode(read(file).terms))
    assert shown["rule_set"]["name"] == shown["terms"]["rule_set"] == "tda"


async def test_pp_lobby_the_start_and_the_guarantee_are_shown_before_anyone_pays(house):
    """PP-LOBBY, BH-MTT."""
    at_ms = time.time_ns() // 1_000_000 + 3_600_000
    tournament = await house.announce(terms(3, start_at_ms=at_ms, guarantee_cents=50_000))
    shown = await house.lobby(tournament)
    assert (shown["collected_cents"], shown["pool_cents"]) == (0, 50_000)
    assert shown["terms"]["start_at_ms"] == at_ms
    (line,) = [
        line
        for line in (await house.anybody.get("/api/tournaments")).json()["tournaments"]
        if line["tournament"] == tournament
    ]
    assert (line["start_at_ms"], line["pool_cents"], line["paused"]) == (at_ms, 50_000, False)


# --- refused --------------------------------------------------------------------------------------

REFUSED = [
    # act, body, status, reason
    ("cancellation", {}, 400, "malformed"),
    ("cancellation", {"reason": 7}, 400, "malformed"),
    ("cancellation", {**WHY, "author": "somebody else"}, 400, "malformed"),
    ("cancellation", {"reason": ""}, 422, "reason_invalid"),
    ("cancellation", {"reason": "x" * 1_001}, 422, "reason_invalid"),
    ("pause", {"reason": ""}, 422, "reason_invalid"),
    ("pause", WHY, 409, "not_running"),
    ("resumption", {}, 409, "not_running"),
]


@pytest.mark.parametrize(("act", "body", "status", "reason"), REFUSED)
async def test_what_makes_no_sense_is_refused_and_changes_nothing(house, act, body, status, reason):
    tournament = await house.announce(terms(3))
    answer = await asked(house, tournament, act, json=body)
    assert (answer.status_code, answer.json()["reason"]) == (status, reason)
    shown = await house.lobby(tournament)
    assert (shown["status"], shown["paused"]) == ("announced", None)


@pytest.mark.parametrize("tournament", ["trn_1", f"trn_{'0' * 26}", "x"])
@pytest.mark.parametrize("act", ["cancellation", "pause", "resumption"])
async def test_a_tournament_nobody_announced_is_unknown(house, tournament, act):
    answer = await asked(house, tournament, act, json={} if act == "resumption" else WHY)
    assert (answer.status_code, answer.json()["reason"]) == (404, "unknown_tournament")


async def test_a_running_tournament_stands_still_until_a_second_operator_approves(house, table):
    """Nobody is paid by the first one's word."""
    answer = await asked(house, table.tournament, "cancellation", json=WHY)
    assert (answer.status_code, answer.json()["status"]) == (200, "running")
    shown = await house.lobby(table.tournament)
    assert (shown["cancelling"], shown["paused"]["reason"]) == (True, WHY["reason"])
    assert (shown["pool_cents"], len(shown["entries"])) == (2_000, 2)
    await table.actor.event("sheet-final")
    assert await cash_of(table.actor) == 0
