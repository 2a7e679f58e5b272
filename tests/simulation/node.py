"""One process of one service on simulated ports: the real composition, owners and supervisor.

It can die at any await: from then on nothing of it gets through a port any more, its tasks stay
where they are and its memory is nobody's. It can freeze and wake later, believing what it did.
"""

import asyncio
from collections.abc import Callable, Coroutine, Mapping, Sequence
from functools import cache
from random import Random
from typing import TYPE_CHECKING, Any, NamedTuple

from msgspec.structs import replace

from services.dealer.settings import DealerSettings
from services.dealer.shell.app import compose as compose_dealer
from services.director.settings import DirectorSettings
from services.director.shell.app import compose as compose_director
from services.ranking.core import Belief
from services.ranking.settings import RankingSettings
from services.ranking.shell.app import compose as compose_ranking
from services.ranking.shell.model import rate
from services.table.settings import TableSettings
from services.table.shell.app import compose as compose_table
from services.wallet.settings import WalletSettings
from services.wallet.shell.app import compose as compose_wallet
from services.wallet.shell.outside import Outside
from shared.contracts.commit import Actor
from shared.contracts.registry import upstreams_of
from shared.runtime.aggregate import Aggregate, no_clock
from shared.runtime.asking import Asking
from shared.runtime.gate import Gate
from shared.runtime.health import Health
from shared.runtime.leases import Leases
from shared.runtime.log_reading import Serve
from shared.runtime.owner import Owner
from shared.runtime.ports import Line
from shared.runtime.reach import Reach
from shared.runtime.service import RETRY_SECONDS, World as Composing
from shared.runtime.shard import GROUPS_AT_ONCE
from shared.runtime.supervisor import Supervisor, cancel
from tests.simulation.decks import SimDecks
from tests.simulation.flaws import flawed
from tests.simulation.generator import Generator
from tests.simulation.loop import START_MS
from tests.simulation.network import SimBroker
from tests.simulation.person_keys import SimPersonKeys
from tests.simulation.registry import TTL_SECONDS, SimRegistry
from tests.simulation.store import SimStore

if TYPE_CHECKING:
    from tests.simulation.world import World

VAULT_KEY = bytes(range(32))
FINISH_SECONDS = 1.0
SNAPSHOT_EVERY = 4
NOWHERE = {"database_url": "", "nats_url": ""}


async def rate_here(beliefs: Sequence[Belief]) -> tuple[Belief, ...]:
    """Ask the model in this process: no other one is in the world's time."""
    return rate(beliefs)


COMPOSE: Mapping[str, Callable[["Node"], Aggregate]] = {
    "wallet": lambda node: compose_wallet(
        WalletSettings(**NOWHERE), node.composing, Outside(SimPersonKeys(node))
    ),
    "dealer": lambda node: compose_dealer(
        DealerSettings(dealer_vault_key=VAULT_KEY.hex(), **NOWHERE),
        node.composing,
        SimDecks(node),
    ),
    "ranking": lambda node: compose_ranking(RankingSettings(**NOWHERE), node.composing, rate_here),
    "director": lambda node: compose_director(DirectorSettings(**NOWHERE), node.composing),
    "table": lambda node: compose_table(TableSettings(**NOWHERE), node.composing),
}


def always(_: Line) -> bool:
    """Without leases a process always believes that a line is its own."""
    return True


upstreams = cache(upstreams_of)


class Owned(NamedTuple):
    """A line that a process works on."""

    owner: Owner
    supervisor: Supervisor
    health: Health


class SimClock:
    """The `Clock` port of one node: virtual time, and what this node's clock is off by.

    What a frozen process still seems to do, up to the next port, it did before it froze: then.
    """

    def __init__(self, node: "Node", skew_ms: int) -> None:
        self._node = node
        self._loop = node.world.loop
        self._shows_ms = START_MS
        self.skew_ms = skew_ms
        self.off_ms = 0
        self.set_off(0)

    def now_ms(self) -> int:
        frozen_at = self._node.frozen_at
        return self._shows_ms + int((self._loop.now if frozen_at is None else frozen_at) * 1000)

    def skew(self, skew_ms: int) -> None:
        """From now on it goes wrong by so much, which is within what may be."""
        self.skew_ms = skew_ms
        self.set_off(self.off_ms)

    def set_off(self, off_ms: int) -> None:
        """Set it so wrong that nobody may tell time by it."""
        self.off_ms = off_ms
        self._shows_ms = START_MS + self.skew_ms + off_ms

    def right_again(self) -> None:
        """Somebody has set the clock."""
        self.set_off(0)

    async def sleep(self, seconds: float) -> None:
        await self._loop.pause(seconds)
        if self._node.stopped:
            await self._node.gate()


class Node:
    """A process; `stopped` while it is dead or frozen, `ended` once nothing of it is left."""

    def __init__(
        self, world: "World", service: str, name: str, skew_ms: int, *, flaw: Random | None = None
    ) -> None:
        self.world = world
        self.service = service
        self.name = name
        self.flaw = flaw
        self.dead = False
        self.stopped = False
        self.ended = False
        self.draining = False
        self.frozen_at: float | None = None
        self._heard_late = ""
        self._thawed = asyncio.Event()
        self.leases: Leases | None = None
        self.owned: dict[Line, Owned] = {}
        self.serving: dict[Line, set[asyncio.Task[None]]] = {}
        self._tasks: set[asyncio.Task[None]] = set()
        self._timers = Gate()
        self._groups = asyncio.Semaphore(GROUPS_AT_ONCE)
        self.clock = SimClock(self, skew_ms)
        self._reach = Reach(self.clock)
        self.health = Health(self.clock)
        self.entropy = Generator(f"{world.seed}/{name}")
        me = Actor("service", service)
        self.broker = SimBroker(self)
        self.asking = Asking(self.broker, self.clock, self.entropy, world.shards, me)
        self.composing = Composing(self.clock, self.entropy, self.asking)

    def start(self) -> None:
        """Own every line of the service, or share them by leases as a process does."""
        self._aggregate = COMPOSE[self.service](self)
        if self.world.weather.snapshots:
            self._aggregate = replace(self._aggregate, snapshot_every=SNAPSHOT_EVERY)
        if self.flaw is not None:
            self._aggregate = flawed(self.service, self._aggregate, self.flaw)
        lines = [Line(self.service, number) for number in range(self.world.shards[self.service])]
        if not self.world.weather.leased:
            for line in lines:
                self._own(line, always)
            return
        self.leases = Leases(
            SimRegistry(self),
            lines,
            self,
            self._timers,
            self.clock,
            self.health,
            TTL_SECONDS,
            self._store_reached,
        )
        self.start_task(self._share(self.leases))

    async def _store_reached(self) -> None:
        while self.world.is_away("store", self):
            await self.clock.sleep(RETRY_SECONDS)

    async def _share(self, leases: Leases) -> None:
        try:
            await leases.run()
        except Exception as error:  # noqa: BLE001 - a process ends at whatever this raises
            self.world.fell(f"{self.name}: leases", error)

    def _own(self, line: Line, fresh: Callable[[Line], bool]) -> None:
        """Start the line's owner."""
        world, health = self.world, Health(self.clock)
        store = SimStore(world.disks[line], self, fresh)
        owner = Owner(
            line,
            self._aggregate,
            store,
            self.broker,
            self.clock,
            health,
            world.shards[self.service],
            "sim",
            instance=self.name,
            gate=self._timers,
            reached=None if self._aggregate.clocks is no_clock else self._reach.reached,
            groups=self._groups,
        )
        supervisor = Supervisor(self.clock, health)
        self.owned[line] = Owned(owner, supervisor, health)
        self.health.include(health)
        owner.start(supervisor, self._upstreams)
        owner.serve(self)

    @property
    def _upstreams(self) -> list[Line]:
        return [
            Line(upstream, number)
            for upstream in upstreams(self.service)
            if upstream in self.world.shards
            for number in range(self.world.shards[upstream])
        ]

    # --- what the leases ask for --------------------------------------------------------------

    async def take(self, line: Line) -> None:
        self.world.loop.note("lease taken", self.name, str(line))
        self._own(line, self.leases.fresh)

    async def give(self, line: Line) -> None:
        """Take no more requests, answer those that have come, and stop."""
        await self.owned[line].owner.finish()
        self.world.network.leave(self, line)
        if under_way := self.serving.get(line):
            await asyncio.wait(under_way, timeout=FINISH_SECONDS)
        await self.drop(line)

    async def drop(self, line: Line) -> None:
        self.world.loop.note("lease given up", self.name, str(line))
        self.world.network.leave(self, line)
        owned = self.owned.pop(line)
        await owned.supervisor.close()
        await owned.owner.close()
        self.health.exclude(owned.health)

    # --- requests -----------------------------------------------------------------------------

    def serve(self, line: Line, verbs: Mapping[str, Serve]) -> None:
        """Stand where the edge stands."""
        self.world.network.serve(self, line, verbs)

    def answer(self, line: Line, work: Coroutine[Any, Any, None]) -> None:
        """Answer a request beside all others."""
        under_way = self.serving.setdefault(line, set())
        task = self.start_task(work)
        under_way.add(task)
        task.add_done_callback(under_way.discard)

    def start_task(self, work: Coroutine[Any, Any, None]) -> "asyncio.Task[None]":
        task = self.world.loop.create_task(work)
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)
        return task

    def hear(self, life: str) -> None:
        """A gateway says that it serves; who is frozen hears it once it wakes."""
        if self.stopped:
            self._heard_late = life
        else:
            self._reach.heard(life)

    # --- the end of it ------------------------------------------------------------------------

    async def gate(self) -> None:
        """Let nothing of a dead node through, ever, and nothing of a frozen one for now."""
        while self.stopped:
            if self.dead:
                await self.world.loop.create_future()
            await self._thawed.wait()

    def crash(self) -> None:
        """End at whatever await it stands; what was sent already may still arrive."""
        self.dead = self.stopped = True
        self.frozen_at = None
        self.world.network.leave(self)

    def end(self) -> None:
        """Be over and done with: nothing of it is under way any more."""
        self.crash()
        self.ended = True

    async def drain(self) -> None:
        """End as a process does that is told to: give back every line in good order."""
        self.draining = True
        if self.leases is not None:
            await cancel(list(self._tasks))
            await self.leases.close()
        for line in list(self.owned):
            await self.give(line)
        self.dead = self.stopped = True

    def freeze(self) -> None:
        self.stopped = True
        self.frozen_at = self.world.loop.now
        self._thawed.clear()

    def thaw(self) -> None:
        if not self.dead:
            self.stopped = False
            self.frozen_at = None
            self._thawed.set()
            if self._heard_late:
                self._reach.heard(self._heard_late)
                self._heard_late = ""
