"""Upstream facts made inputs of one shard: routed, decoded one by one, addressed."""

from collections.abc import Mapping, Sequence
from typing import Any

import msgspec
import structlog

from shared.contracts.commit import (
    Actor,
    Cause,
    Commit,
    decode,
    decode_type,
    hash_of,
    moment_ms,
)
from shared.contracts.registry import REGISTRY, is_unknown_version
from shared.contracts.upcasts import event_decoder
from shared.kernel.sharding import shard_of
from shared.runtime.aggregate import Aggregate, Origin
from shared.runtime.deciding import Input
from shared.runtime.follow import Fact
from shared.runtime.parking import Read
from shared.runtime.ports import Advance, Clock, Line, Position
from shared.runtime.shard import Shard
from shared.runtime.supervisor import LineStopped

UNCONCERNED_MS = 5_000

DECODERS: Mapping[str, Any] = {
    tag: event_decoder(registered.type) for tag, registered in REGISTRY.items()
}


log = structlog.get_logger()


class UnknownVersion(Exception):
    """An event that we have to understand, written by a build newer than this one."""


class Reading:
    """Reads the commits of one upstream line as one shard has to understand them."""

    def __init__(self, upstream: str, line: Line, shards: int, aggregate: Aggregate) -> None:
        self._upstream = upstream
        self._line = line
        self._shards = shards
        self._aggregate = aggregate

    def read(self, number: int, data: bytes) -> Read:
        """Read one fact; raise LineStopped when not even its stream can be told."""
        commit = self._commit(number, data)
        try:
            inputs = self._inputs(number, commit)
        except Exception as error:
            log.exception("fact_unreadable", upstream=self._upstream, number=number)
            return Read(number, commit.stream, data, fault=f"cannot be read: {error!r}")
        return Read(number, commit.stream, data, inputs)

    def _commit(self, number: int, data: bytes) -> Commit:
        try:
            commit = decode(data)
        except (msgspec.MsgspecError, UnicodeError, RecursionError) as error:
            raise LineStopped(f"{self._upstream} {number}: cannot be read: {error!r}") from error
        if not commit.stream.isprintable():
            raise LineStopped(f"{self._upstream} {number}: no stream has this name")
        return commit

    def _inputs(self, number: int, commit: Commit) -> tuple[Input, ...]:
        routed = [self._routed(raw) for raw in commit.events]
        origin = Origin(self._upstream, number, commit.stream, moment_ms(commit.at))
        inputs = [self._input(event, commit, origin) for event in routed if event is not None]
        return tuple([given for given in inputs if self._is_ours(given.stream)])

    def _routed(self, raw: msgspec.Raw) -> Any:
        """Decode an event that is routed to us, to the newest; others are skipped unread."""
        tag = decode_type(raw).type
        registered = REGISTRY.get(tag)
        if registered is not None:
            routed = self._line.service in registered.routed_to
            return DECODERS[tag](raw) if routed else None
        if is_unknown_version(tag, self._line.service):
            raise UnknownVersion(tag)
        return None

    def _is_ours(self, stream: str) -> bool:
        if not self._aggregate.owns(stream):
            raise ValueError(f"no stream of {self._line.service}: {stream[:64]!r}")
        return shard_of(stream, self._shards) == self._line.shard

    def _input(self, event: Any, commit: Commit, origin: Origin) -> Input:
        reaction = self._aggregate.reactions[type(event)]
        return Input(
            stream=reaction.stream(event),
            command=reaction.command(event, origin),
            by=Actor("service", self._line.service),
            cause=Cause(fact=origin.line, number=origin.number),
            saga=commit.saga or commit.stream,
            at_ms=origin.at_ms,
        )


class Reactor:
    """Feeds one upstream line into one shard; its `take` is what a Follower calls.

    Positions that concern nobody here are written every five seconds only.
    """

    def __init__(
        self, upstream: Line, shard: Shard, shards: int, position: Position, clock: Clock
    ) -> None:
        self._upstream = str(upstream)
        self._shard = shard
        self._reading = Reading(self._upstream, shard.line, shards, shard.aggregate)
        self._written = position.reached
        self._clock = clock
        self._written_ms = clock.now_ms()

    async def take(self, facts: Sequence[Fact]) -> None:
        """Decide what follows from these facts, with the position in the same transaction.

        Raise Conflict when another owner was here: the follower starts again from the store.
        Raise LineStopped at the first commit that tells nothing; what comes before it stands.
        """
        read: list[Read] = []
        for fact in facts:
            try:
                read.append(self._reading.read(*fact))
            except LineStopped:
                await self._take(facts[: len(read)], read)
                raise
        await self._take(facts, read)

    async def _take(self, facts: Sequence[Fact], read: Sequence[Read]) -> None:
        concerning = [fact for fact in read if fact.concerns_us]
        overdue = self._clock.now_ms() - self._written_ms >= UNCONCERNED_MS
        if not facts or not (concerning or overdue):
            return
        last = facts[-1]
        advance = Advance(self._upstream, self._written, last.number, hash_of(last.data))
        await self._shard.react(concerning, advance)
        self._written = last.number
        self._written_ms = self._clock.now_ms()
