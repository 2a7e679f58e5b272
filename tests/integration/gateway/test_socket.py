"""The socket: who gets in, what nonsense gets as an answer, and what is too much."""

from contextlib import AsyncExitStack

import msgspec
import pytest
from websockets.asyncio.client import connect
from websockets.exceptions import ConnectionClosed, InvalidStatus

from services.gateway.shell.play import SESSIONS_MAX

MALFORMED = [
    "",
    "{",
    "[]",
    "null",
    "\x00",
    "[" * 4_000,
    '{"do": "cheat"}',
    '{"do": "fold"}',
    '{"do": "fold", "hand": "hnd_1", "decision": "1"}',
    '{"do": "fold", "hand": "hnd_1", "decision": 1, "player": "ply_1"}',
    '{"do": "raise", "hand": "hnd_1", "decision": 1, "to_chips": 1e400}',
    '{"do": "raise", "hand": "hnd_1", "decision": 1, "to_chips": 99999999999999999999}',
    '{"do": "say", "text": 5}',
    '{"do": "hide"}',
    '{"token": "again"}',
]
REFUSED = [
    ('{"do": "fold", "hand": "hnd_1", "decision": 1}', "unknown_hand"),
    ('{"do": "fold", "table": "tbl_1", "hand": "hnd_1", "decision": 1}', "unknown_hand"),
    ('{"do": "fold", "table": "trn_1", "hand": "hnd_1", "decision": 1}', "unknown_table"),
    ('{"do": "say", "text": "hello"}', "not_seated"),
    ('{"do": "say", "table": "tbl_1", "text": "hello"}', "not_seated"),
    ('{"do": "say", "table": "trn_1", "text": "hello"}', "unknown_table"),
    ('{"do": "out", "table": "tbl_1"}', "not_seated"),
    ('{"do": "back", "table": "tbl_1", "id": "mine"}', "command_id_invalid"),
    (b'{"do": "resync"}', "binary_message"),
    ('{"do": "resync"}' + " " * 4_096, "message_too_large"),
]


def socket_url(house) -> str:
    return house.url.replace("http", "ws", 1) + "/api/play"


async def test_the_first_message_may_bring_the_token(house, guest):
    async with connect(socket_url(house)) as socket:
        await socket.send(msgspec.json.encode({"token": guest.token}).decode())
        assert msgspec.json.decode(await socket.recv())["welcome"]["player"] == guest.player


@pytest.mark.parametrize(
    "first", ['{"token": "ply_1.0"}', '{"token": ""}', "{}", "x", b"\x00", '{"do": "resync"}']
)
async def test_a_wrong_first_message_is_refused_and_the_socket_closed(house, first):
    async with connect(socket_url(house)) as socket:
        await socket.send(first)
        refusal = msgspec.json.decode(await socket.recv())
        assert refusal["reason"] in {"unauthorized", "binary_message"}
        with pytest.raises(ConnectionClosed):
            await socket.recv()
        assert socket.close_code == 1008


async def test_a_wrong_header_and_an_operators_token_are_refused(house):
    operator = house.operator.headers["Authorization"]
    for header, reason in (("Bearer nonsense", "unauthorized"), (operator, "forbidden")):
        async with connect(
            socket_url(house), additional_headers={"Authorization": header}
        ) as socket:
            assert msgspec.json.decode(await socket.recv())["reason"] == reason
            with pytest.raises(ConnectionClosed):
                await socket.recv()


async def test_there_is_no_other_socket(house):
    with pytest.raises(InvalidStatus):
        async with connect(house.url.replace("http", "ws", 1) + "/api/other"):
            pass


async def test_nonsense_is_answered_and_changes_nothing(guest, written):
    await guest.connect()
    await written.begin()
    for frame, reason in [*((text, "malformed") for text in MALFORMED), *REFUSED]:
        await guest.send(frame)
        answer = await guest.answer()
        assert (answer["answer"], answer["reason"]) == ("refused", reason), frame
    assert not await written.by_people()
    await guest.say(do="resync")
    assert (await guest.http.get("/api/me")).status_code == 200


async def test_a_refusal_names_the_message(guest):
    await guest.connect()
    await guest.say(do="cheat", id="cmd_mine")
    assert (await guest.answer())["re"] == "cmd_mine"


async def test_too_large_a_frame_ends_the_socket(guest):
    await guest.connect()
    await guest.send("x" * 70_000)
    with pytest.raises(ConnectionClosed):
        await guest.answer()


async def flood(guest) -> None:
    """Send more than a second's worth, then listen to the end."""
    for _ in range(1_000):
        await guest.say(do="cheat")
    while True:
        await guest.hear()


async def test_too_many_messages_end_the_socket(guest):
    await guest.connect()
    with pytest.raises(ConnectionClosed):
        await flood(guest)
    assert guest.heard[-1]["reason"] == "too_many_messages"


async def test_too_many_sessions_of_a_player_are_refused(house, guest):
    async with AsyncExitStack() as stack:
        header = {"Authorization": f"Bearer {guest.token}"}
        for _ in range(SESSIONS_MAX + 1):
            socket = await stack.enter_async_context(
                connect(socket_url(house), additional_headers=header)
            )
            message = msgspec.json.decode(await socket.recv())
    assert message["reason"] == "too_many_sessions"
