"""Ratings, leader boards and ranges of ratings (PP-SKILL, PP-LEVELGATE), as players see them."""

import asyncio
import time

import msgspec

from tests.integration.gateway.guests import PRICE_CENTS, Guest, House, terms
from tests.integration.gateway.test_tournament import paid_out, regulars
from tests.integration.runtime.running import until


def this_month() -> str:
    return time.strftime("%Y-%m", time.gmtime())


async def test_everybody_may_read_a_rating_and_a_newcomer_has_one(house, guest):
    answer = await house.anybody.get(f"/api/players/{guest.player}/rating")
    assert answer.status_code == 200
    assert answer.json() == {
        "player": guest.player,
        "name": "Ann",
        "rating": 150,
        "skill": "beginner",
        "tournaments": 0,
    }


async def test_what_is_no_player_or_no_period_is_refused(house):
    for path, reason in (
        ("/api/players/journal/rating", "player_id_invalid"),
        ("/api/players/ply_X/rating", "player_id_invalid"),
        ("/api/rankings/november", "period_invalid"),
        ("/api/rankings/2026-13", "period_invalid"),
    ):
        answer = await house.anybody.get(path)
        assert (answer.status_code, answer.json()["reason"]) == (422, reason)
    answer = await house.anybody.get("/api/rankings/2026?limit=many")
    assert (answer.status_code, answer.json()["reason"]) == (400, "malformed")


async def test_a_board_of_nobody_is_empty(house):
    answer = await house.anybody.get("/api/rankings/1999?after=-1&limit=1000000")
    assert answer.status_code == 200
    assert (answer.json()["lines"], answer.json()["next_after"]) == ([], None)


async def test_a_played_tournament_is_on_the_boards_and_in_the_ratings(house):
    players = await regulars(house)
    for player in players:
        await player.connect()
    tournament = await house.started(list(players), terms(len(players)))
    async with asyncio.timeout(30):
        await asyncio.gather(*[player.play() for player in players])
        places = (await paid_out(house, tournament))["places"]
        ratings = [await rated(house, place["player"]) for place in places]
    assert ratings == sorted(ratings, reverse=True)
    assert ratings[0] > 150 > ratings[-1]
    for period in (this_month(), this_month()[:4]):
        board = (await house.anybody.get(f"/api/rankings/{period}?limit=500")).json()
        told = {line["player"]: (line["points"], line["name"]) for line in board["lines"]}
        assert [told[place["player"]] for place in places] == [
            (points, place["name"]) for points, place in zip((73, 22, 0), places, strict=True)
        ]


async def rated(house: House, player: str) -> int:
    """Wait until the tournament has become a rating."""
    while True:
        view = (await house.anybody.get(f"/api/players/{player}/rating")).json()
        if view["tournaments"]:
            return int(view["rating"])
        await asyncio.sleep(0.05)


async def test_a_range_is_in_the_lobby_and_turns_away_with_the_money_given_back(house, guest):
    tournament = await house.announce(terms(3, rating_min=251, rating_max=500))
    shown = await house.lobby(tournament)
    assert (shown["terms"]["rating_min"], shown["terms"]["rating_max"]) == (251, 500)
    listed = (await house.anybody.get("/api/tournaments")).json()["tournaments"][0]
    assert (listed["rating_min"], listed["rating_max"]) == (251, 500)
    answer = await guest.http.post(f"/api/tournaments/{tournament}/entries")
    assert (answer.status_code, answer.json()["reason"]) == (409, "rating_too_low")
    assert (await house.lobby(tournament))["entries"] == []
    await until(lambda: has_all_back(guest))


async def has_all_back(guest: Guest) -> bool:
    return (await guest.http.get("/api/me")).json()["cash_cents"] == PRICE_CENTS


async def test_who_is_in_the_range_enters(house, guest):
    tournament = await house.announce(terms(3, rating_max=250))
    answer = await guest.http.post(f"/api/tournaments/{tournament}/entries")
    assert answer.status_code == 201
    (listed,) = (await house.lobby(tournament))["entries"]
    assert listed["player"] == guest.player


async def test_a_range_that_admits_nobody_is_no_terms(house):
    body = {"terms": msgspec.to_builtins(terms(3, rating_min=500, rating_max=300))}
    refused = await house.operator.post("/api/operator/tournaments", json=body)
    assert (refused.status_code, refused.json()["reason"]) == (422, "terms_invalid")
