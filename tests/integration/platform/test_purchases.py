"""A late entry, an add-on and a rebuy through all services, judged by what they have recorded."""

import asyncio
import time
from typing import Any

import pytest

from services.cli.platform import Platform
from services.cli.verdicts import judge
from services.cli.verdicts.history import history_of
from shared.contracts.director import EntriesClosed, Purchase, RebuyGranted, TournamentFinished
from shared.contracts.table import ChipsAdded
from shared.contracts.wallet import BountyPaid
from tests.integration.gateway.guests import House, terms
from tests.integration.gateway.test_tournament import Regular, paid_out
from tests.integration.platform.watching import settled

STARTS_IN_MS = 6_000
MONEY_CENTS = 10_000
EXTRA = Purchase(fee_cents=500, commission_cents=50, chips=700, until_level=2, most=1)


class Keen(Regular):
    """Goes all-in once what it has asked for is there, and takes the first rebuy on offer."""

    tournament = ""
    waits = False
    bought: dict[str, Any] | None = None

    async def fact(self, fact: dict[str, Any]) -> None:
        event = fact["event"]
        own_turn = event["type"] == "table.turn-started.v1" and event["seat"] == self.seat
        if self.waits and own_turn:
            move = "fold" if event["call_chips"] else "check"
            await self.say(do=move, hand=self.hand, decision=event["decision"])
            return
        await super().fact(fact)
        if event["type"] == "director.rebuy-granted.v1" and event["player"] == self.player:
            self.waits = False
        if event["type"] == "director.rebuy-offered.v1" and event["player"] == self.player:
            answer = await self.http.post(f"/api/tournaments/{self.tournament}/rebuys")
            if self.bought is None:
                assert answer.status_code == 201, answer.text
                self.bought = answer.json()


@pytest.mark.timeout(120)
async def test_a_late_entry_an_add_on_and_a_rebuy_are_paid_and_played(platform: Platform):
    """BH-REBUY, PP-ENTRY: who loses all first buys again, with a new bounty; all is paid out."""
    chosen = terms(
        3,
        level_hands=20,
        start_at_ms=time.time_ns() // 1_000_000 + STARTS_IN_MS,
        late_levels=2,
        rebuy=EXTRA,
        add_on=EXTRA,
        bounty_cents=300,
        progressive=True,
    )
    async with House(platform.url("gateway"), platform.operator_token) as house:
        players = [await keen(house, name) for name in ("Ann", "Bob", "Cid")]
        ann, bob, cid = players
        tournament = await house.announce(chosen)
        path = f"/api/tournaments/{tournament}"
        for player in players:
            player.tournament = tournament
            await player.connect()
        for player in (ann, bob):
            assert (await player.http.post(f"{path}/entries")).status_code == 201
        assert (await ann.http.post(f"{path}/add-ons")).json()["reason"] == "not_running"
        await ann.until(lambda m: m.get("event", {}).get("type") == "director.level-began.v1")
        assert (await house.lobby(tournament))["late_until_level"] == 2
        late = await cid.http.post(f"{path}/entries")
        assert late.status_code == 201, late.text
        assert (await ann.http.post(f"{path}/add-ons")).status_code == 201
        again = await ann.http.post(f"{path}/add-ons")
        assert again.json()["reason"] in ("purchase_pending", "add_on_limit_reached")
        ann.waits = True
        await act_in_the_open_turn(players)
        async with asyncio.timeout(90):
            await asyncio.gather(*[player.play() for player in players])
            shown = await paid_out(house, tournament)
        for player in players:
            await player.close()
    assert any(player.bought for player in players)
    await judged(platform, shown)


async def keen(house: House, name: str) -> Keen:
    guest = await house.guest(name, cents=MONEY_CENTS)
    return Keen(house.url, guest.player, guest.token)


async def act_in_the_open_turn(players: list[Keen]) -> None:
    """Whoever listened already acts on what was told meanwhile."""
    for player in players:
        heard, player.heard = list(player.heard), []
        for message in heard:
            await player.take(message)


async def judged(platform: Platform, shown: dict[str, Any]) -> None:
    """Money and chips as the auditors add them up, and as the lobby shows them."""
    copies = await settled(platform)
    assert not [verdict for verdict in judge(copies) if not verdict.true]
    history = history_of({line: copy.rows for line, copy in copies.items()})
    director = [fact.event for fact in history.of("director")]
    granted = [event for event in director if isinstance(event, RebuyGranted)]
    assert {event.kind for event in granted} == {"rebuy", "add_on"}
    (closed,) = [event for event in director if isinstance(event, EntriesClosed)]
    (finished,) = [event for event in director if isinstance(event, TournamentFinished)]
    assert (closed.entries, closed.players) == (3, 3)
    assert closed.pool_cents == 3 * 1_000 + 500 * len(granted) == shown["pool_cents"]
    rebuys = sum(event.kind == "rebuy" for event in granted)
    bounties = [fact.event for fact in history.of("wallet") if isinstance(fact.event, BountyPaid)]
    assert sum(paid.amount_cents for paid in bounties) == 300 * (3 + rebuys)
    for_places = closed.pool_cents - 300 * (3 + rebuys)
    assert sum(placing.prize_cents for placing in finished.places) == for_places
    assert sum(place["prize_cents"] for place in shown["places"]) == for_places
    assert [fact for fact in history.of("table") if isinstance(fact.event, ChipsAdded)]
