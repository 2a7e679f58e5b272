"""Upstream facts made inputs of one shard: routed, decoded one by one, addressed."""

from collections.abc import Mapping, Sequence
from typing import Any

import msgspec

from shared.contracts.commit import (
    Actor,
    Cause,
    Commit,
    decode,
    decode_type,
    hash_of,
    moment_ms,
)
from shared.contracts.registry import REGISTRY
from shared.kernel.sharding import shard_of
from shared.runtime.aggregate import Aggregate, Origin
from shared.runtime.deciding import Input
from shared.runtime.follow import Fact
from shared.runtime.ports import Advance, Clock, Line, Position
from shared.runtime.shard import FactNotTaken, Shard
from shared.runtime.supervisor import LineStopped

UNCONCERNED_MS = 5_000

DECODERS: Mapping[str, Any] = {
    tag: msgspec.json.Decoder(registered.type).decode for tag, registered in REGISTRY.items()
}


class Reactor:
    """Feeds one upstream line into one shard; its `take` is what a Follower calls.

    Positions that concern nobody here are written every five seconds only.
    """

    def __init__(
        self, upstream: Line, shard: Shard, shards: int, position: Position, clock: Clock
    ) -> None:
        self._upstream = upstream
        self._shard = shard
        self._shards = shards
        self._written = position.reached
        self._clock = clock
        self._written_ms = clock.now_ms()

    async def take(self, facts: Sequence[Fact]) -> None:
        """Decide what follows from these facts, with the position in the same transaction.

        Raise Conflict when another owner was here: the follower starts again from the store.
        Raise LineStopped at the first fact that cannot be taken in; those before it stand.
        """
        try:
            await self._take(facts)
        except FactNotTaken as fault:
            if len(facts) == 1:
                raise LineStopped(f"{self._upstream} {facts[0].number}: {fault}") from fault
            for fact in facts:
                await self.take([fact])

    async def _take(self, facts: Sequence[Fact]) -> None:
        inputs = [given for fact in facts for given in self._inputs(fact)]
        overdue = self._clock.now_ms() - self._written_ms >= UNCONCERNED_MS
        if not inputs and not overdue:
            return
        last = facts[-1]
        digest = hash_of(last.data)
        advance = Advance(str(self._upstream), self._written, last.number, digest)
        await self._shard.react(inputs, advance)
        self._written = last.number
        self._written_ms = self._clock.now_ms()

    def _inputs(self, fact: Fact) -> list[Input]:
        """The inputs that a fact means for this shard; whatever goes wrong is the fact's fault."""
        try:
            return self._read(fact)
        except Exception as error:
            raise FactNotTaken(f"cannot be read: {error!r}") from error

    def _read(self, fact: Fact) -> list[Input]:
        commit = decode(fact.data)
        routed = [self._routed(raw) for raw in commit.events]
        origin = Origin(str(self._upstream), fact.number, commit.stream, moment_ms(commit.at))
        return [
            self._input(event, commit, origin)
            for event in routed
            if event is not None and self._is_ours(event)
        ]

    def _routed(self, raw: msgspec.Raw) -> Any:
        """Decode an event that is routed to us; others are skipped unread."""
        tag = decode_type(raw).type
        registered = REGISTRY.get(tag)
        if registered is None or self._shard.line.service not in registered.routed_to:
            return None
        return DECODERS[tag](raw)

    def _is_ours(self, event: Any) -> bool:
        stream = self._aggregate.reactions[type(event)].stream(event)
        return shard_of(stream, self._shards) == self._shard.line.shard

    @property
    def _aggregate(self) -> Aggregate:
        return self._shard.aggregate

    def _input(self, event: Any, commit: Commit, origin: Origin) -> Input:
        reaction = self._aggregate.reactions[type(event)]
        return Input(
            stream=reaction.stream(event),
            command=reaction.command(event, origin),
            by=Actor("service", self._shard.line.service),
            cause=Cause(fact=origin.line, number=origin.number),
            saga=commit.saga or commit.stream,
            at_ms=origin.at_ms,
        )
