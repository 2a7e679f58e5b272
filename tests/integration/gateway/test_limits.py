"""BP-RESPONSIBLE over HTTP: limits, self-exclusion, and session time through real services."""

import time

import pytest

from tests.integration.gateway.guests import PRICE_CENTS, terms

DAY_MS = 24 * 60 * 60 * 1000


def limit(kind, window, amount):
    return {"kind": kind, "window": window, "amount": amount}


async def set_limit(guest, kind, window, amount):
    answer = await guest.http.put("/api/me/limits", json=limit(kind, window, amount))
    assert answer.status_code == 200, answer.text
    return answer.json()


async def enter(house, guest):
    tournament = await house.announce(terms(3))
    return await guest.http.post(f"/api/tournaments/{tournament}/entries")


async def test_who_has_set_nothing_sees_so(guest):
    answer = await guest.http.get("/api/me/limits")
    assert (answer.status_code, answer.json()) == (
        200,
        {"player": guest.player, "limits": [], "excluded": False, "excluded_until_ms": None},
    )


async def test_a_limit_is_lowered_at_once_and_raised_later(guest):
    await set_limit(guest, "stake", "day", 5_000)
    (lowered,) = (await set_limit(guest, "stake", "day", 2_000))["limits"]
    assert (lowered["amount"], lowered["raise_from_ms"]) == (2_000, None)
    (waiting,) = (await set_limit(guest, "stake", "day", 9_000))["limits"]
    assert (waiting["amount"], waiting["raise_to"]) == (2_000, 9_000)
    assert waiting["raise_from_ms"] > time.time_ns() // 1_000_000
    assert (await guest.http.get("/api/me/limits")).json()["limits"] == [waiting]


async def test_what_was_staked_is_shown_and_more_is_refused(house):
    guest = await house.guest("Ann", cents=2 * PRICE_CENTS)
    await set_limit(guest, "stake", "month", 2 * PRICE_CENTS - 1)
    assert (await enter(house, guest)).status_code == 201
    (shown,) = (await guest.http.get("/api/me/limits")).json()["limits"]
    assert shown["used"] == PRICE_CENTS
    assert shown["from_ms"] <= time.time_ns() // 1_000_000 < shown["to_ms"]
    refused = await enter(house, guest)
    assert (refused.status_code, refused.json()["reason"]) == (409, "stake_limit_reached")


async def test_a_deposit_over_the_limit_is_refused(house, guest):
    await set_limit(guest, "deposit", "week", 1_000)
    path = f"/api/operator/players/{guest.player}/deposits"
    answer = await house.operator.post(
        path, json={"amount_cents": 1_001, "reference": f"more/{guest.player}"}
    )
    assert (answer.status_code, answer.json()["reason"]) == (409, "deposit_limit_reached")


async def test_who_stays_away_enters_nothing_and_cannot_come_back_earlier(house, guest):
    until_ms = time.time_ns() // 1_000_000 + 30 * DAY_MS
    path = "/api/me/self-exclusion"
    view = (await guest.http.post(path, json={"until_ms": until_ms})).json()
    assert (view["excluded"], view["excluded_until_ms"]) == (True, until_ms)
    again = await guest.http.post(path, json={"until_ms": until_ms})
    assert again.status_code == 200
    shorter = await guest.http.post(path, json={"until_ms": until_ms - DAY_MS})
    assert (shorter.status_code, shorter.json()["reason"]) == (409, "already_excluded_longer")
    entry = await enter(house, guest)
    assert (entry.status_code, entry.json()["reason"]) == (409, "self_excluded")
    for_good = (await guest.http.post(path, json={"until_ms": None})).json()
    assert (for_good["excluded"], for_good["excluded_until_ms"]) == (True, None)


async def test_a_seat_that_was_bought_is_played_under_self_exclusion(table):
    guest = table.actor
    answer = await guest.http.post("/api/me/self-exclusion", json={"until_ms": None})
    assert answer.status_code == 200
    assert (await table.act(guest, "fold")).status_code == 200


async def test_connected_time_counts_and_the_player_hears_when_it_is_up(house, guest):
    await set_limit(guest, "session", "day", 1)
    await guest.connect()
    reached = await guest.until(lambda message: message.get("limit_reached"))
    assert (reached["kind"], reached["window"], reached["amount"]) == ("session", "day", 1)
    entry = await enter(house, guest)
    assert (entry.status_code, entry.json()["reason"]) == (409, "session_limit_reached")


BAD_LIMITS = [
    (limit("stake", "day", -1), 422, "limit_invalid"),
    (limit("stake", "day", 2**53), 422, "limit_invalid"),
    (limit("stake", "day", 2**70), 400, "malformed"),
    (limit("stake", "day", "5"), 400, "malformed"),
    (limit("stake", "day", 1.5), 400, "malformed"),
    (limit("stake", "year", 5), 400, "malformed"),
    (limit("mood", "day", 5), 400, "malformed"),
    ({"kind": "stake", "window": "day"}, 400, "malformed"),
    ({**limit("stake", "day", 5), "player": "ply_other"}, 400, "malformed"),
]


@pytest.mark.parametrize(("body", "status", "reason"), BAD_LIMITS)
async def test_nonsense_is_refused(guest, body, status, reason):
    answer = await guest.http.put("/api/me/limits", json=body)
    assert (answer.status_code, answer.json()["reason"]) == (status, reason)


BAD_ENDS = [
    ({}, 400, "malformed"),
    ({"until_ms": "tomorrow"}, 400, "malformed"),
    ({"until_ms": 1_000}, 422, "until_in_the_past"),
    ({"until_ms": 2**53}, 422, "until_too_far"),
]


@pytest.mark.parametrize(("body", "status", "reason"), BAD_ENDS)
async def test_an_exclusion_says_how_long(guest, body, status, reason):
    answer = await guest.http.post("/api/me/self-exclusion", json=body)
    assert (answer.status_code, answer.json()["reason"]) == (status, reason)
