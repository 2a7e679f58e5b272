"""A line owned in the test's own process: the runtime without its edge."""

from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager
from typing import Any

from shared.contracts.commit import Actor, Cause
from shared.contracts.edge import Answer
from shared.runtime.adapters.nats import NatsBroker
from shared.runtime.adapters.postgres import PostgresStore, Threads
from shared.runtime.adapters.read_model import PostgresTables
from shared.runtime.adapters.schema import schema_of
from shared.runtime.adapters.system import SystemClock
from shared.runtime.aggregate import Aggregate
from shared.runtime.health import Health
from shared.runtime.owner import Owner
from shared.runtime.ports import Line
from shared.runtime.read_models import READ_MODELS
from shared.runtime.supervisor import Supervisor

PLAYER = Actor("player", "ply_1")


class Here:
    """One owner with everything a test wants to look at."""

    def __init__(
        self, line: Line, aggregate: Aggregate, dsn: str, broker: NatsBroker, shards: int
    ) -> None:
        self.clock = SystemClock()
        self.health = Health(self.clock)
        self.supervisor = Supervisor(self.clock, self.health)
        self.threads = Threads()
        self.store = PostgresStore(dsn, line, self.threads)
        model = READ_MODELS.get(line.service)
        self.tables = PostgresTables(dsn, schema_of(line), model) if model else None
        self.owner = Owner(
            line,
            aggregate,
            self.store,
            broker,
            self.clock,
            self.health,
            shards,
            "test",
            tables=self.tables,
        )
        self.shard = self.owner.shard

    async def decide(self, stream: str, command: Any, command_id: str | None = None) -> Answer:
        """Submit a command as the intake would."""
        cause = Cause(command=command_id) if command_id else Cause(timer="test")
        return await self.shard.submit(stream, command, PLAYER, cause)

    async def close(self) -> None:
        await self.supervisor.close()
        await self.owner.close()
        self.store.close()
        if self.tables:
            self.tables.close()
        self.threads.close()


@asynccontextmanager
async def owning(
    line: Line,
    aggregate: Aggregate,
    dsn: str,
    broker: NatsBroker,
    upstreams: Sequence[Line] = (),
    shards: int = 1,
) -> AsyncIterator[Here]:
    """Own a line for the length of a block."""
    here = Here(line, aggregate, dsn, broker, shards)
    here.owner.start(here.supervisor, upstreams)
    try:
        yield here
    finally:
        await here.close()
