"""A thousand live tables whose process dies, or is told to go: the time until they play on.

Every table has an open hand and a running clock. One of two table processes owns them all; the
other stands by. Measured from outside: a player of each table acts as soon as anybody answers.
"""

import asyncio
import os
import signal
import subprocess
import sys
import time
from collections.abc import Coroutine, Sequence
from itertools import count
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from services.cli.verdicts.history import decode
from shared.contracts.commit import Actor
from shared.contracts.director import CreateTournament, Level, Register, StandardPrizes, Terms
from shared.contracts.edge import Accepted
from shared.contracts.hand import HandStarted, TurnStarted
from shared.contracts.table import Action, Call, Check
from shared.kernel.sharding import shard_of
from shared.runtime.adapters.deployment import migrate
from shared.runtime.adapters.engines import free_port, nats_server, postgres
from shared.runtime.adapters.leases import read_shared
from shared.runtime.adapters.nats import Client, NatsBroker, connect, disconnect
from shared.runtime.adapters.system import SystemClock, entropy
from shared.runtime.asking import Asking
from shared.runtime.leases import owner_of
from shared.runtime.ports import Line
from tests.people import signing_up
from tests.serving import players_served

TABLES = 1_000
SEATS = 2
TOGETHER = 64
SEED_SECONDS = 120
PLAY_ON_SECONDS = 60
PACE_SECONDS = 0.006
DRAIN_AFTER = 100
SHARDS = {"table": 4, "director": 1, "dealer": 1, "wallet": 1, "ranking": 1}
LINES = [Line(service, number) for service, count in SHARDS.items() for number in range(count)]
TABLE_LINES = [line for line in LINES if line.service == "table"]
TOURNAMENT = "trn_bench"
OPERATOR = Actor("operator", "ops_1")
TERMS = Terms(
    name="A thousand tables",
    rule_set="big_holdem",
    entries=TABLES * SEATS,
    seats=SEATS,
    fee_cents=0,
    commission_cents=0,
    starting_chips=1_000,
    levels=(Level(10, 20),),
    level_ms=24 * 60 * 60 * 1_000,
    action_ms=10 * 60 * 1_000,
    prizes=StandardPrizes(),
)

Numbers = dict[str, dict[str, object]]


def run() -> Numbers:
    """Return how long the tables stand still after kill -9 and after SIGTERM."""
    with (
        TemporaryDirectory(prefix="rollforward-crash-") as home,
        postgres() as database_url,
        nats_server() as nats_url,
    ):
        migrate(database_url, LINES)
        with Platform(database_url, nats_url, Path(home)) as platform:
            return asyncio.run(measured(platform, nats_url))


class Platform:
    """The deciding services as processes, the tables twice: `table` owns all, the other waits."""

    def __init__(self, database_url: str, nats_url: str, home: Path) -> None:
        self._home = home
        self._environ = {
            **os.environ,
            "DATABASE_URL": database_url,
            "NATS_URL": nats_url,
            "ROLLFORWARD_DEALER_VAULT_KEY": "5e" * 32,
        }
        self.processes: dict[str, subprocess.Popen[bytes]] = {}
        self.standby = loser("table")

    def start(self, instance: str, service: str = "") -> None:
        with (self._home / f"{instance}.log").open("ab") as output:
            self.processes[instance] = subprocess.Popen(
                [sys.executable, "-m", f"services.{service or instance}"],
                env={
                    **self._environ,
                    "ROLLFORWARD_INSTANCE": instance,
                    "ROLLFORWARD_HTTP_PORT": str(free_port()),
                },
                stdout=output,
                stderr=output,
            )

    def end(self, instance: str, number: int) -> None:
        self.processes[instance].send_signal(number)

    def __enter__(self) -> "Platform":
        for service in SHARDS:
            self.start(service)
        self.start(self.standby, "table")
        return self

    def __exit__(self, *_: object) -> None:
        for process in self.processes.values():
            process.kill()
        for process in self.processes.values():
            process.wait()


def loser(winner: str) -> str:
    """Find a name that gets no line of the tables while the winner is there."""
    names = (f"standby-{number}" for number in count(1))
    return next(
        name
        for name in names
        if all(owner_of(line, [winner, name]) == winner for line in TABLE_LINES)
    )


class Players:
    """Everybody at every table: they see what is published and act when told to."""

    def __init__(self, client: Client) -> None:
        self.client = client
        self.turns: dict[str, Action] = {}
        self.hands: dict[str, HandStarted] = {}
        self._turned = asyncio.Event()
        self._asking = Asking(NatsBroker(client), SystemClock(), entropy, SHARDS, OPERATOR)

    async def hear(self, message: Any) -> None:
        """Know each table's open decision, and the action that answers it."""
        commit = decode(message.data)
        for event in commit.events:
            if isinstance(event, HandStarted):
                self.hands[commit.stream] = event
        last = commit.events[-1]
        if isinstance(last, TurnStarted):
            self.turns[commit.stream] = action(self.hands[commit.stream], last)
            self._turned.set()

    async def seed(self) -> None:
        """Bring two players to each of a thousand tables, through the real services."""
        names = [f"ply_{number}" for number in range(TABLES * SEATS)]
        await together([self._welcome(name) for name in names])
        create = CreateTournament(tournament=TOURNAMENT, terms=TERMS)
        await self.tell("director", TOURNAMENT, create)
        await together([self.tell("director", TOURNAMENT, Register(player=name)) for name in names])
        await self.all_at(1)

    async def all_at(self, decision: int) -> None:
        """Wait until this decision is open at every table."""
        async with asyncio.timeout(SEED_SECONDS):
            while sum(turn.decision == decision for turn in self.turns.values()) < TABLES:
                self._turned.clear()
                await self._turned.wait()

    async def _welcome(self, player: str) -> None:
        for request in signing_up(player):
            await self.tell("wallet", "journal", request)

    async def tell(self, service: str, stream: str, command: Any) -> None:
        """Ask until answered, under one id."""
        by = Actor("player", command.player) if isinstance(command, Action) else OPERATOR
        answer = await self._asking.ask(service, stream, command, by=by)
        assert isinstance(answer, Accepted), answer

    async def act(self, table: str) -> float:
        """Answer a table's open decision; return how long that took."""
        asked = time.perf_counter()
        await self.tell("table", table, self.turns[table])
        return time.perf_counter() - asked


def action(hand: HandStarted, turn: TurnStarted) -> Action:
    player = next(seat.player for seat in hand.seats if seat.seat == turn.seat)
    kind = Call if turn.call_chips else Check
    return kind(hand=hand.hand, player=player, decision=turn.decision)


async def together(work: Sequence[Coroutine[Any, Any, Any]], slots: int = TOGETHER) -> None:
    """Do all of it, so many at a time."""
    free = asyncio.Semaphore(slots)

    async def one(doing: Coroutine[Any, Any, Any]) -> None:
        async with free:
            await doing

    await asyncio.gather(*[one(doing) for doing in work])


async def measured(platform: Platform, nats_url: str) -> Numbers:
    """Seed, kill, let the owner come back, then tell it to go."""
    client = await connect(nats_url, "players")
    players = Players(client)
    await client.subscribe("evt.table.>", cb=players.hear)
    try:
        async with players_served(client):
            await all_held(client)
            await players.seed()
            assert await holders(client) == {"table"}
            first, last = await crashed(platform, players)
            platform.start("table")
            await held_by(client, "table")
            await players.all_at(2)
            drain, longest = await drained(platform, players)
    finally:
        await disconnect(client)
    return {
        f"kill -9 of {TABLES:,} live tables until every line plays on": figure(first),
        f"kill -9 of {TABLES:,} live tables until the last plays on": figure(last, limit=5.0),
        f"SIGTERM of {TABLES:,} live tables until another owns them": figure(drain, limit=1.0),
        "longest wait of an action while they change hands": figure(longest),
    }


def figure(seconds: float, limit: float | None = None) -> dict[str, object]:
    return {
        "value": round(seconds, 2),
        "unit": "s",
        "peer": None if limit is None else "bar",
        "peer_value": limit,
        "ratio": None if limit is None else round(limit / seconds, 1),
    }


async def crashed(platform: Platform, players: Players) -> tuple[float, float]:
    """Kill the owner; return when one table of each line, and the last, has answered an action."""
    killed = time.perf_counter()
    platform.end("table", signal.SIGKILL)
    by_line: dict[int, list[str]] = {}
    for table in players.turns:
        by_line.setdefault(shard_of(table, SHARDS["table"]), []).append(table)

    async def play_on(tables: list[str]) -> float:
        """The first of a line asks until somebody answers, then come all others."""
        await players.act(tables[0])
        first = time.perf_counter() - killed
        await together([players.act(table) for table in tables[1:]], TOGETHER // len(by_line))
        return first

    async with asyncio.timeout(PLAY_ON_SECONDS):
        firsts = await asyncio.gather(*[play_on(tables) for tables in by_line.values()])
    return max(firsts), time.perf_counter() - killed


async def drained(platform: Platform, players: Players) -> tuple[float, float]:
    """Tell the owner to go while people act; return when another owns all, and the longest wait."""
    acting: list[asyncio.Task[float]] = []
    draining: asyncio.Task[float] | None = None
    for number, table in enumerate(list(players.turns)):
        acting.append(asyncio.create_task(players.act(table)))
        if number == DRAIN_AFTER:
            platform.end("table", signal.SIGTERM)
            draining = asyncio.create_task(held_by(players.client, platform.standby))
        await asyncio.sleep(PACE_SECONDS)
    assert draining
    return await draining, max(await asyncio.gather(*acting))


async def holders(client: Client) -> set[str]:
    """Who holds the leases of the tables' lines."""
    found = (await read_shared(client, "table")).holders
    return {*found.values()} if len(found) == SHARDS["table"] else set()


async def all_held(client: Client) -> None:
    """Wait until the services have started: each line has an owner."""
    async with asyncio.timeout(SEED_SECONDS):
        while True:
            found = [(await read_shared(client, service)).holders for service in SHARDS]
            if [len(held) for held in found] == list(SHARDS.values()):
                return
            await asyncio.sleep(0.1)


async def held_by(client: Client, instance: str) -> float:
    """Wait until one process holds all lines of the tables; return how long that took."""
    began = time.perf_counter()
    async with asyncio.timeout(PLAY_ON_SECONDS):
        while True:
            if await holders(client) == {instance}:
                return time.perf_counter() - began
            await asyncio.sleep(0.01)
