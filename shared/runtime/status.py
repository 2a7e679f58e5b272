"""What an owner says of its line when asked: for `rollforward status`, never for a decision."""

from collections.abc import Sequence
from functools import cached_property

from shared.contracts.commit import decode, moment_ms
from shared.contracts.edge import (
    Declined,
    Explained,
    Following,
    LineStatus,
    OpenQuestion,
    encode,
)
from shared.runtime.aggregate import Asked, nothing_explained
from shared.runtime.answers import Answers
from shared.runtime.follow import Fact, Take
from shared.runtime.health import Health
from shared.runtime.memory import Folding, Memory, Unreadable
from shared.runtime.ports import Broker, BrokerUnavailable, Clock, Line, StoreUnavailable
from shared.runtime.shard import Shard
from shared.runtime.snapshots import Snapshots

SHOWN_MAX = 100
LATELY = 500


class Status:
    """Reads the log anew at every asking, so that it shows what is, not what is remembered.

    `read` says how far each upstream has been read.
    """

    def __init__(
        self,
        shard: Shard,
        broker: Broker,
        clock: Clock,
        health: Health,
        instance: str,
        build: str,
    ) -> None:
        self.read: dict[Line, int] = {}
        self._shard = shard
        self._store = shard.store
        self._broker = broker
        self._health = health
        self._instance = instance
        self._build = build
        self._since_ms = clock.now_ms()
        self._snapshots = Snapshots(shard.line, self._store, shard.aggregate, build)
        self._clock = clock

    @cached_property
    def _memory(self) -> Memory:
        """A memory of its own, once somebody asks."""
        folding, answers = Folding(self._shard.aggregate), Answers(self._clock)
        return Memory(self._store, folding, answers, self._snapshots)

    def noting(self, upstream: Line, take: Take) -> Take:
        """Note how far an upstream has been read; the log learns of it a little later."""

        async def noted(facts: Sequence[Fact]) -> None:
            await take(facts)
            self.read[upstream] = facts[-1].number

        return noted

    async def answer(self, _data: bytes) -> bytes:
        """Say how this line is (`LineStatus`)."""
        try:
            return encode(await self._status())
        except (StoreUnavailable, BrokerUnavailable) as error:
            return encode(Declined(reason="unavailable", detail=str(error)))

    async def _status(self) -> LineStatus:
        tail = await self._broker.tail(self._shard.line)
        last = await self._store.last_number()
        live = await self._store.live_streams()
        return LineStatus(
            line=str(self._shard.line),
            instance=self._instance,
            build=self._build,
            since_ms=self._since_ms,
            last=last,
            last_m=await self._store.last_m(last),
            relay_lag=max(last - tail.sequence, 0),
            live=len(live),
            following=tuple(
                Following(upstream=str(upstream), position=number)
                for upstream, number in sorted(self.read.items())
            ),
            questions=tuple([await self._open(a) for a in self._shard.questions.open[:SHOWN_MAX]]),
            waiting=await self._waiting(live, last),
            parked=await self._parked(),
            reasons=self._health.reasons(),
        )

    async def _open(self, asked: Asked) -> OpenQuestion:
        """A question is as old as the commit that recorded it."""
        rows = await self._store.read_stream(asked.stream, asked.n - 1, asked.n)
        since_ms = moment_ms(decode(rows[0].data).at) if rows else 0
        what = type(asked.question).__name__
        return OpenQuestion(stream=asked.stream, n=asked.n, what=what, since_ms=since_ms)

    async def _parked(self) -> dict[str, int]:
        parked = await self._store.parked_streams()
        return {upstream: sum(counts.values()) for upstream, counts in parked.items()}

    async def _waiting(self, live: list[str], last: int) -> tuple[Explained, ...]:
        """Ask the aggregate what waits, and what for, in the streams that are live or were lately.

        What waits for a fact alone is not live: it has neither a timer nor a question.
        """
        explain = self._shard.aggregate.explain
        if explain is nothing_explained:
            return ()
        rows = await self._store.read_log(max(last - LATELY, 0), LATELY)
        streams = dict.fromkeys([*live, *[row.stream for row in rows]])
        self._memory.doubt(streams)
        await self._memory.load(streams)
        found: list[Explained] = []
        for stream in streams:
            try:
                state = self._memory.head(stream).state
            except Unreadable as unreadable:
                found.append(Explained(stream=stream, what="stream", why=repr(unreadable)))
            else:
                found += [Explained(stream=stream, what=a, why=b) for a, b in explain(state)]
        return tuple(found[:SHOWN_MAX])
