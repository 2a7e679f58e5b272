"""A line decided on where nothing runs but its database: no broker, no owner, one request.

The shard is an owner's, and so is the fence: were there an owner after all, one of the two would
lose a stream's next number, and decide again on what the other wrote. Nothing is delivered: that
the next owner does, from the log.
"""

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager, suppress

from shared.contracts.commit import Actor, hash_of, raw
from shared.contracts.edge import Answer, Request, decode_answer, encode
from shared.contracts.message import tag_of
from shared.kernel.ids import new_id
from shared.runtime.aggregate import Aggregate
from shared.runtime.follow import GROUP_MAX, Fact
from shared.runtime.health import Health
from shared.runtime.intake import Intake
from shared.runtime.ports import (
    Clock,
    Entropy,
    Line,
    NoResponders,
    Position,
    StartRefused,
    Store,
)
from shared.runtime.reacting import Reactor
from shared.runtime.shard import Shard
from shared.runtime.supervisor import LineStopped, cancel

LOOK_SECONDS = 0.05


class NoBroker:
    """Where there is no broker, nobody answers."""

    async def request(self, subject: str, data: bytes, timeout: float) -> bytes:  # noqa: ARG002
        raise NoResponders(subject)


class Alone:
    """One line, worked on by nobody else."""

    def __init__(self, shard: Shard, shards: int, clock: Clock, entropy: Entropy) -> None:
        self._shard = shard
        self._shards = shards
        self._clock = clock
        self._entropy = entropy

    async def take_in(self, upstream: Line, log: Store) -> None:
        """Take in all that an upstream has committed, out of its own log.

        Raise LineStopped when that is not the one which was read before.
        """
        position = await self._shard.store.position(str(upstream))
        await verify(upstream, log, position)
        await self._shard.look_into_inbox()
        reactor = Reactor(upstream, self._shard, self._shards, position, self._clock)
        reached = position.reached
        while rows := await log.read_log(reached, GROUP_MAX, "m"):
            await reactor.take([Fact(row.number, row.data) for row in rows])
            reached = rows[-1].number

    async def decide(self, stream: str, command: object, by: Actor) -> Answer:
        """Decide one request, checked as those that come over a broker are."""
        request = Request(
            id=new_id("cmd", self._clock.now_ms(), self._entropy(10)),
            by=by,
            stream=stream,
            command=raw(command),
        )
        verb = tag_of(type(command)).split(".")[1]
        return decode_answer.decode(await self.answer(verb, encode(request)))

    async def answer(self, verb: str, request: bytes) -> bytes:
        """Answer a request as it comes over a broker."""
        return await Intake(self._shard, self._shards, self._clock).verbs()[verb](request)

    async def questions_answered(self, seconds: float) -> None:
        """Wait until nothing that this line asks is open, but not for ever."""
        with suppress(TimeoutError):
            async with asyncio.timeout(seconds):
                while self._shard.questions.open:
                    await self._clock.sleep(LOOK_SECONDS)


@asynccontextmanager
async def working_alone(
    line: Line,
    aggregate: Aggregate,
    store: Store,
    shards: int,
    clock: Clock,
    entropy: Entropy,
    build: str,
) -> AsyncIterator[Alone]:
    """Work on a line for the length of a block; raise StartRefused when its log has a hole."""
    missing = await store.first_missing()
    if missing is not None:
        raise StartRefused(f"the log of {line} lacks its commit {missing}")
    shard = Shard(line, aggregate, store, clock, Health(clock), build)
    deciding = asyncio.create_task(shard.run())
    try:
        yield Alone(shard, shards, clock, entropy)
    finally:
        await cancel([deciding])
        await shard.close()


async def verify(upstream: Line, log: Store, position: Position) -> None:
    """Compare the commit at a position with the one in the upstream's log."""
    if not position.reached:
        return
    rows = await log.read_log(position.reached - 1, 1)
    if not rows or rows[0].number != position.reached:
        raise LineStopped(f"{upstream} has no commit {position.reached}, which was read before")
    if hash_of(rows[0].data) != position.last_hash:
        raise LineStopped(f"{upstream} has another commit {position.reached} than was read before")
