"""What an owner remembers of its streams, and how it is read back from the log."""

from collections import OrderedDict
from collections.abc import Callable, Iterable
from typing import Any

import msgspec

from shared.contracts.commit import Commit, decode, hash_of, moment_ms
from shared.contracts.edge import LogRow
from shared.contracts.message import tag_of
from shared.runtime.aggregate import Aggregate, Timers
from shared.runtime.ports import Store

STREAMS_MAX = 20_000

Learn = Callable[[Commit], None]


def ignore(_: Commit) -> None:
    """Learn nothing."""


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
        self._decoders = {
            tag_of(event): msgspec.json.Decoder(event).decode for event in aggregate.events
        }
        self._type = msgspec.json.Decoder(dict[str, msgspec.Raw])

    def fresh(self) -> Head:
        """Return the head of a stream without commits."""
        return Head(self._initial)

    def fold(self, rows: Iterable[LogRow], learn: Learn = ignore) -> Head:
        """Return the head that these commits lead to, showing each of them to `learn`."""
        head = self.fresh()
        for row in rows:
            commit = decode(row.data)
            head = self._after(head, row, commit)
            learn(commit)
        return head

    def _after(self, head: Head, row: LogRow, commit: Commit) -> Head:
        state = head.state
        for event in commit.events:
            state = self._evolve(state, self.event(event))
        digest = hash_of(row.data).hex()
        return self.moved(head, state, row.n, moment_ms(commit.at), digest)

    def event(self, data: msgspec.Raw) -> Any:
        """Decode one of the own events; an unknown tag is a log from a newer build."""
        tag = msgspec.json.decode(self._type.decode(data)["type"], type=str)
        return self._decoders[tag](data)

    def moved(self, head: Head, state: Any, n: int, at_ms: int, prev: str) -> Head:
        """Return the head one commit further."""
        question = self._awaiting(state)
        asked_n = head.asked_n if question == head.question else n
        return Head(state, n, at_ms, prev, question, asked_n, self._timers(state))


class Memory:
    """The heads of the streams worked on lately; everything else is read when needed."""

    def __init__(self, store: Store, folding: Folding, learn: Learn = ignore) -> None:
        self._store = store
        self._folding = folding
        self._learn = learn
        self._heads: OrderedDict[str, Head] = OrderedDict()

    async def load(self, streams: Iterable[str]) -> None:
        """Bring these streams into memory."""
        for stream in streams:
            if stream in self._heads:
                self._heads.move_to_end(stream)
            else:
                rows = await self._store.read_stream(stream)
                self._heads[stream] = self._folding.fold(rows, self._learn)

    def head(self, stream: str) -> Head:
        """Return the head of a loaded stream."""
        return self._heads[stream]

    def keep(self, heads: dict[str, Head]) -> None:
        """Remember what was committed, and let go of what was not used for longest."""
        self._heads.update(heads)
        while len(self._heads) > STREAMS_MAX:
            self._heads.popitem(last=False)

    def forget(self, streams: Iterable[str] | None = None) -> None:
        """Forget these streams, or all: the log knows."""
        if streams is None:
            self._heads.clear()
            return
        for stream in streams:
            self._heads.pop(stream, None)
