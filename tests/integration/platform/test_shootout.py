"""A heads-up bracket with a bye and bounties, with all services: the lobby tells the stage."""

from services.cli.platform import Platform
from services.cli.verdicts import judge
from shared.contracts.director import Level, Stage
from tests.integration.gateway.guests import House, terms
from tests.integration.platform.watching import all_paid, settled, until

ALL_IN = (Level(500, 500),)  # Nobody is connected: blinds alone decide.
STAGES = (Stage(seats=2), Stage(seats=2, stacks_chips=(500,)))
BOUNTY_CENTS = 300


async def test_bh_shootout_three_in_a_bracket(platform: Platform):
    """BH-SHOOTOUT: one has a bye; the other two meet, and the winner meets the third."""
    async with House(platform.url("gateway"), platform.operator_token) as house:
        guests = [await house.guest(name) for name in ("Ann", "Bob", "Cat")]
        bracket = terms(3, seats=2, levels=ALL_IN, stages=STAGES, bounty_cents=BOUNTY_CENTS)
        tournament = await house.started(guests, bracket)
        lobby = await until(lambda: house.lobby(tournament), all_paid)
        assert lobby["stage"] == 2
        assert [place["place"] for place in lobby["places"]] == [1, 2, 3]
        winner = lobby["places"][0]["player"]
        feed = (await house.anybody.get(f"/api/tournaments/{tournament}/feed")).json()["feed"]
        assert [told["stage"] for told in feed if told["what"] == "stage_ended"] == [1]
        bounties = [told for told in feed if told["what"] == "bounty"]
        assert sum(told["amount_cents"] for told in bounties) == 3 * BOUNTY_CENTS
        won = sum(told["amount_cents"] for told in bounties if told["player"] == winner)
        paid = 3 * (1_000 - BOUNTY_CENTS) + won
        (champion,) = [guest for guest in guests if guest.player == winner]
        await until(champion_cash(champion), lambda cents: cents == paid)
    false = [verdict for verdict in judge(await settled(platform)) if not verdict.true]
    assert false == []


def champion_cash(champion):
    async def cash() -> int:
        return (await champion.http.get("/api/me")).json()["cash_cents"]

    return cash
