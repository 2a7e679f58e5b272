"""Gateways in one process: members and attendance in memory; what is asked of tables is noted."""

import asyncio
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from types import SimpleNamespace
from typing import Any

from services.gateway.shell.attending import Attending
from services.gateway.shell.membership import Membership
from services.gateway.shell.presence import Presence
from services.gateway.shell.reconnecting import Reconnecting
from services.gateway.shell.sessions import Session, Sessions
from services.gateway.shell.tables import Tables
from shared.runtime.health import Health
from shared.runtime.ports import Attends, BrokerUnavailable, Deployment
from tests.core.runtime.clock import StandingClock, settled

ABSENT_MS = 5_000
LIMIT_MS = 60_000
DEPLOYMENT = Deployment("dep_1", {"table": 4})


class Shared:
    """What the gateways' bucket holds."""

    def __init__(self) -> None:
        self.clock = StandingClock()
        self.reachable = True
        self.lives: dict[str, str] = {}
        self.noted: dict[tuple[str, str], Attends] = {}
        self.lasted: dict[str, int] = {}
        self.hearing: list[Callable[[str], None]] = []
        self.readers: list[asyncio.Queue[list[Attends]]] = []

    def reach(self) -> None:
        if not self.reachable:
            raise BrokerUnavailable("away")

    def listed(self) -> set[tuple[str, str]]:
        return {key for key, noted in self.noted.items() if noted.here}


class Links:
    """The `Members` and the `Attendance` of one life."""

    def __init__(self, shared: Shared, me: str, life: str) -> None:
        self.me = me
        self.turn = asyncio.Event()
        self._shared = shared
        self._life = life

    async def open(self, deployment: Deployment) -> None:
        self._shared.reach()

    async def announce(self) -> None:
        self._shared.reach()
        self._shared.lives[self.me] = self._life

    async def lives(self) -> dict[str, str]:
        self._shared.reach()
        return dict(self._shared.lives)

    async def leave(self) -> None:
        self._shared.reach()
        del self._shared.lives[self.me]

    async def changed(self, seconds: float) -> None:
        await self.turn.wait()
        self.turn.clear()

    async def note(self, attends: Attends) -> None:
        self._shared.reach()
        self._shared.noted[attends.life, attends.player] = attends
        for reader in self._shared.readers:
            reader.put_nowait([attends])

    @asynccontextmanager
    async def noted(self) -> AsyncIterator[AsyncIterator[list[Attends]]]:
        self._shared.reach()
        queue: asyncio.Queue[list[Attends]] = asyncio.Queue()
        queue.put_nowait(list(self._shared.noted.values()))
        self._shared.readers.append(queue)

        async def groups() -> AsyncIterator[list[Attends]]:
            while True:
                yield await queue.get()

        yield groups()

    async def beat(self) -> None:
        self._shared.reach()
        for heard in self._shared.hearing:
            heard(self._life)

    async def listen(self, heard: Callable[[str], None]) -> None:
        self._shared.hearing.append(heard)

    async def lasts(self, at_ms: int) -> None:
        self._shared.reach()
        self._shared.lasted[self._life] = at_ms

    async def lasted_until(self, life: str) -> int | None:
        self._shared.reach()
        return self._shared.lasted.get(life)


class Gateway:
    """One life of a gateway, from its start to its kill; `asked` is what it asked of tables."""

    def __init__(self, shared: Shared, me: str, life: str, tables: Tables) -> None:
        self.shared = shared
        self.life = life
        self.asked: list[tuple[str, Any]] = []
        self.links = Links(shared, me, life)
        self.health = Health(shared.clock)
        self.sessions = Sessions()
        self.membership = Membership(
            life, self.links, self.links, shared.clock, self.health, ttl_s=3
        )
        self.attending = Attending(life, self.links, self.sessions, shared.clock)
        requests = SimpleNamespace(ask=lambda table, command: self.asked.append((table, command)))
        self.presence = Presence(
            self.membership,
            self.attending,
            self.sessions,
            tables,
            requests,
            shared.clock,
            ABSENT_MS,
        )
        self.reconnecting = Reconnecting(
            self.membership,
            self.attending,
            self.links,
            tables,
            requests,
            shared.clock,
            LIMIT_MS,
        )
        self._tasks: list[asyncio.Task[None]] = []

    async def start(self) -> None:
        for work in (
            self.membership.run(DEPLOYMENT),
            self.attending.read(),
            self.attending.write(),
        ):
            self._tasks.append(asyncio.create_task(work))
        await settled(lambda: self.membership.known and self.attending.whole)

    async def tick(self) -> None:
        """Let it renew its key and see who is there."""
        self.links.turn.set()
        await settled(lambda: not self.links.turn.is_set())
        await quiet()

    def connect(self, player: str) -> Session:
        session = Session(player, 10)
        self.sessions.add(session)
        self.attending.changed(player)
        return session

    def hang_up(self, session: Session) -> None:
        self.sessions.remove(session)
        self.attending.changed(session.player)

    async def kill(self) -> None:
        """It is gone, and after a while its key is."""
        for task in self._tasks:
            task.cancel()
        await asyncio.gather(*self._tasks, return_exceptions=True)
        if self.shared.lives.get(self.links.me) == self.life:
            del self.shared.lives[self.links.me]


async def quiet() -> None:
    """Let everything that is under way come to its end."""
    for _ in range(200):
        await asyncio.sleep(0)
