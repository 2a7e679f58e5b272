"""A running tournament given up over HTTP and from the command line: sheet, approval, payouts."""

import asyncio
import csv
from collections.abc import AsyncIterator
from typing import Any

import httpx
import msgspec
import pytest

from services.cli.tournament import command, interrupted
from services.cli.tournament.desk import Desk
from tests.integration.gateway.guests import Guest, House, Message, client, terms

SECONDS = 10
WHY = {"reason": "the hall <burns>"}


@pytest.fixture
def desk(platform) -> Desk:
    return Desk(platform.url("gateway"), platform.home / "operator.token")


@pytest.fixture
def second_desk(platform) -> Desk:
    return Desk(platform.url("gateway"), platform.home / "second-operator.token")


@pytest.fixture
async def second(platform) -> AsyncIterator[httpx.AsyncClient]:
    """The second operator."""
    async with client(platform.url("gateway"), platform.second_token) as second:
        yield second


def path(tournament: str, act: str) -> str:
    return f"/api/operator/tournaments/{tournament}/{act}"


async def sheet_of(house: House, tournament: str) -> Message:
    answer = await house.operator.get(path(tournament, "sheet"))
    assert answer.status_code == 200, answer.text
    return dict(answer.json())


async def final(house: House, tournament: str) -> Message:
    """Wait until every table has halted."""
    async with asyncio.timeout(SECONDS):
        while True:
            sheet = await sheet_of(house, tournament)
            if sheet["final"]:
                return sheet
            await asyncio.sleep(0.02)


async def cash_of(guest: Guest) -> int:
    return int((await guest.http.get("/api/me")).json()["cash_cents"])


async def paid(guest: Guest, cents: int) -> None:
    async with asyncio.timeout(SECONDS):
        while True:
            if await cash_of(guest) == cents:
                return
            await asyncio.sleep(0.02)


async def test_given_up_approved_by_another_operator_and_paid_once(house, second, table):
    """BH-RF1: no prize is won; everybody gets the price of the entry, the operator adds to it."""
    name = table.tournament
    preview = await sheet_of(house, name)
    assert (preview["stage"], preview["players"], preview["opened_by"]) == ("preview", 2, "")
    answer = await house.operator.post(path(name, "cancellation"), json=WHY)
    assert answer.status_code == 200, answer.text
    sheet = await final(house, name)
    assert (sheet["opened_by"], sheet["reason"]) == ("operator", WHY["reason"])
    assert [line["total_cents"] for line in sheet["lines"]] == [1_100, 1_100]
    assert sheet["operator_top_up_cents"] == 200

    approval = {"sheet_hash": sheet["sheet_hash"]}
    same = await house.operator.post(path(name, "sheet/approval"), json=approval)
    assert (same.status_code, same.json()["reason"]) == (409, "same_operator")
    other = await second.post(path(name, "sheet/approval"), json={"sheet_hash": "0" * 64})
    assert (other.status_code, other.json()["reason"]) == (409, "other_sheet")
    for _ in range(2):
        done = await second.post(path(name, "sheet/approval"), json=approval)
        assert (done.status_code, done.json()["status"]) == (200, "cancelled")
    for guest in (table.actor, table.other):
        await paid(guest, 1_100)
    approved = await sheet_of(house, name)
    assert (approved["stage"], approved["lines"]) == ("approved", sheet["lines"])


async def test_the_sheet_as_a_table_and_as_a_page_to_print(house, table):
    name = table.tournament
    sheet = await sheet_of(house, name)
    answer = await house.operator.get(path(name, "sheet.csv"))
    assert answer.headers["content-type"].startswith("text/csv")
    rows = list(csv.DictReader(answer.text.splitlines()))
    assert [row["player"] for row in rows] == [line["player"] for line in sheet["lines"]]
    assert [int(row["total_cents"]) for row in rows] == [1_100, 1_100]
    await house.operator.post(path(name, "cancellation"), json=WHY)
    await final(house, name)
    page = (await house.operator.get(path(name, "sheet.html"))).text
    assert "the hall &lt;burns&gt;" in page
    assert (await sheet_of(house, name))["sheet_hash"] in page
    assert "11.00" in page
    for never in ("http", "//", "<script", "src=", "href="):
        assert never not in page


async def test_withdrawn_the_hand_is_played_anew(house, table):
    name = table.tournament
    await house.operator.post(path(name, "cancellation"), json=WHY)
    await final(house, name)
    answer = await house.operator.post(path(name, "cancellation/withdrawal"), json=WHY)
    assert (answer.status_code, answer.json()["status"]) == (200, "running")
    started = await table.actor.event("hand-started")
    assert started["hand"] != table.hand
    assert (await sheet_of(house, name))["stage"] == "preview"


async def test_from_the_command_line(house, desk, second_desk, table, capsys):
    name = table.tournament

    async def said(run: Any, *words: Any, **more: Any) -> str:
        assert await asyncio.to_thread(run, *words, **more) == 0
        return str(capsys.readouterr().out)

    shown = await said(command.cancel, name, reason="fire", preview=True, desk=desk)
    assert "preview" in shown
    assert (await sheet_of(house, name))["stage"] == "preview"
    await said(command.cancel, name, reason="fire", desk=desk)
    sheet = await final(house, name)
    document = msgspec.json.decode(await said(interrupted.sheet, name, output="json", desk=desk))
    assert document["sheet_hash"] == sheet["sheet_hash"]
    assert [line["entry_cents"] for line in document["players"]] == [1_100, 1_100]
    assert len((await said(interrupted.sheet, name, output="csv", desk=desk)).split()) == 3
    refused = await asyncio.to_thread(interrupted.approve, name, sheet["sheet_hash"], desk=desk)
    assert (refused, "same_operator" in capsys.readouterr().err) == (1, True)
    await said(interrupted.approve, name, sheet["sheet_hash"], desk=second_desk)
    for guest in (table.actor, table.other):
        await paid(guest, 1_100)


async def test_the_same_sheet_from_the_log_alone(house, platform, table, capsys, monkeypatch):
    name = table.tournament
    await house.operator.post(path(name, "cancellation"), json=WHY)
    sheet = await final(house, name)
    monkeypatch.setenv("DATABASE_URL", platform.settings.database_url)
    code = await asyncio.to_thread(interrupted.sheet, name, output="json", from_log=True)
    found = msgspec.json.decode(capsys.readouterr().out)
    assert (code, found["stage"], found["sheet_hash"]) == (0, "final", sheet["sheet_hash"])
    gone = await asyncio.to_thread(interrupted.sheet, "trn_nobody", from_log=True)
    assert (gone, "unknown_tournament" in capsys.readouterr().err) == (1, True)


@pytest.mark.parametrize(
    ("act", "body", "status", "reason"),
    [
        ("sheet/approval", {"sheet_hash": "x"}, 409, "not_cancelling"),
        ("sheet/approval", {"sheet_hash": "x" * 65}, 400, "malformed"),
        ("sheet/approval", {}, 400, "malformed"),
        ("sheet/approval", {"sheet_hash": "x", "author": "me"}, 400, "malformed"),
        ("cancellation/withdrawal", WHY, 409, "not_cancelling"),
        ("cancellation", {"reason": ""}, 422, "reason_invalid"),
        ("tables/tbl_x/left-out", WHY, 409, "not_cancelling"),
    ],
)
async def test_bad_input_changes_nothing(house, table, written, act, body, status, reason):
    await written.begin()
    answer = await house.operator.post(path(table.tournament, act), json=body)
    assert (answer.status_code, answer.json()["reason"]) == (status, reason)
    assert await written.by_people() == []


@pytest.mark.parametrize("name", ["trn_nobody", "x", "journal"])
async def test_an_unknown_tournament_has_no_sheet(house, name):
    answer = await house.operator.get(path(name, "sheet"))
    assert (answer.status_code, answer.json()["reason"]) == (404, "unknown_tournament")


async def test_a_tournament_that_has_not_begun_has_no_sheet_and_players_read_none(house):
    name = await house.announce(terms())
    answer = await house.operator.get(path(name, "sheet"))
    assert (answer.status_code, answer.json()["reason"]) == (409, "not_running")
    guest = await house.guest("Ann")
    for act in ("sheet", "sheet.csv", "sheet.html"):
        assert (await guest.http.get(path(name, act))).status_code == 403
        assert (await house.anybody.get(path(name, act))).status_code == 401


async def test_a_table_left_out_is_not_waited_for_and_forbids_a_withdrawal(house, table):
    name = table.tournament
    await house.operator.post(path(name, "cancellation"), json=WHY)
    await final(house, name)
    nowhere = await house.operator.post(path(name, "tables/tbl_x/left-out"), json=WHY)
    assert (nowhere.status_code, nowhere.json()["reason"]) == (404, "unknown_table")
    again = await house.operator.post(path(name, f"tables/{table.table}/left-out"), json=WHY)
    assert again.status_code == 200, "it has halted: nothing to leave out"
    assert (await sheet_of(house, name))["left_out"] == []
