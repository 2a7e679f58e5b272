"""Gateways: the only way for players to act. They say that they serve, die, and others come.

In most worlds there is one, and without it the clocks of all stand still. In some there are two
with all that real ones do for each other's players: whoever loses one gets its time back while
the others play on. What a gateway knows of tables it is told at once, without a stream.
"""

import asyncio
from collections.abc import AsyncIterator, Callable, Sequence
from contextlib import asynccontextmanager
from typing import TYPE_CHECKING

from services.gateway.settings import GatewaySettings
from services.gateway.shell.company import Company, Links
from services.gateway.shell.facts import told
from services.gateway.shell.membership import BEAT_SECONDS
from services.gateway.shell.sessions import Session, Sessions
from services.gateway.shell.tables import Tables
from shared.contracts.edge import LogRow
from shared.runtime.follow import Fact
from shared.runtime.ports import Attends, BrokerUnavailable, Deployment, Line
from shared.runtime.supervisor import Supervisor
from tests.simulation.node import NOWHERE, Node
from tests.simulation.registry import SimRegistry

if TYPE_CHECKING:
    from random import Random

    from tests.simulation.world import World

ABSENT_MS = 3_000
AWAY_SECONDS = 5.0
LOOK_SECONDS = 0.1
QUEUE = 1_000_000
DEPLOYMENT = Deployment("dep_sim", {})
SETTINGS = GatewaySettings(
    nats_url=NOWHERE["nats_url"], gateway_token_secret="s" * 16, gateway_absent_ms=ABSENT_MS
)


class GatewayLost(BaseException):
    """A player's connection has broken off: no fault of anything that runs in the gateway."""


class Attended:
    """What the gateways' bucket holds, beside the members' keys."""

    def __init__(self) -> None:
        self.noted: dict[tuple[str, str], Attends] = {}
        self.lasted: dict[str, int] = {}
        self.readers: list[asyncio.Queue[list[Attends] | None]] = []

    def lose(self) -> None:
        """Everything is gone, and every reader has lost its place."""
        self.noted.clear()
        self.lasted.clear()
        for reader in self.readers:
            reader.put_nowait(None)
        self.readers.clear()


class SimAttendance(SimRegistry):
    """The `Attendance` and the `Members` as one gateway reaches them; its life is its name."""

    _node: "GatewayNode"

    async def lives(self) -> dict[str, str]:
        return {name: name for name in await self.members()}

    async def note(self, attends: Attends) -> None:
        await self._there()
        self._attended.noted[attends.life, attends.player] = attends
        for reader in self._attended.readers:
            reader.put_nowait([attends])

    @asynccontextmanager
    async def noted(self) -> AsyncIterator[AsyncIterator[list[Attends]]]:
        await self._there()
        queue: asyncio.Queue[list[Attends] | None] = asyncio.Queue()
        queue.put_nowait(list(self._attended.noted.values()))
        self._attended.readers.append(queue)

        async def groups() -> AsyncIterator[list[Attends]]:
            while (group := await queue.get()) is not None:
                if self._node.stopped:
                    await self._node.gate()
                yield group

        yield groups()

    async def beat(self) -> None:
        await self._there()
        self._world.gateways.beat(self.me)

    async def listen(self, heard: Callable[[str], None]) -> None:
        self._node.hears = heard

    async def lasts(self, at_ms: int) -> None:
        await self._there()
        self._attended.lasted[self.me] = at_ms

    async def lasted_until(self, life: str) -> int | None:
        await self._there()
        return self._attended.lasted.get(life)

    @property
    def _attended(self) -> Attended:
        return self._world.gateways.attended


class GatewayNode(Node):
    """One life of a gateway; nothing that is under way through it outlives it."""

    hears: Callable[[str], None] | None = None

    def start(self) -> None:
        self.tables, self.sessions = Tables(), Sessions()
        self.company: Company | None = None
        if self.world.weather.gateways == 1:
            self.start_task(self._beat())
            return
        links = SimAttendance(self)
        self.company = Company(
            Links(self.name, links, links, self._no_platform),
            self.asking,
            self.clock,
            self.health,
            self.sessions,
            self.tables,
            SETTINGS,
        )
        self.start_task(self.company.run(Supervisor(self.clock, self.health), DEPLOYMENT))

    async def _no_platform(self) -> dict[str, Deployment]:
        return {}

    async def _beat(self) -> None:
        links = SimAttendance(self)
        while True:
            try:
                await links.beat()
            except BrokerUnavailable:
                self.world.loop.hash("unheard", self.name)
            await self.clock.sleep(BEAT_SECONDS)

    def hear(self, life: str) -> None:
        if self.hears is not None:
            self.hears(life)

    def connect(self, player: str) -> None:
        """A player has a connection here."""
        self.sessions.add(Session(player, QUEUE))
        if self.company is not None:
            self.company.opened(player)

    async def gate(self) -> None:
        """A dead gateway answers nobody, and everybody notices."""
        if self.dead:
            raise GatewayLost(self.name)
        await super().gate()


class Gateways:
    """All gateways, and with which of them each player is."""

    def __init__(self, world: "World", chance: "Random") -> None:
        self.attended = Attended()
        self.lost: dict[str, list[tuple[int, int]]] = {}
        self._world = world
        self._chance = chance
        self._nodes: list[GatewayNode] = []
        self._with: dict[str, GatewayNode] = {}
        self._since: dict[str, int] = {}
        self._count = 0

    def open(self) -> None:
        """Let as many gateways serve as this world has."""
        while len(self.living) < self._world.weather.gateways:
            self._count += 1
            name = f"gateway/{self._count}"
            self._world.loop.note("started", name)
            node = GatewayNode(self._world, "gateway", name, self._world.drawn_skew())
            self._nodes.append(node)
            node.start()
            for line, disk in self._world.disks.items() if node.company else ():
                for row in disk.rows:
                    self._tell(node, line, row)

    @property
    def living(self) -> list[GatewayNode]:
        return [node for node in self._nodes if not node.dead]

    def kill_one(self) -> None:
        """A gateway dies; its players look for another one, some of them for long."""
        node = self._chance.choice(self.living)
        self._world.kill(node)
        for player, gateway in list(self._with.items()):
            if gateway is node:
                del self._with[player]
                self._since[player] = self._world.true_ms
                away_s = 0.0 if node.company is None else self._chance.uniform(0, AWAY_SECONDS)
                self._world.loop.call_later(away_s, self._reconnect, player)

    def end_all(self) -> None:
        """All gateways are stopped."""
        while self.living:
            self.kill_one()
        for node in self._nodes:
            node.ended = True

    def _reconnect(self, player: str) -> None:
        """Be with any gateway, as soon as there is one."""
        if not self.living:
            self._world.loop.call_later(LOOK_SECONDS, self._reconnect, player)
            return
        self._with[player] = node = self._chance.choice(self.living)
        node.connect(player)
        if player in self._since:
            stretch = (self._since.pop(player), self._world.true_ms)
            self.lost.setdefault(player, []).append(stretch)

    def away(self, player: str) -> list[tuple[int, int]]:
        """When a player had no connection."""
        lost = self.lost.get(player, [])
        since_ms = self._since.get(player)
        return lost if since_ms is None else [*lost, (since_ms, self._world.true_ms)]

    async def of(self, player: str) -> GatewayNode:
        """Wait for the gateway that somebody is with."""
        if player not in self._with and player not in self._since:
            self._reconnect(player)
        while player not in self._with:
            await self._world.loop.pause(LOOK_SECONDS)
        return self._with[player]

    # --- what gateways say, and are told ------------------------------------------------------

    def serve(self) -> bool:
        """Whether the broker hears any gateway now."""
        is_away = self._world.is_away
        return any(not (node.dead or is_away("broker", node)) for node in self._nodes)

    def beat(self, life: str) -> None:
        """Everybody who can hears that a gateway serves; such news may get lost."""
        world = self._world
        for node in [*world.nodes, *self.living]:
            lost = world.faults.request_lost and world.chance.random() < world.faults.request_lost
            if not (node.dead or lost or world.is_away("broker", node)):
                node.hear(life)

    def see(self, line: Line, rows: Sequence[LogRow]) -> None:
        """Show commits to the gateways that help each other's players."""
        if line.service == "table":
            for node in self.living:
                for row in rows:
                    self._tell(node, line, row)

    def _tell(self, node: GatewayNode, line: Line, row: LogRow) -> None:
        if line.service == "table":
            node.tables.fold(told(line, Fact(row.number, row.data)))
