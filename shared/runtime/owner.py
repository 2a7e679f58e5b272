"""Everything that runs while a process owns a line: decide, time, relay, follow, answer.

Nothing is decided on a log in which a commit is missing, or that its stream contradicts: the line
stops and says why. It still answers what is asked of its log and how it is, and nothing else.
A contradiction in an upstream stops the reading of that upstream alone.
"""

import asyncio
from collections.abc import Awaitable, Callable, Sequence
from functools import partial

from shared.runtime.aggregate import Aggregate
from shared.runtime.edge import Edge
from shared.runtime.follow import Follower
from shared.runtime.gate import Gate
from shared.runtime.health import Health
from shared.runtime.intake import Intake
from shared.runtime.log_reading import Serve
from shared.runtime.ports import Broker, Clock, Conflict, Line, Store, StoreUnavailable
from shared.runtime.projection import Projection, Tables
from shared.runtime.pulse import Pulse
from shared.runtime.reach import Reached, WithoutGateways
from shared.runtime.reacting import Reactor
from shared.runtime.relay import Relay
from shared.runtime.shard import Shard
from shared.runtime.status import Status
from shared.runtime.supervisor import LineStopped, Supervisor

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
        reached: Callable[[], Reached] | None = None,
        tables: Tables | None = None,
        groups: asyncio.Semaphore | None = None,
    ) -> None:
        """Timers fire only while the gate is open and players have reached us lately.

        `reached` says in which time they certainly could; without it, they always can. Without
        `tables` there is no read model, and no read is answered.
        """
        self.line = line
        self.shard = Shard(line, aggregate, store, clock, health, build, groups)
        self._store = store
        self._broker = broker
        self._clock = clock
        self._health = health
        self._shards = shards
        reached = reached or WithoutGateways(clock).reached
        self._pulse = Pulse(line, self.shard.credit, store, clock, health, gate or Gate(), reached)
        self._gapless = asyncio.Event()
        self._relay = Relay(line, store, broker, clock, self.shard.committed)
        rows_of = aggregate.rows_of
        self._projection = (
            Projection(line, rows_of, store, tables, clock, self.shard.to_project)
            if tables and rows_of
            else None
        )
        self._status = Status(self.shard, broker, clock, health, instance, build)

    def start(self, supervisor: Supervisor, upstreams: Sequence[Line]) -> None:
        """Start the line's tasks; it is not ready before all that waits was taken up."""
        self._health.wrong(f"take up {self.line}", "what is live is being read")
        for name, proof in (("log", self._look_for_gaps), ("relay", self._relay_once_gapless)):
            task = f"{name} {self.line}"
            supervisor.start(task, partial(self._or_stop, proof, task, supervisor))
        supervisor.start(f"pulse {self.line}", self._pulse.run)
        for name, work in (
            ("decide", self.shard.run),
            ("timers", self._time),
            ("take up", self._take_up_again),
            ("snapshots", self.shard.snapshots.run),
        ):
            supervisor.start(f"{name} {self.line}", partial(self._once_proven, work))
        if self._projection:
            project = partial(self._projection.run, self._health)
            supervisor.start(f"projection {self.line}", partial(self._once_proven, project))
        for upstream in upstreams:
            follow = partial(self._once_proven, partial(self._follow, upstream))
            supervisor.start(f"follow {upstream} for {self.line}", follow)

    async def _look_for_gaps(self) -> None:
        """Let the line begin once its newest commits are all there; then there is no more to do."""
        what = f"log {self.line}"
        while not self._gapless.is_set():
            try:
                missing = await self._store.first_missing()
            except StoreUnavailable as error:
                self._health.wrong(what, f"{type(error).__name__}: {error}")
                await self._clock.sleep(RETRY_SECONDS)
            else:
                if missing is not None:
                    raise LineStopped(f"the log lacks its commit {missing}")
                self._health.right(what)
                self._gapless.set()
        await asyncio.Event().wait()

    async def _relay_once_gapless(self) -> None:
        await self._gapless.wait()
        await self._relay.run(self._health)

    async def _once_proven(self, work: Callable[[], Awaitable[None]]) -> None:
        """Begin once log and stream are known to be what they say."""
        await self._gapless.wait()
        await self._relay.agreed.wait()
        await work()

    async def _or_stop(
        self, proof: Callable[[], Awaitable[None]], task: str, supervisor: Supervisor
    ) -> None:
        """Prove for ever that the line may go on; once it may not, nothing else goes on either."""
        try:
            await proof()
        except LineStopped as stopped:
            await self.shard.stop(str(stopped))
            await supervisor.end_others(task)
            raise

    async def _time(self) -> None:
        """Take up what waits since before our time, then fire timers for ever."""
        await self._take_up()
        self._pulse.begin()
        await self.shard.fire_timers(self._pulse.steady)

    async def _take_up_again(self) -> None:
        """Take up what was written without our knowing.

        A try of ours that seemed to fail is a reason to look, and so is time: another owner that
        was here tells nobody.
        """
        while True:
            await self.shard.doubted.wait(TAKE_UP_SECONDS)
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
        edge.serve(self.line, self.verbs())

    def verbs(self) -> dict[str, Serve]:
        """Return a handler for each verb that this line is asked with."""
        intake = Intake(self.shard, self._shards, self._clock, self._projection)
        return {**intake.verbs(), "status": self._status.answer}

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

    async def finish(self) -> None:
        """Say that it was well up to now: the line is about to be given to another."""
        if not self.shard.stopped:
            await self._pulse.finish()

    async def close(self) -> None:
        """Stop what this line asks of others."""
        await self.shard.close()
