"""A deal through the gateway: offered, read in the lobby, agreed, paid."""

import asyncio

from shared.contracts.director import WinnersPrizes

PRIZES = WinnersPrizes((7_000, 3_000))


async def test_two_players_share_what_is_left(house):
    table = await house.table_of_two(deals=True, prizes=PRIZES)
    path = f"/api/tournaments/{table.tournament}/deal"
    offered = await table.actor.http.post(path, json={"method": "icm"})
    assert offered.status_code == 200, offered.text
    assert offered.json()["deal"]["offered_by"] == table.actor.player
    again = await table.other.http.post(path, json={"method": "chips"})
    assert (again.status_code, again.json()["reason"]) == (409, "deal_open")
    early = await table.other.http.post(f"{path}/answer", json={"agree": True})
    assert (early.status_code, early.json()["reason"]) == (409, "no_deal")
    assert (await table.act(table.actor, "fold")).status_code == 200
    await table.other.event("deal-proposed")
    for guest in (table.actor, table.other):
        answered = await guest.http.post(f"{path}/answer", json={"agree": True})
        assert answered.status_code == 200, answered.text
    lobby = await paid(house, table.tournament)
    assert lobby["deal"] is None
    assert sum(place["prize_cents"] for place in lobby["places"]) == 2_000
    assert all(place["prize_cents"] > 600 for place in lobby["places"])


async def test_a_deal_is_refused_where_the_terms_have_none(house):
    table = await house.table_of_two()
    path = f"/api/tournaments/{table.tournament}/deal"
    refused = await table.actor.http.post(path, json={"method": "icm"})
    assert (refused.status_code, refused.json()["reason"]) == (409, "no_deals")
    malformed = await table.actor.http.post(path, json={"method": "by_guess"})
    assert malformed.status_code == 400


async def paid(house, tournament):
    """Wait until all prizes are paid."""
    async with asyncio.timeout(10):
        while True:
            lobby = await house.lobby(tournament)
            places = lobby["places"]
            if len(places) == 2 and all(place["paid"] for place in places):
                return lobby
            await asyncio.sleep(0.05)
