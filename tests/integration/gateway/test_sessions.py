"""Players at a table: own cards, several sessions, coming in the middle, Out and Back (PP-OUT)."""

import msgspec
from websockets.asyncio.client import connect

from tests.integration.gateway.guests import Guest, new_command_id


def own_cards(message):
    return message.get("own_cards")


async def test_own_cards_go_to_their_player_only(table):
    cards = {}
    for guest in (table.actor, table.other):
        cards[guest.player] = next(filter(None, map(own_cards, guest.heard)), None) or (
            await guest.until(own_cards)
        )
    assert {own["hand"] for own in cards.values()} == {table.hand}
    assert len({card for own in cards.values() for card in own["cards"]}) == 4
    seats = {own["seat"] for own in cards.values()}
    assert len(seats) == 2


async def test_who_comes_in_the_middle_of_a_hand_can_act(house, table):
    again = Guest(house.url, table.actor.player, table.actor.token)
    try:
        welcome = await again.connect()
        assert (welcome["tournaments"], welcome["tables"]) == ([table.tournament], [table.table])
        snapshot = await again.until(lambda message: message.get("snapshot"))
        assert (snapshot["table"], snapshot["hand"]) == (table.table, table.hand)
        assert {seat["player"] for seat in snapshot["seats"]} == {
            table.actor.player,
            table.other.player,
        }
        last = snapshot["facts"][-1]
        assert last["event"]["type"] == "table.turn-started.v1"
        assert (last["stream"], last["n"]) == (table.table, snapshot["n"])
        own = await again.until(own_cards)
        await again.say(**table.move("call"))
        assert (await again.answer())["answer"] == "accepted"
        called = await table.other.event("player-called")
        assert called["seat"] == own["seat"]
    finally:
        await again.close()


async def test_all_sessions_of_a_player_hear_the_same(house, table):
    second = Guest(house.url, table.other.player, table.other.token)
    try:
        await second.connect()
        first_cards = next(filter(None, map(own_cards, table.other.heard)), None) or (
            await table.other.until(own_cards)
        )
        assert await second.until(own_cards) == first_cards
        assert (await table.act(table.actor, "call")).status_code == 200
        assert await second.event("player-called") == await table.other.event("player-called")
    finally:
        await second.close()


async def test_a_resync_tells_tables_and_cards_once_more(table):
    heard = len(table.actor.heard)
    await table.actor.say(do="resync")
    snapshot = await table.actor.until(lambda message: message.get("snapshot"))
    assert snapshot["hand"] == table.hand
    await table.actor.until(own_cards)
    assert len(table.actor.heard) > heard


async def test_a_move_over_the_socket_is_answered_by_its_id(table):
    await table.actor.say(**table.move("raise", to_chips=40), id=(command_id := new_command_id()))
    answer = await table.actor.answer()
    assert (answer["re"], answer["answer"], answer["stream"]) == (
        command_id,
        "accepted",
        table.table,
    )
    await table.actor.say(**table.move("raise", to_chips=40), id=command_id)
    assert await table.actor.answer() == answer
    raised = await table.other.event("player-raised")
    assert raised["to_chips"] == 40


async def test_pp_out_connection_lost_is_out_and_connected_again_is_back(table):
    await table.other.hang_up()
    went_out = await table.actor.event("player-went-out")
    assert went_out["player"] == table.other.player
    await table.other.connect()
    came_back = await table.actor.event("player-came-back")
    assert came_back["player"] == table.other.player


async def test_pp_out_who_chose_to_be_out_stays_out(table):
    path = f"/api/tables/{table.table}"
    assert (await table.other.http.post(f"{path}/out")).status_code == 200
    await table.actor.event("player-went-out")
    await table.other.hang_up()
    await table.other.connect()
    snapshot = await table.other.until(lambda message: message.get("snapshot"))
    assert [seat["player"] for seat in snapshot["seats"] if seat["out"]] == [table.other.player]
    assert (await table.other.http.post(f"{path}/back")).status_code == 200
    await table.actor.event("player-came-back")
    types = [message.get("event", {}).get("type") for message in table.actor.heard]
    assert types.count("table.player-came-back.v1") == 1


async def test_frames_of_lines_hold_the_same_messages(house, table):
    url = house.url.replace("http", "ws", 1) + "/api/play?frames=lines"
    header = {"Authorization": f"Bearer {table.actor.token}"}
    async with connect(url, additional_headers=header) as socket:
        frame = await socket.recv()
        names = [next(iter(msgspec.json.decode(line))) for line in frame.splitlines()]
        assert names[:2] == ["welcome", "snapshot"]
