"""Working on a line: an owner with its tasks and requests, from its lease to the end of it."""

import asyncio
from collections.abc import Callable
from contextlib import suppress
from typing import Any, NamedTuple

from shared.contracts.registry import upstreams_of
from shared.runtime.adapters.postgres import PostgresStore, Threads
from shared.runtime.adapters.read_model import PostgresTables
from shared.runtime.adapters.roles import role_of
from shared.runtime.adapters.schema import schema_of
from shared.runtime.aggregate import Aggregate
from shared.runtime.edge import Edge
from shared.runtime.gate import Gate
from shared.runtime.health import Health
from shared.runtime.owner import Owner
from shared.runtime.ports import Alive, Broker, Clock, Line, StoreUnavailable
from shared.runtime.reach import Reached
from shared.runtime.read_models import READ_MODELS
from shared.runtime.settings import RuntimeSettings
from shared.runtime.shard import GROUPS_AT_ONCE
from shared.runtime.supervisor import Supervisor

FINISH_SECONDS = 1.0


class LeasedStore(PostgresStore):
    """A store that writes only while the lease is ours: a frozen owner wakes and may not.

    The log would fence it anyway. It is spared the try, and its timers the wrong moment.
    """

    def __init__(
        self, database_url: str, line: Line, threads: Threads, fresh: Callable[[Line], bool]
    ) -> None:
        super().__init__(database_url, line, threads, role_of(line.service))
        self._line = line
        self._fresh = fresh

    async def append(self, *args: Any, **kwargs: Any) -> int:
        self._check()
        return await super().append(*args, **kwargs)

    async def beat(self, at_ms: int, since_ms: int) -> Alive:
        if at_ms:
            self._check()
        return await super().beat(at_ms, since_ms)

    def _check(self) -> None:
        if not self._fresh(self._line):
            raise StoreUnavailable("the lease has run out")


class Owned(NamedTuple):
    """A line that this process works on."""

    owner: Owner
    store: PostgresStore
    supervisor: Supervisor
    health: Health
    tables: PostgresTables | None


class Ownership:
    """The lines of one process: taken, given back, dropped as the leases say."""

    def __init__(
        self,
        settings: RuntimeSettings,
        instance: str,
        aggregate: Aggregate,
        broker: Broker,
        edge: Edge,
        clock: Clock,
        health: Health,
        gate: Gate,
        reached: Callable[[], Reached] | None = None,
    ) -> None:
        """`reached` says in which time a gateway certainly reached this process (see `Owner`)."""
        self._settings = settings
        self._instance = instance
        self._aggregate = aggregate
        self._broker = broker
        self._edge = edge
        self._clock = clock
        self._health = health
        self._gate = gate
        self._reached = reached
        self._threads = Threads()
        self._groups = asyncio.Semaphore(GROUPS_AT_ONCE)
        self._owned: dict[Line, Owned] = {}
        self.fresh: Callable[[Line], bool] = self._owned.__contains__

    async def take(self, line: Line) -> None:
        """Decide, time, relay, follow and answer for a line."""
        settings = self._settings
        shards = settings.shards()
        health = Health(self._clock)
        store = LeasedStore(settings.database_url, line, self._threads, self.fresh)
        tables = self._tables(line)
        owner = Owner(
            line,
            self._aggregate,
            store,
            self._broker,
            self._clock,
            health,
            shards[line.service],
            settings.build,
            instance=self._instance,
            gate=self._gate,
            reached=self._reached,
            tables=tables,
            groups=self._groups,
        )
        supervisor = Supervisor(self._clock, health)
        self._owned[line] = Owned(owner, store, supervisor, health, tables)
        self._health.include(health)
        owner.start(supervisor, upstream_lines(line.service, shards))
        owner.serve(self._edge)
        await self._edge.begin(line)

    def _tables(self, line: Line) -> PostgresTables | None:
        model = READ_MODELS.get(line.service)
        if model is None:
            return None
        url, role = self._settings.database_url, role_of(line.service)
        return PostgresTables(url, schema_of(line), model, role)

    async def give(self, line: Line) -> None:
        """Take no more requests, answer those that have come, finish the group, stop."""
        if owned := self._owned.get(line):
            await owned.owner.finish()
        await self._edge.leave(line)
        with suppress(TimeoutError):
            async with asyncio.timeout(FINISH_SECONDS):
                await asyncio.wrap_future(self._threads.writer.submit(int))
        await self.drop(line)

    async def drop(self, line: Line) -> None:
        """Stop at once: another process may work on this line by now.

        Harmless when done before, or broken off halfway.
        """
        owned = self._owned.get(line)
        if owned is None:
            return
        await owned.supervisor.close()
        await self._edge.hush(line)
        await owned.owner.close()
        await self._edge.leave(line)
        owned.store.close()
        if owned.tables:
            owned.tables.close()
        self._health.exclude(owned.health)
        del self._owned[line]

    async def close(self) -> None:
        """Stop whatever is left, such as after a loss of the broker."""
        for line in list(self._owned):
            await self.drop(line)
        self._threads.close()


def upstream_lines(service: str, shards: dict[str, int]) -> list[Line]:
    """Return every line that a service follows."""
    return [
        Line(upstream, number)
        for upstream in upstreams_of(service)
        for number in range(shards[upstream])
    ]
