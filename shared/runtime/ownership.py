"""Working on a line: an owner with its tasks and requests, from its lease to the end of it."""

import asyncio
from collections.abc import Callable
from contextlib import suppress
from functools import partial
from typing import Any, NamedTuple

from shared.contracts.registry import upstreams_of
from shared.runtime.adapters.postgres import PostgresStore, Threads
from shared.runtime.aggregate import Aggregate
from shared.runtime.edge import Edge
from shared.runtime.gate import Gate
from shared.runtime.health import Health
from shared.runtime.owner import Owner
from shared.runtime.ports import Broker, Clock, Line, Store, StoreUnavailable
from shared.runtime.settings import RuntimeSettings
from shared.runtime.supervisor import Supervisor

WATCH_SECONDS = 1.0
FINISH_SECONDS = 1.0
TRANSACTION_MS = 3_000


class LeasedStore(PostgresStore):
    """A store that writes only while the lease is ours: a frozen owner wakes and may not.

    The log would fence it anyway. It is spared the try, and its timers the wrong moment. Frozen
    within a transaction, it would block its successor: in a pipeline PostgreSQL's time-out for
    idle transactions does not count, the one for whole transactions does.
    """

    def __init__(
        self, database_url: str, line: Line, threads: Threads, fresh: Callable[[Line], bool]
    ) -> None:
        super().__init__(database_url, line, threads)
        given = self._datastore.pool.kwargs
        assert isinstance(given, dict)
        limit = f"-c transaction_timeout={TRANSACTION_MS}"
        given["options"] = f"{given.get('options', '')} {limit}".strip()
        self._line = line
        self._fresh = fresh

    async def append(self, *args: Any, **kwargs: Any) -> int:
        if not self._fresh(self._line):
            raise StoreUnavailable("the lease has run out")
        return await super().append(*args, **kwargs)


class Owned(NamedTuple):
    """A line that this process works on."""

    owner: Owner
    store: PostgresStore
    supervisor: Supervisor
    health: Health


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
    ) -> None:
        self._settings = settings
        self._instance = instance
        self._aggregate = aggregate
        self._broker = broker
        self._edge = edge
        self._clock = clock
        self._health = health
        self._gate = gate
        self._threads = Threads()
        self._owned: dict[Line, Owned] = {}
        self.fresh: Callable[[Line], bool] = self._owned.__contains__

    async def take(self, line: Line) -> None:
        """Decide, time, relay, follow and answer for a line."""
        settings = self._settings
        shards = settings.shards()
        health = Health(self._clock)
        store = LeasedStore(settings.database_url, line, self._threads, self.fresh)
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
        )
        supervisor = Supervisor(self._clock, health)
        self._owned[line] = Owned(owner, store, supervisor, health)
        self._health.include(health)
        owner.start(supervisor, upstream_lines(line.service, shards))
        supervisor.start(f"watch {line}", partial(self._watch, line, store, health))
        owner.serve(self._edge)
        await self._edge.begin(line)

    async def give(self, line: Line) -> None:
        """Take no more requests, answer those that have come, finish the group, stop."""
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
        self._health.exclude(owned.health)
        del self._owned[line]

    async def _watch(self, line: Line, store: Store, health: Health) -> None:
        """Look at the store every second: its own retries would hide an outage for long."""
        what = f"store {line}"
        while True:
            try:
                async with asyncio.timeout(WATCH_SECONDS):
                    await store.last_number()
                health.right(what)
            except (StoreUnavailable, TimeoutError) as error:
                health.wrong(what, f"{type(error).__name__}: {error}")
            await self._clock.sleep(WATCH_SECONDS)

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
