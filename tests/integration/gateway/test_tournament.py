"""A whole Sit & Go through the public API, by scripted players, over a gateway that dies once."""

import asyncio
from typing import Any

import pytest
from websockets.exceptions import ConnectionClosed

from services.cli.deal.command import exported
from services.cli.deal.file import export_of
from services.cli.deal.judging import findings
from tests.integration.gateway.guests import Guest, House, Message, terms

PLAYERS = 3
HAND_STARTED = "table.hand-started.v1"


class Regular(Guest):
    """Raises all-in or calls; sees only what the socket brings."""

    hand = ""
    seat = 0

    async def play(self) -> None:
        """Act whenever it is the own turn, until the tournament has finished."""
        finished = False
        while not finished:
            finished = await self.take(await self.hear())

    async def take(self, message: Message) -> bool:
        for fact in message.get("snapshot", {}).get("facts", ()):
            await self.fact(fact)
        if "event" in message:
            await self.fact(message)
        return message.get("event", {}).get("type") == "director.tournament-finished.v1"

    async def fact(self, fact: Message) -> None:
        event: dict[str, Any] = fact["event"]
        if event["type"] == "table.hand-started.v1":
            self.hand = event["hand"]
            mine = [seat["seat"] for seat in event["seats"] if seat["player"] == self.player]
            self.seat = mine[0] if mine else 0
        elif event["type"] == "table.turn-started.v1" and event["seat"] == self.seat:
            move: dict[str, Any] = {"do": "call"} if event["call_chips"] else {"do": "check"}
            if event["max_raise_to"]:
                move = {"do": "raise", "to_chips": event["max_raise_to"]}
            await self.say(**move, hand=self.hand, decision=event["decision"])


async def regulars(house: House) -> list[Regular]:
    guests = [await house.guest(name) for name in ("Ann", "Bob", "Cid")]
    return [Regular(house.url, guest.player, guest.token) for guest in guests]


async def test_a_sit_and_go_from_registration_to_the_paid_prizes(house, platform):
    players = await regulars(house)
    for player in players:
        await player.connect()
    tournament = await house.started(list(players), terms(PLAYERS))
    async with asyncio.timeout(30):
        await asyncio.gather(*[player.play() for player in players])
        shown = await paid_out(house, tournament)
    assert (shown["status"], shown["players_left"], shown["tables"]) == ("finished", 1, [])
    assert [place["place"] for place in shown["places"]] == [1, 2, 3]
    assert [place["prize_cents"] for place in shown["places"]] == [3_000, 0, 0]
    winner = next(p for p in players if p.player == shown["places"][0]["player"])
    assert (await winner.http.get("/api/me")).json()["cash_cents"] == 3_000
    await told_in_the_feed(house, tournament, shown)
    await checked_at_home(players, tournament, platform.settings.database_url)
    for player in players:
        await player.close()
    nothing_hidden_came_out(players)
    log = platform.log("gateway").read_text()
    for secret in (*[player.token for player in players], platform.operator_token):
        assert secret not in log
    assert "own_cards" not in log


async def told_in_the_feed(house: House, tournament: str, shown: Message) -> None:
    """Read page by page, the feed tells all that happened, and where everybody came."""
    path, after, feed = f"/api/tournaments/{tournament}/feed", 0, []
    while page := (await house.operator.get(path, params={"after": after, "limit": 3})).json():
        feed += page["feed"]
        if page["number"] == after:
            break
        after = page["number"]
    whole = (await house.operator.get(path, params={"limit": 1_000})).json()
    assert feed == whole["feed"]
    assert (feed[0]["what"], feed[-1]["what"], whole["forgotten"]) == (
        "announced",
        "finished",
        False,
    )
    out = {entry["player"]: entry["place"] for entry in feed if entry["what"] == "eliminated"}
    assert out == {place["player"]: place["place"] for place in shown["places"][1:]}


async def test_standings_fit_together_and_are_read_in_parts(house, table):
    path = f"/api/tournaments/{table.tournament}/standings"
    whole = (await house.operator.get(path)).json()
    stacks = [held["stack_chips"] for held in whole["standings"]]
    assert whole["players_left"] == len(stacks) == 2
    assert whole["chips"] == sum(stacks) == 2 * whole["average_chips"]
    assert {held["rank"] for held in whole["standings"]} == {1}
    assert {held["name"] for held in whole["standings"]} == {"Ann", "Bob"}
    second = (await house.operator.get(path, params={"offset": 1, "limit": 1})).json()
    assert second["standings"] == whole["standings"][1:]
    for wrong in ({"offset": -1}, {"limit": 0}, {"limit": 1_001}, {"limit": "many"}):
        assert (await house.operator.get(path, params=wrong)).status_code == 400
    unknown = await house.operator.get("/api/tournaments/trn_nothing/standings")
    assert (unknown.status_code, unknown.json()["reason"]) == (404, "unknown_tournament")


async def checked_at_home(players: list[Regular], tournament: str, database_url: str) -> None:
    """Every hand and every draw can be taken home by a player, and is right there.

    An operator takes the same bytes out of the database.
    """
    started = [m["event"] for p in players for m in p.heard if event_type(m) == HAND_STARTED]
    paths = {hand: f"/api/hands/{hand}/proof" for hand in {event["hand"] for event in started}}
    taken: dict[str, bytes] = {}
    for what, path in {**paths, tournament: f"/api/tournaments/{tournament}/draws"}.items():
        answer = await players[0].http.get(path)
        assert answer.status_code == 200
        assert answer.headers["content-type"].startswith("application/x-ndjson")
        found = findings(export_of(answer.content.splitlines()))
        assert found
        assert all(finding.right for finding in found), found
        taken[what] = answer.content
        assert await exported(database_url, what) == answer.content.splitlines()
    whole = await exported(database_url, tournament, hands=True)
    assert sorted(whole) == sorted(line for one in taken.values() for line in one.splitlines())
    assert all(finding.right for finding in findings(export_of(whole)))


def event_type(message: Message) -> str:
    return str(message.get("event", {}).get("type", ""))


async def paid_out(house: House, tournament: str) -> Message:
    """Look at the lobby until all prizes are paid."""
    while True:
        shown = await house.lobby(tournament)
        if paid(shown):
            return shown
        await asyncio.sleep(0.05)


def paid(lobby: Message) -> bool:
    return lobby["status"] == "finished" and all(
        place["paid"] for place in lobby["places"] if place["prize_cents"]
    )


def nothing_hidden_came_out(players: list[Regular]) -> None:
    """Each heard of own cards only, the same as were shown, and nobody heard another's."""
    for player in players:
        seats: dict[str, int] = {}
        shown: dict[tuple[str, int], list[str]] = {}
        hand = ""
        for message in player.heard:
            event = message.get("event", {})
            if event.get("type") == "table.hand-started.v1":
                hand = event["hand"]
                for seat in event["seats"]:
                    if seat["player"] == player.player:
                        seats[hand] = seat["seat"]
            elif event.get("type") == "table.hand-shown.v1":
                shown[hand, event["seat"]] = event["cards"]
        own = [message["own_cards"] for message in player.heard if "own_cards" in message]
        assert own
        for cards in own:
            assert cards["seat"] == seats[cards["hand"]]
            key = (cards["hand"], cards["seat"])
            assert shown.get(key, cards["cards"]) == cards["cards"]


async def test_a_gateway_that_dies_tells_the_same_afterwards(house, platform, table):
    before = await shown_of(house, table.tournament)
    platform.kill("gateway")
    with pytest.raises(ConnectionClosed):
        await table.actor.event("nothing")
    platform.spawn("gateway")
    await asyncio.to_thread(platform.wait_ready)
    assert await shown_of(house, table.tournament) == before
    await table.actor.connect()
    await table.other.connect()
    snapshot = await table.actor.until(lambda message: message.get("snapshot"))
    assert snapshot["hand"] == table.hand
    await table.actor.say(**table.move("fold"))
    assert (await table.actor.answer())["answer"] == "accepted"
    await table.other.event("hand-ended")


async def shown_of(house: House, tournament: str) -> Message:
    """Read the lobby without how far other tournaments are."""
    return {key: value for key, value in (await house.lobby(tournament)).items() if key != "as_of"}
