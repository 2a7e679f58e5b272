"""A satellite with all services: who wins a ticket enters the target tournament with it."""

import msgspec

from services.cli.platform import Platform
from services.cli.verdicts import judge
from shared.contracts.director import Level, SatellitePrizes
from tests.integration.gateway.guests import Guest, House, terms
from tests.integration.platform.watching import all_paid, settled, until

ALL_IN = (Level(500, 500),)  # Nobody is connected: blinds alone decide.
WORTH_CENTS = 1_500
FINAL_PRICE_CENTS = 1_400


async def test_bh_satellite_tickets_enter_the_target_tournament(platform: Platform):
    """BH-SATELLITE: three for two tickets, and the two for the final."""
    async with House(platform.url("gateway"), platform.operator_token) as house:
        guests = [await house.guest(name) for name in ("Ann", "Bob", "Cat")]
        final = await house.announce(
            terms(2, levels=ALL_IN, fee_cents=FINAL_PRICE_CENTS, commission_cents=0)
        )
        prizes = SatellitePrizes(prize_cents=WORTH_CENTS, target=final)
        satellite = await house.started(guests, terms(3, levels=ALL_IN, prizes=prizes))
        lobby = await until(lambda: house.lobby(satellite), all_paid)
        (loser,) = [place["player"] for place in lobby["places"] if place["place"] == 3]
        for guest in sorted(guests, key=lambda guest: guest.player != loser):
            await enters(guest, final, satellite, wins=guest.player != loser)
        await nothing_leads_to(house, final)
        lobby = await until(lambda: house.lobby(final), all_paid)
        assert {place["player"] for place in lobby["places"]} == {
            guest.player for guest in guests if guest.player != loser
        }
        cash = {guest.player: (await me(guest))["cash_cents"] for guest in guests}
        rest = WORTH_CENTS - FINAL_PRICE_CENTS
        assert cash[loser] == 0
        assert sorted(cash.values()) == [0, rest, 2 * FINAL_PRICE_CENTS + rest]
    false = [verdict for verdict in judge(await settled(platform)) if not verdict.true]
    assert false == []


async def nothing_leads_to(house: House, target: str) -> None:
    """No satellite is announced any more for one that has begun."""
    late = terms(3, prizes=SatellitePrizes(prize_cents=WORTH_CENTS, target=target))
    body = {"terms": msgspec.to_builtins(late)}
    refused = await house.operator.post("/api/operator/tournaments", json=body)
    assert refused.status_code == 409, refused.text
    assert refused.json()["reason"] == "target_not_registering"


async def enters(guest: Guest, final: str, satellite: str, *, wins: bool) -> None:
    """Enter by one's own ticket; who has none is refused, with whoever's."""
    tickets = (await guest.http.get("/api/me/tickets")).json()
    path = f"/api/tournaments/{final}/entries"
    if not wins:
        assert tickets == []
        refused = await guest.http.post(path, params={"ticket": f"{satellite}/1"})
        assert (refused.status_code, refused.json()["reason"]) == (409, "not_your_ticket")
        return
    (ticket,) = tickets
    assert ticket["value_cents"] == WORTH_CENTS
    assert ticket["target"] == final
    entered = await guest.http.post(path, params={"ticket": ticket["ticket"]})
    assert entered.status_code == 201, entered.text
    assert (await guest.http.get("/api/me/tickets")).json() == []


async def me(guest: Guest):
    return (await guest.http.get("/api/me")).json()
