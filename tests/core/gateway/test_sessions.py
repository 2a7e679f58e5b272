"""Sessions: order kept, a slow one dropped, an ended one sent out to the last message."""

import asyncio
from types import SimpleNamespace

from services.gateway.shell import play
from services.gateway.shell.allowance import Allowance
from services.gateway.shell.sessions import Session, Sessions
from services.gateway.shell.tokens import Caller


async def sent_by(session: Session) -> list[str]:
    sent: list[str] = []

    async def send(text: str) -> None:
        sent.append(text)

    await session.send_all(send)
    return sent


async def test_messages_leave_in_order_and_an_ended_session_sends_what_waits():
    session = Session("ply_1", queue_max=10)
    session.push(["1", "2"])
    session.push(["3"])
    session.end("left")
    session.push(["4"])
    assert await sent_by(session) == ["1", "2", "3"]


async def test_a_session_that_does_not_take_its_messages_is_dropped_with_them():
    session = Session("ply_1", queue_max=2)
    session.push(["1", "2"])
    session.push(["3"])
    assert session.ended == "too_slow"
    assert await sent_by(session) == []


async def test_with_lines_a_frame_takes_all_that_waits():
    session = Session("ply_1", queue_max=10, lines=True)
    session.push(["1", "2"])
    session.push(["3"])
    session.end("left")
    assert await sent_by(session) == ["1\n2\n3"]


async def test_a_session_is_woken_by_news():
    session = Session("ply_1", queue_max=2)
    sending = asyncio.create_task(sent_by(session))
    await asyncio.sleep(0)
    session.push(["1"])
    await asyncio.sleep(0)
    session.push(["2"])
    session.end("left")
    assert await sending == ["1", "2"]


async def test_every_session_of_a_player_gets_the_message_and_nobody_else():
    sessions = Sessions()
    ann, ann_too, bob = (Session(player, 10) for player in ("ply_a", "ply_a", "ply_b"))
    for session in (ann, ann_too, bob):
        sessions.add(session)
    sessions.push(["ply_a", "ply_c"], ["1"])
    sessions.remove(ann_too)
    assert sessions.present("ply_a")
    sessions.remove(ann)
    assert not sessions.present("ply_a")
    for session in (ann, ann_too, bob):
        session.end("left")
    assert [await sent_by(session) for session in (ann, ann_too, bob)] == [["1"], ["1"], []]


class Hands:
    """A clock that is set by hand."""

    def __init__(self) -> None:
        self.ms = 0

    def now_ms(self) -> int:
        return self.ms

    async def sleep(self, seconds: float) -> None:
        self.ms += round(seconds * 1000)


def test_an_allowance_is_a_seconds_worth_and_fills_with_time():
    clock = Hands()
    allowance = Allowance(clock, per_second=10)
    assert [allowance.take() for _ in range(11)] == [True] * 10 + [False]
    clock.ms = 250
    assert [allowance.take() for _ in range(3)] == [True, True, False]
    clock.ms = 60_000
    assert [allowance.take() for _ in range(11)] == [True] * 10 + [False]


class Stuck:
    """A socket whose other side reads nothing and says nothing."""

    async def send_text(self, _text: str) -> None:
        await asyncio.Event().wait()

    async def receive(self) -> dict[str, str]:
        await asyncio.Event().wait()
        return {}


async def test_a_socket_that_is_stuck_is_let_go(monkeypatch):
    monkeypatch.setattr(play, "CLOSE_SECONDS", 0.01)
    session = Session("ply_a", queue_max=2)
    gateway = SimpleNamespace(
        clock=Hands(), settings=SimpleNamespace(gateway_messages_per_second=1)
    )
    caller = Caller("player", "ply_a")
    talking = asyncio.create_task(play.Conversation(Stuck(), gateway, session, caller).run())
    for text in ("1", "2", "3", "4"):
        session.push([text])
        await asyncio.sleep(0)
    await asyncio.wait_for(talking, 5)
    assert session.ended == "too_slow"
