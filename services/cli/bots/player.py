"""One bot: signs up, keeps a socket open, answers every turn of its own, and gives seeds."""

import asyncio
import base64
import itertools
import os
import time
from collections.abc import Callable, Coroutine, Sequence
from random import Random
from typing import Any

import httpx
import msgspec
import websockets
from websockets.asyncio.client import ClientConnection, connect

from services.cli.bots.strategy import Turn, choose
from shared.contracts.dealer import PLAYER_SEED_BYTES
from shared.kernel.ids import new_id

ANSWER_SECONDS = 12.0
RECONNECT_SECONDS = 0.2


class Player:
    """A player as the gateway sees one.

    Of several addresses it goes to the next one when a connection is lost. `hands` collects the
    hands that ended, `refused` counts refusals by reason, and `frames` keeps what the socket
    brought, if asked to.
    """

    def __init__(
        self,
        urls: Sequence[str],
        name: str,
        seed: str,
        hands: set[str],
        *,
        keep_frames: bool = False,
    ) -> None:
        self.name = name
        self.hands = hands
        self.player = ""
        self.frames: list[bytes] = []
        self.refused: dict[str, int] = {}
        self._keep = keep_frames
        self._socket_urls = itertools.cycle([socket_url(url) for url in urls])
        self._http = httpx.AsyncClient(base_url=urls[0], timeout=30)
        self._chance = Random(seed)
        self._token = ""
        self._hands: dict[str, str] = {}
        self._seats: dict[str, int] = {}
        self._cards: dict[str, tuple[str, ...]] = {}
        self._answers: dict[str, asyncio.Future[dict[str, Any]]] = {}
        self._acting: tuple[str, int] = ("", 0)
        self._invited: dict[str, str] = {}
        self._giving: dict[str, str] = {}
        self._tasks: set[asyncio.Task[None]] = set()
        self._socket: ClientConnection | None = None

    async def sign_up(self) -> str:
        """Open an account; return the player's id."""
        answer = await self._http.post("/api/players", json={"name": self.name})
        answer.raise_for_status()
        self.player, self._token = answer.json()["player"], answer.json()["token"]
        self._http.headers["Authorization"] = f"Bearer {self._token}"
        return self.player

    async def file_contract(self) -> None:
        """Send the signed contract and the identity document."""
        person = {
            "name": f"{self.name} Robot",
            "born": "1990-01-01",
            "email": f"{self.player}@bots.example",
            "document": f"plate of {self.name}",
        }
        (await self._http.post("/api/me/contract", json=person)).raise_for_status()

    async def register(self, tournament: str) -> None:
        """Enter a tournament; the answer comes when the outcome is known."""
        answer = await self._http.post(f"/api/tournaments/{tournament}/entries")
        answer.raise_for_status()

    async def play(self) -> None:
        """Play until cancelled; a lost connection is opened again."""
        while True:
            try:
                async with connect(
                    next(self._socket_urls),
                    additional_headers={"Authorization": f"Bearer {self._token}"},
                    max_size=None,
                ) as socket:
                    self._socket = socket
                    self._acting = ("", 0)  # What was answered may be lost with the connection.
                    self._giving.clear()
                    async for frame in socket:
                        for message in str(frame).splitlines():
                            self._take(message.encode())
            except (OSError, websockets.WebSocketException):
                await asyncio.sleep(RECONNECT_SECONDS)

    async def close(self) -> None:
        """Hang up."""
        for task in self._tasks:
            task.cancel()
        await self._http.aclose()

    def _take(self, frame: bytes) -> None:
        """Take in one message, and answer it if it is this player's turn."""
        if self._keep:
            self.frames.append(frame)
        message: dict[str, Any] = msgspec.json.decode(frame)
        if "snapshot" in message:
            for fact in message["snapshot"]["facts"]:
                self._fact(fact["stream"], fact["event"])
        elif "event" in message:
            self._fact(message["stream"], message["event"])
        elif "own_cards" in message:
            own = message["own_cards"]
            self._cards = {own["hand"]: tuple(own["cards"])}
        elif "re" in message:
            waiting = self._answers.get(message["re"])
            if waiting and not waiting.done():
                waiting.set_result(message)

    def _fact(self, stream: str, event: dict[str, Any]) -> None:
        match event["type"]:
            case "table.hand-scheduled.v1":
                dealt_in = self.player in [dealt["player"] for dealt in event["roster"]]
                self._invited[stream] = event["hand"] if dealt_in else ""
            case "table.seeds-invited.v1" if event["hand"] == self._invited.get(stream):
                self._start_giving(stream, event["hand"])
            case "table.hand-started.v1":
                self._giving.pop(stream, None)
                self._hands[stream] = event["hand"]
                self._seats[stream] = next(
                    (seat["seat"] for seat in event["seats"] if seat["player"] == self.player), 0
                )
            case "table.hand-ended.v1":
                self.hands.add(event["hand"])
            case "table.turn-started.v1" if event["seat"] == self._seats.get(stream):
                self._start_turn(stream, event)

    def _start_turn(self, table: str, event: dict[str, Any]) -> None:
        """Answer a turn once, however often it is told."""
        turn = Turn(
            self._hands[table],
            event["decision"],
            event["call_chips"],
            event["min_raise_to"],
            event["max_raise_to"],
        )
        if self._acting == (turn.hand, turn.decision):
            return
        self._acting = (turn.hand, turn.decision)
        self._begin(self._act(table, turn))

    def _start_giving(self, table: str, hand: str) -> None:
        """Give one seed a hand, however often it is asked for."""
        if self._giving.get(table) != hand:
            self._giving[table] = hand
            self._begin(self._give(table, hand))

    def _begin(self, work: Coroutine[Any, Any, None]) -> None:
        task = asyncio.create_task(work)
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)

    async def _act(self, table: str, turn: Turn) -> None:
        """Take one decision."""
        move = choose(turn, self._cards.get(turn.hand, ()), self._chance)
        request = {
            "table": table,
            "hand": turn.hand,
            "decision": turn.decision,
            "do": move.do,
            **({} if move.to_chips is None else {"to_chips": move.to_chips}),
        }
        await self._say(request, lambda: self._acting == (turn.hand, turn.decision))

    async def _give(self, table: str, hand: str) -> None:
        """Add to the chance of the coming deck what nobody can guess."""
        seed = base64.b64encode(os.urandom(PLAYER_SEED_BYTES)).decode()
        request = {"table": table, "hand": hand, "do": "seed", "seed": seed}
        await self._say(request, lambda: self._giving.get(table) == hand)

    async def _say(self, request: dict[str, Any], still: Callable[[], bool]) -> None:
        """Send one request until it is answered: the same id makes it the same command."""
        command = new_id("cmd", time.time_ns() // 1_000_000, os.urandom(10))
        while still():
            answer = await self._answered(command, {"id": command, **request})
            if answer.get("answer") == "accepted":
                return
            reason = answer.get("reason", "silence")
            self.refused[reason] = self.refused.get(reason, 0) + 1
            if reason not in {"silence", "unavailable"}:
                return
            await asyncio.sleep(RECONNECT_SECONDS)

    async def _answered(self, command: str, request: dict[str, Any]) -> dict[str, Any]:
        """Send once and wait; no answer at all is an empty one."""
        answer = self._answers[command] = asyncio.get_running_loop().create_future()
        try:
            if self._socket is None:
                return {}
            await self._socket.send(msgspec.json.encode(request).decode())
            async with asyncio.timeout(ANSWER_SECONDS):
                return dict(await answer)
        except (TimeoutError, OSError, websockets.WebSocketException):
            return {}
        finally:
            self._answers.pop(command, None)


def socket_url(url: str) -> str:
    """Return where the socket of a gateway is."""
    return url.replace("http", "ws", 1) + "/api/play?frames=lines"
