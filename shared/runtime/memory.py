"""What an owner remembers of its streams, and how it is read back from the log."""

from collections import OrderedDict
from collections.abc import Callable, Iterable, Sequence
from functools import reduce
from operator import or_
from typing import Any, Generic, TypeVar

import msgspec
import structlog

from shared.contracts.commit import Cause, hash_of, moment_ms
from shared.contracts.edge import LogRow
from shared.runtime.aggregate import Aggregate, Timers
from shared.runtime.answers import Answers
from shared.runtime.ports import Store

STREAMS_MAX = 20_000

E = TypeVar("E")

log = structlog.get_logger()


class Unreadable(Exception):
    """A stream that cannot be folded, such as one written by a newer build."""


class Recorded(msgspec.Struct, Generic[E], frozen=True):
    """A commit as its own service reads it back, events and all in one pass."""

    stream: str
    n: int
    at: str
    cause: Cause
    events: tuple[E, ...]


class Head(msgspec.Struct, frozen=True):
    """A stream as of its last commit; `asked_n` is the commit that recorded the question."""

    state: Any
    n: int = 0
    at_ms: int = 0
    prev: str = ""
    question: Any = None
    asked_n: int = 0
    timers: Timers = ()

    @property
    def live(self) -> bool:
        """Whether the owner has something to do for this stream on its own account."""
        return self.question is not None or bool(self.timers)


class Folding:
    """Turns rows of one kind of stream back into its head."""

    def __init__(self, aggregate: Aggregate) -> None:
        self._evolve = aggregate.decider.evolve
        self._initial = aggregate.decider.initial
        self._awaiting = aggregate.awaiting
        self._timers = aggregate.timers
        event: Any = reduce(or_, aggregate.events)
        self._recorded: Callable[[bytes], Recorded[Any]] = msgspec.json.Decoder(
            Recorded[event]
        ).decode

    def fresh(self) -> Head:
        """Return the head of a stream without commits."""
        return Head(self._initial)

    def fold(self, rows: Sequence[LogRow], answers: Answers, base: Head | None = None) -> Head:
        """Return the head that these commits lead to, learning the young commands on the way."""
        head = base or self.fresh()
        state, question, asked_n = head.state, head.question, head.asked_n
        at, oldest = "", answers.oldest
        for row in rows:
            commit = self._recorded(row.data)
            at = commit.at
            state = reduce(self._evolve, commit.events, state)
            question, before = self._awaiting(state), question
            asked_n = asked_n if question == before else row.n
            if at >= oldest:
                answers.learn(commit.stream, commit.n, at, commit.cause)
        if not rows:
            return head
        prev = hash_of(rows[-1].data).hex()
        timers = self._timers(state)
        return Head(state, rows[-1].n, moment_ms(at), prev, question, asked_n, timers)

    def moved(self, head: Head, state: Any, n: int, at_ms: int, prev: str) -> Head:
        """Return the head one commit further."""
        question = self._awaiting(state)
        asked_n = head.asked_n if question == head.question else n
        return Head(state, n, at_ms, prev, question, asked_n, self._timers(state))


class Memory:
    """The heads of the streams worked on lately; everything else is read when needed."""

    def __init__(self, store: Store, folding: Folding, answers: Answers) -> None:
        self._store = store
        self._folding = folding
        self._answers = answers
        self._heads: OrderedDict[str, Head] = OrderedDict()
        self._doubted: dict[str, Head] = {}

    async def load(self, streams: Iterable[str]) -> None:
        """Bring these streams into memory; one that cannot be read is a fault of its own."""
        for stream in streams:
            if stream in self._heads:
                self._heads.move_to_end(stream)
                continue
            rows, base = await self._read(stream)
            try:
                self._heads[stream] = self._folding.fold(rows, self._answers, base)
            except Exception:
                log.exception("stream_unreadable", stream=stream)

    async def _read(self, stream: str) -> tuple[list[LogRow], Head | None]:
        """Read what is new behind a doubted head that the log still knows, else everything."""
        base = self._doubted.get(stream)
        if base and base.n:
            rows = await self._store.read_stream(stream, after=base.n - 1)
            del self._doubted[stream]
            if rows and hash_of(rows[0].data).hex() == base.prev:
                return rows[1:], base
        return await self._store.read_stream(stream), None

    def head(self, stream: str) -> Head:
        """Return the head of a loaded stream."""
        try:
            return self._heads[stream]
        except KeyError:
            raise Unreadable(stream) from None

    def is_live(self, stream: str) -> bool:
        """Say whether this stream waits for something as far as memory goes."""
        return stream in self._heads and self._heads[stream].live

    def keep(self, heads: dict[str, Head]) -> None:
        """Remember what was committed, and let go of what was not used for longest."""
        self._heads.update(heads)
        while len(self._heads) > STREAMS_MAX:
            self._heads.popitem(last=False)

    def doubt(self, streams: Iterable[str] | None = None) -> None:
        """Believe these heads, or all, only after another look at the log."""
        for stream in list(self._heads) if streams is None else streams:
            if head := self._heads.pop(stream, None):
                self._doubted[stream] = head
        while len(self._doubted) > STREAMS_MAX:
            del self._doubted[next(iter(self._doubted))]
