"""The people: an operator and three players who ask as a gateway asks, until they are answered.

A request whose service dies is sent again under the same command id. Whatever is refused, or
answered with another commit than the first time, ends the run.
"""

import asyncio
from typing import Any

from services.cli.verdicts.history import Decided, decode
from shared.contracts.commit import Actor
from shared.contracts.director import CreateTournament, PrizeDue, Register, TournamentFinished
from shared.contracts.edge import Accepted
from shared.contracts.hand import HandStarted
from shared.contracts.ranking import TournamentRated
from shared.contracts.table import TableClosed
from shared.contracts.wallet import Deposit, EntryPosted, PrizePaid
from shared.runtime.adapters.nats import NatsBroker, connect, disconnect
from shared.runtime.adapters.system import SystemClock, entropy
from shared.runtime.asking import Asking, is_unavailable
from tests.kill.running import Killed, Services
from tests.kill.script import DEPOSIT_CENTS, PLAYERS, TERMS, TOURNAMENT, Seen, acts_on, decided
from tests.people import signing_up
from tests.serving import players_served

OPERATOR = Actor("operator", "ops_1")
JOURNAL = "journal"
SHARDS = {"table": 4, "director": 1, "dealer": 1, "wallet": 1, "ranking": 1}


class Unexpected(Exception):
    """A request was refused that was right."""


class People:
    """They see what is published, and ask for what the script says."""

    def __init__(self, services: Services, nats_url: str) -> None:
        self._services = services
        self._nats_url = nats_url
        self._seen: set[tuple[str, int]] = set()
        self._events: list[Any] = []
        self._commits: asyncio.Queue[Decided] = asyncio.Queue()
        self._moved = asyncio.Event()
        self._asking: Asking

    async def play(self) -> None:
        """Go from the first account to the last prize."""
        client = await connect(self._nats_url, "people")
        broker = NatsBroker(client)
        self._asking = Asking(broker, SystemClock(), entropy, SHARDS, OPERATOR)
        await client.subscribe("evt.>", cb=self._hear)
        try:
            async with players_served(client):
                await self._enter()
                await self._act()
                await self._all_paid()
        finally:
            await disconnect(client)

    async def _hear(self, message: Any) -> None:
        """Take in a commit, each once however often it is published."""
        commit = decode(message.data)
        if (commit.stream, commit.n) not in self._seen:
            self._seen.add((commit.stream, commit.n))
            self._events += commit.events
            self._commits.put_nowait(commit)
            self._moved.set()

    async def _enter(self) -> None:
        """Sign up, pay in, announce, register; each waits for the one before."""
        for player in PLAYERS:
            for request in signing_up(player):
                await self._tell("wallet", JOURNAL, request)
            paid_in = Deposit(
                player=player, amount_cents=DEPOSIT_CENTS, reference=f"cash-desk/{player}"
            )
            await self._tell("wallet", JOURNAL, paid_in)
        create = CreateTournament(tournament=TOURNAMENT, terms=TERMS)
        await self._tell("director", TOURNAMENT, create)
        for entries, player in enumerate(PLAYERS, 1):
            await self._tell("director", TOURNAMENT, Register(player=player), player)
            await self._until(EntryPosted, entries)

    async def _act(self) -> None:
        """Answer every open decision until the table is closed."""
        seen: Seen | None = None
        while True:
            commit = await self._next()
            for event in commit.events:
                if isinstance(event, HandStarted):
                    seen = Seen(event)
                if isinstance(event, TableClosed):
                    return
                if seen:
                    seen.see(event)
            turn = acts_on(commit.events)
            if seen and turn:
                action = decided(seen, turn)
                await self._tell("table", commit.stream, action, action.player)

    async def _all_paid(self) -> None:
        await self._until(TournamentFinished, 1)
        due = sum(isinstance(event, PrizeDue) for event in self._events)
        await self._until(PrizePaid, due)
        await self._until(TournamentRated, 1)

    async def _tell(self, service: str, stream: str, command: Any, player: str = "") -> None:
        """Ask until answered, always under the same id."""
        by = Actor("player", player) if player else OPERATOR
        command_id = self._asking.command_id()
        while True:
            asked = self._asking.ask(service, stream, command, by=by, command_id=command_id)
            try:
                answer = await self._services.unless_killed(asked)
            except Killed:
                continue
            if isinstance(answer, Accepted):
                return
            if not is_unavailable(answer):
                raise Unexpected(f"{command!r} is refused: {answer.reason} {answer.detail}")

    async def _next(self) -> Decided:
        while True:
            try:
                return await self._services.unless_killed(self._commits.get())
            except Killed:
                continue

    async def _until(self, kind: type[Any], count: int) -> None:
        """Wait until so many facts of a kind have come."""
        while sum(isinstance(event, kind) for event in self._events) < count:
            self._moved.clear()
            try:
                await self._services.unless_killed(self._moved.wait())
            except Killed:
                continue
