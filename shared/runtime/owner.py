"""Everything that runs while a process owns a line: decide, time, relay, follow, answer."""

import asyncio
from collections.abc import Sequence
from contextlib import suppress
from functools import partial

from shared.runtime.aggregate import Aggregate
from shared.runtime.edge import Edge
from shared.runtime.follow import Follower
from shared.runtime.gate import Gate
from shared.runtime.health import Health
from shared.runtime.intake import Intake
from shared.runtime.ports import Broker, Clock, Conflict, Line, Store, StoreUnavailable
from shared.runtime.reacting import Reactor
from shared.runtime.relay import Relay
from shared.runtime.shard import Shard
from shared.runtime.status import Status
from shared.runtime.supervisor import Supervisor, cancel

RETRY_SECONDS = 0.2
TAKE_UP_SECONDS = 5.0


class Owner:
    """One owned line with its tasks; several may exist at once, and the log fences them."""

    def __init__(
        self,
        line: Line,
        aggregate: Aggregate,
        store: Store,
        broker: Broker,
        clock: Clock,
        health: Health,
        shards: int,
        build: str,
        *,
        instance: str = "",
        gate: Gate | None = None,
    ) -> None:
        """Timers fire only while the gate is open; without one, always."""
        self.line = line
        self.shard = Shard(line, aggregate, store, clock, health, build)
        self._store = store
        self._broker = broker
        self._clock = clock
        self._health = health
        self._shards = shards
        self._gate = gate
        self._status = Status(self.shard, broker, clock, health, instance, build)

    def start(self, supervisor: Supervisor, upstreams: Sequence[Line]) -> None:
        """Start the line's tasks; it is not ready before all that waits was taken up."""
        self._health.wrong(f"take up {self.line}", "what is live is being read")
        supervisor.start(f"decide {self.line}", self.shard.run)
        supervisor.start(f"timers {self.line}", self._time)
        supervisor.start(f"take up {self.line}", self._take_up_again)
        relay = Relay(self.line, self._store, self._broker, self._clock, self.shard.committed)
        supervisor.start(f"relay {self.line}", lambda: relay.run(self._health))
        for upstream in upstreams:
            supervisor.start(f"follow {upstream} for {self.line}", partial(self._follow, upstream))

    async def _time(self) -> None:
        """Take up what waits since before our time, then fire timers for ever."""
        await self._take_up()
        if self._gate is None:
            await self.shard.fire_timers()
            return
        while True:
            await self._gate.opened()
            await self._fire_until_closed(self._gate)

    async def _fire_until_closed(self, gate: Gate) -> None:
        """Nobody's clock may run out while we do not know whether we are the one to say so."""
        firing = asyncio.create_task(self.shard.fire_timers())
        closing = asyncio.create_task(gate.closed())
        try:
            await asyncio.wait({firing, closing}, return_when=asyncio.FIRST_COMPLETED)
            if firing.done():
                firing.result()
        finally:
            await cancel([firing, closing])

    async def _take_up_again(self) -> None:
        """Take up what was written without our knowing.

        A try of ours that seemed to fail is a reason to look, and so is time: another owner that
        was here tells nobody.
        """
        while True:
            with suppress(TimeoutError):
                async with asyncio.timeout(TAKE_UP_SECONDS):
                    await self.shard.doubted.wait()
            await self._take_up()

    async def _take_up(self) -> None:
        """Arm timers and questions of the past, however long the store keeps us waiting."""
        what = f"take up {self.line}"
        while True:
            try:
                await self.shard.take_up()
            except StoreUnavailable as error:
                self._health.wrong(what, f"{type(error).__name__}: {error}")
                await self._clock.sleep(RETRY_SECONDS)
            else:
                self._health.right(what)
                return

    def serve(self, edge: Edge) -> None:
        """Answer requests for this line."""
        verbs = Intake(self.shard, self._shards, self._clock).verbs()
        edge.serve(self.line, {**verbs, "status": self._status.answer})

    async def _follow(self, upstream: Line) -> None:
        """Follow from where the store says, again and again: a conflict moves the position."""
        while True:
            try:
                position = await self._store.position(str(upstream))
                self._status.read[upstream] = position.reached
                await self.shard.look_into_inbox()
                reactor = Reactor(upstream, self.shard, self._shards, position, self._clock)
                follower = Follower(
                    upstream, "m", position, self._broker, self._clock, str(self.line)
                )
                await follower.run(self._status.noting(upstream, reactor.take), self._health)
            except (Conflict, StoreUnavailable):
                await self._clock.sleep(RETRY_SECONDS)

    async def close(self) -> None:
        """Stop what this line asks of others."""
        await self.shard.close()
