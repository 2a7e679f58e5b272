"""The lobby and entries (PP-LOBBY, PP-ENTRY): one answer for a flow through three services."""

import asyncio
import time

from tests.integration.gateway.guests import PRICE_CENTS, House, Message, terms


async def test_an_announced_tournament_shows_its_terms(house):
    tournament = await house.announce(terms(3, name="Evening"))
    shown = await house.lobby(tournament)
    assert (shown["status"], shown["pool_cents"], shown["entries"]) == ("announced", 0, [])
    assert shown["terms"]["name"] == "Evening"
    assert shown["price_cents"] == PRICE_CENTS
    listed = (await house.anybody.get("/api/tournaments")).json()["tournaments"]
    assert listed[0] == {
        "tournament": tournament,
        "name": "Evening",
        "status": "announced",
        "paused": False,
        "start_at_ms": 0,
        "late_until_level": 0,
        "entries": 0,
        "entries_max": 3,
        "price_cents": PRICE_CENTS,
        "pool_cents": 0,
        "players_left": 0,
        "rating_min": 0,
        "rating_max": 0,
        "series": "",
        "series_stage": 0,
    }


async def test_an_entry_is_paid_at_once_and_shown(house, guest):
    tournament = await house.announce(terms(3))
    answer = await guest.http.post(f"/api/tournaments/{tournament}/entries")
    assert answer.status_code == 201
    entry = answer.json()["entry"]
    shown = await house.lobby(tournament)
    (listed,) = shown["entries"]
    assert (listed["player"], listed["name"], listed["entry"]) == (guest.player, "Ann", entry)
    assert shown["pool_cents"] == 1_000
    assert (await guest.http.get("/api/me")).json()["cash_cents"] == 0


async def test_leaving_before_the_start_gives_the_price_back(house, guest):
    tournament = await house.announce(terms(3))
    path = f"/api/tournaments/{tournament}/entries"
    entry = (await guest.http.post(path)).json()["entry"]
    left = await guest.http.delete(path)
    assert (left.status_code, left.json()) == (200, {"entry": entry, "refund_cents": PRICE_CENTS})
    assert (await house.lobby(tournament))["entries"] == []
    again = await guest.http.post(path)
    assert again.status_code == 201, "the refund pays the next entry"


async def test_an_entry_that_cannot_be_paid_is_refused_with_the_wallets_reason(house):
    poor = await house.guest("Ann", cents=PRICE_CENTS - 1)
    tournament = await house.announce(terms(3))
    answer = await poor.http.post(f"/api/tournaments/{tournament}/entries")
    assert (answer.status_code, answer.json()["reason"]) == (409, "insufficient_funds")
    assert (await house.lobby(tournament))["entries"] == []


async def test_a_player_who_is_not_identified_is_refused(house):
    stranger = await house.stranger("Ann")
    tournament = await house.announce(terms(3))
    answer = await stranger.http.post(f"/api/tournaments/{tournament}/entries")
    assert (answer.status_code, answer.json()["reason"]) == (409, "not_identified")


async def test_entering_twice_and_leaving_without_an_entry_are_refused(house, guest):
    tournament = await house.announce(terms(3))
    path = f"/api/tournaments/{tournament}/entries"
    assert (await guest.http.delete(path)).json()["reason"] == "not_registered"
    assert (await guest.http.post(path)).status_code == 201
    again = await guest.http.post(path)
    assert (again.status_code, again.json()["reason"]) == (409, "already_registered")


async def test_who_is_too_many_waits_and_comes_in_when_somebody_leaves(house, guest):
    evening_ms = time.time_ns() // 1_000_000 + 3_600_000
    tournament = await house.announce(terms(2, start_at_ms=evening_ms))
    path = f"/api/tournaments/{tournament}/entries"
    others = [await house.guest(name) for name in ("Bob", "Cid", "Dan")]
    answers = [await one.http.post(path) for one in (guest, *others)]
    assert [answer.status_code for answer in answers] == [201] * 4
    assert [answer.json() for answer in answers[2:]] == [{"position": 1}, {"position": 2}]
    again = await others[2].http.post(path)
    assert (again.status_code, again.json()["reason"]) == (409, "already_waiting")
    assert (await others[1].http.delete(path)).json() == {"entry": "", "refund_cents": 0}
    waiting = (await house.lobby(tournament))["waiting"]
    assert [(one["position"], one["name"]) for one in waiting] == [(1, "Dan")]
    assert (await others[2].http.get("/api/me")).json()["cash_cents"] == PRICE_CENTS
    assert (await guest.http.delete(path)).status_code == 200
    async with asyncio.timeout(10):
        shown = await with_entries(house, tournament, 2)
    assert [one["name"] for one in shown["entries"]] == ["Bob", "Dan"]
    assert shown["waiting"] == []


async def with_entries(house: House, tournament: str, count: int) -> Message:
    while True:
        shown = await house.lobby(tournament)
        if len(shown["entries"]) == count:
            return shown
        await asyncio.sleep(0.05)


async def test_a_tournament_nobody_announced_is_unknown(house, guest):
    for path in ("/api/tournaments/trn_1/entries", f"/api/tournaments/trn_{'0' * 26}/entries"):
        answer = await guest.http.post(path)
        assert (answer.status_code, answer.json()["reason"]) == (404, "unknown_tournament")
    answer = await house.anybody.get("/api/tournaments/trn_1")
    assert (answer.status_code, answer.json()["reason"]) == (404, "unknown_tournament")
