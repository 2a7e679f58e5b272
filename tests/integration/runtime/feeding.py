"""A shard on a real store, fed with upstream commits by hand: no broker, and no tasks."""

import json
from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager

import msgspec

from shared.contracts import commit as commits
from shared.contracts.commit import Actor, Cause, Commit
from shared.contracts.edge import Retried, RetryInbox, decode_retried, encode
from shared.runtime.adapters.postgres import PostgresStore, Threads
from shared.runtime.adapters.system import SystemClock
from shared.runtime.aggregate import Aggregate
from shared.runtime.follow import Fact
from shared.runtime.health import Health
from shared.runtime.intake import Intake
from shared.runtime.ports import Line, NewCommit
from shared.runtime.reacting import Reactor
from shared.runtime.shard import Shard


def commit_of(line: Line, stream: str, n: int, *events: bytes, prev: str = "") -> bytes:
    """Write a commit as a newer or a broken build of its service would."""
    commit = Commit(
        stream=stream,
        n=n,
        at="2026-01-01T00:00:00.000Z",
        by=Actor("service", line.service),
        cause=Cause(timer="test"),
        saga=None,
        build="other",
        prev=prev,
        events=tuple(map(msgspec.Raw, events)),
    )
    return commits.encode(commit)


async def record(dsn: str, line: Line, data: bytes, n: int = 1) -> int:
    """Put a commit into a log without asking its service; return its number."""
    stream = str(json.loads(data).get("stream", "ctr_nothing"))
    threads = Threads()
    store = PostgresStore(dsn, line, threads)
    number = await store.append([NewCommit(stream, n, "m", data)])
    store.close()
    threads.close()
    return number


def facts(upstream: Line, *given: tuple[str, bytes], first: int = 1) -> list[Fact]:
    """Number commits of one event each, by stream and event, as they stand in an upstream log."""
    return [
        Fact(number, commit_of(upstream, stream, number, event))
        for number, (stream, event) in enumerate(given, first)
    ]


class Fed:
    """What a test does with such a shard."""

    def __init__(self, line: Line, aggregate: Aggregate, store: PostgresStore, shards: int) -> None:
        self.clock = SystemClock()
        self.health = Health(self.clock)
        self.store = store
        self.shard = Shard(line, aggregate, store, self.clock, self.health, "test")
        self.shards = shards
        self.verbs = Intake(self.shard, shards, self.clock).verbs()

    async def take(self, upstream: Line, facts: Sequence[Fact]) -> None:
        """Take facts as a follower would bring them, those that were read before left out."""
        position = await self.store.position(str(upstream))
        await self.shard.look_into_inbox()
        reactor = Reactor(upstream, self.shard, self.shards, position, self.clock)
        await reactor.take([fact for fact in facts if fact.number > position.reached])

    async def retry(self) -> Retried:
        """Feed what is parked again, through the verb."""
        answer = decode_retried.decode(await self.verbs["inbox-retry"](encode(RetryInbox())))
        assert isinstance(answer, Retried), answer
        return answer

    async def parked(self, upstream: Line) -> dict[int, str]:
        """Return why which fact is parked."""
        return {row.number: row.reason for row in await self.store.parked(str(upstream), 0, 1000)}


@asynccontextmanager
async def fed(dsn: str, line: Line, aggregate: Aggregate, shards: int = 1) -> AsyncIterator[Fed]:
    """Have a shard for the length of a block."""
    threads = Threads()
    store = PostgresStore(dsn, line, threads)
    one = Fed(line, aggregate, store, shards)
    try:
        yield one
    finally:
        await one.shard.close()
        store.close()
        threads.close()
