"""Scripted people at the gateway: an operator's desk, and players with sockets."""

import asyncio
import os
import time
from collections.abc import Callable
from typing import Any, Self

import httpx
import msgspec
from websockets.asyncio.client import ClientConnection, connect

from shared.contracts.director import Level, Terms, WinnersPrizes
from shared.kernel.ids import new_id
from tests.people import PERSON

SECONDS = 10
NO_TLS = httpx.create_ssl_context(verify=False)  # Made once: it takes longer than a request.
PRICE_CENTS = 1_100

Message = dict[str, Any]


def terms(entries: int = 2, **changes: Any) -> Terms:
    sit_and_go = Terms(
        name="Sit & Go",
        rule_set="big_holdem",
        entries=entries,
        seats=max(entries, 2),
        fee_cents=1_000,
        commission_cents=100,
        starting_chips=500,
        levels=(Level(10, 20), Level(50, 100), Level(250, 500)),
        level_hands=4,
        action_ms=60_000,
        prizes=WinnersPrizes((10_000,)),
    )
    return msgspec.structs.replace(sit_and_go, **changes)


def new_command_id() -> str:
    return new_id("cmd", time.time_ns() // 1_000_000, os.urandom(10))


def client(url: str, token: str | None = None) -> httpx.AsyncClient:
    headers = {} if token is None else {"Authorization": f"Bearer {token}"}
    return httpx.AsyncClient(base_url=url, headers=headers, timeout=15, verify=NO_TLS)


class Guest:
    """A player: a token, and at most one socket whose messages are kept."""

    def __init__(self, url: str, player: str, token: str) -> None:
        self.player = player
        self.token = token
        self.http = client(url, token)
        self.heard: list[Message] = []
        self._socket: ClientConnection | None = None
        self.go_to(url)

    def go_to(self, url: str) -> None:
        """Connect there from now on."""
        self._socket_url = url.replace("http", "ws", 1) + "/api/play"

    async def connect(self) -> Message:
        """Open the socket; return the welcome."""
        self._socket = await connect(
            self._socket_url,
            additional_headers={"Authorization": f"Bearer {self.token}"},
            close_timeout=1,  # Who does not read what has come cannot read the goodbye either.
        )
        return await self.until(lambda message: message.get("welcome"))

    async def hang_up(self) -> None:
        if self._socket is not None:
            await self._socket.close()
            self._socket = None

    async def close(self) -> None:
        await self.hang_up()
        await self.http.aclose()

    async def hear(self) -> Message:
        """Wait for one message."""
        assert self._socket is not None
        frame = await asyncio.wait_for(self._socket.recv(), SECONDS)
        message = msgspec.json.decode(frame)
        self.heard.append(message)
        return message

    async def until(self, wanted: Callable[[Message], Any]) -> Any:
        """Listen until a message is wanted; return what is wanted of it."""
        async with asyncio.timeout(SECONDS):
            while True:
                found = wanted(await self.hear())
                if found:
                    return found

    async def event(self, name: str) -> Message:
        """Listen until a fact of this type comes."""
        return await self.until(
            lambda message: (
                message["event"]
                if message.get("event", {}).get("type", "").split(".")[1:2] == [name]
                else None
            )
        )

    async def say(self, **said: Any) -> None:
        await self.send(msgspec.json.encode(said).decode())

    async def send(self, frame: str | bytes) -> None:
        assert self._socket is not None
        await self._socket.send(frame)

    async def answer(self) -> Message:
        """Listen until something said is answered."""
        return await self.until(lambda message: message if "re" in message else None)


class TableOfTwo:
    """A heads-up table whose first decision is open: `actor` is to act, `other` waits."""

    def __init__(self, tournament: str, actor: Guest, other: Guest, turn: Message) -> None:
        self.tournament = tournament
        self.actor = actor
        self.other = other
        self.table: str = turn["table"]
        self.hand: str = turn["hand"]
        self.decision: int = turn["decision"]

    def move(self, do: str, **more: Any) -> Message:
        return {"do": do, "hand": self.hand, "decision": self.decision, **more}

    async def act(self, guest: Guest, do: str, **more: Any) -> httpx.Response:
        path = f"/api/tables/{self.table}/actions"
        return await guest.http.post(path, json=self.move(do, **more))


class House:
    """The operator's desk, and everybody it let in."""

    def __init__(self, url: str, operator_token: str) -> None:
        self.url = url
        self.anybody = client(url)
        self.operator = httpx.AsyncClient(
            base_url=url,
            headers={"Authorization": f"Bearer {operator_token}"},
            timeout=15,
            verify=NO_TLS,
        )
        self._guests: list[Guest] = []

    async def __aenter__(self) -> Self:
        return self

    async def __aexit__(self, *_: object) -> None:
        for guest in self._guests:
            await guest.close()
        await self.operator.aclose()
        await self.anybody.aclose()

    async def stranger(self, name: str) -> Guest:
        """Sign somebody up."""
        answer = await self.anybody.post("/api/players", json={"name": name})
        assert answer.status_code == 201, answer.text
        guest = Guest(self.url, **answer.json())
        self._guests.append(guest)
        return guest

    async def guest(self, name: str, cents: int = PRICE_CENTS) -> Guest:
        """Sign somebody up, identified and with money."""
        guest = await self.stranger(name)
        person = msgspec.to_builtins(PERSON)
        assert (await guest.http.post("/api/me/contract", json=person)).status_code == 200
        path = f"/api/operator/players/{guest.player}"
        assert (await self.operator.post(f"{path}/identification")).status_code == 200
        deposit = {"amount_cents": cents, "reference": f"desk/{guest.player}"}
        assert (await self.operator.post(f"{path}/deposits", json=deposit)).status_code == 201
        return guest

    async def announce(self, terms: Terms) -> str:
        body = {"terms": msgspec.to_builtins(terms)}
        answer = await self.operator.post("/api/operator/tournaments", json=body)
        assert answer.status_code == 201, answer.text
        return str(answer.json()["tournament"])

    async def lobby(self, tournament: str) -> Message:
        return dict((await self.anybody.get(f"/api/tournaments/{tournament}")).json())

    async def started(self, guests: list[Guest], terms: Terms) -> str:
        """Let these players, all connected, fill a tournament."""
        tournament = await self.announce(terms)
        for guest in guests:
            answer = await guest.http.post(f"/api/tournaments/{tournament}/entries")
            assert answer.status_code == 201, answer.text
        return tournament

    async def table_of_two(self, url: str = "", **changes: Any) -> TableOfTwo:
        """Seat two guests, connected with this gateway or with ours."""
        guests = [await self.guest(name) for name in ("Ann", "Bob")]
        for guest in guests:
            guest.go_to(url or self.url)
            await guest.connect()
        tournament = await self.started(guests, terms(**changes))
        turns = [await first_turn(guest) for guest in guests]
        actor, other = guests if turns[0]["player"] == guests[0].player else reversed(guests)
        return TableOfTwo(tournament, actor, other, turns[0])


async def first_turn(guest: Guest) -> Message:
    """Listen until the first decision of a hand is open; return where and whose."""
    started = await guest.event("hand-started")
    turn = await guest.event("turn-started")
    player = next(seat["player"] for seat in started["seats"] if seat["seat"] == turn["seat"])
    table = guest.heard[-1]["stream"]
    return {**turn, "table": table, "hand": started["hand"], "player": player}
