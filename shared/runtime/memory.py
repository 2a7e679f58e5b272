"""What an owner remembers of its streams, and how it is read back from the log."""

from collections import OrderedDict
from collections.abc import AsyncIterator, Callable, Iterable, Mapping, Sequence
from functools import cache, reduce
from typing import Any, Generic, TypeVar

import msgspec
import structlog

from shared.contracts.commit import Cause, hash_of, moment_ms
from shared.contracts.edge import LogRow
from shared.contracts.upcasts import UPCASTS, commit_decoder
from shared.runtime.aggregate import Aggregate, Timers
from shared.runtime.answers import Answers
from shared.runtime.ports import Store, StoreUnavailable
from shared.runtime.snapshots import Snapshot, Snapshots

STREAMS_MAX = 20_000
PAGE = 5_000
READ_ALONE = 150  # As many commits as are read in the time that one more query takes.

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


class Caused(msgspec.Struct, frozen=True):
    """A commit read for its command alone."""

    stream: str
    n: int
    at: str
    cause: Cause


decode_caused = msgspec.json.Decoder(Caused).decode


@cache
def recorded_decoder(
    events: tuple[type[Any], ...], _upcasts: tuple[type[Any], ...]
) -> Callable[[bytes], Any]:
    """Return the decoder of a service's commits: one for all lines, while the upcasts stand."""
    return commit_decoder(Recorded, events)


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
        self._recorded = recorded_decoder(aggregate.events, tuple(UPCASTS))

    def fresh(self) -> Head:
        """Return the head of a stream without commits."""
        return Head(self._initial)

    def learn(self, rows: Sequence[LogRow], answers: Answers) -> None:
        """Learn the young commands of commits that are known already."""
        oldest = answers.oldest
        for row in rows:
            commit = decode_caused(row.data)
            if commit.at >= oldest:
                answers.learn(commit.stream, commit.n, commit.at, commit.cause)

    def fold(self, rows: Sequence[LogRow], answers: Answers, base: Head | None = None) -> Head:
        """Return the head that these commits lead to, learning the young commands on the way."""
        head = base or self.fresh()
        state, question, asked_n = head.state, head.question, head.asked_n
        at, oldest = "", answers.oldest
        for row in rows:
            commit: Recorded[Any] = self._recorded(row.data)
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

    def resumed(self, snapshot: Snapshot) -> Head:
        """Return the head that a snapshot was taken of."""
        state, n, at_ms, prev, asked_n = snapshot
        return Head(state, n, at_ms, prev, self._awaiting(state), asked_n, self._timers(state))

    def moved(self, head: Head, state: Any, n: int, at_ms: int, prev: str) -> Head:
        """Return the head one commit further."""
        question = self._awaiting(state)
        asked_n = head.asked_n if question == head.question else n
        return Head(state, n, at_ms, prev, question, asked_n, self._timers(state))


class Memory:
    """The heads of the streams worked on lately; everything else is read when needed."""

    def __init__(
        self,
        store: Store,
        folding: Folding,
        answers: Answers,
        snapshots: Snapshots | None = None,
    ) -> None:
        self._store = store
        self._folding = folding
        self._answers = answers
        self._snapshots = snapshots if snapshots and snapshots.every else None
        self._long = min(self._snapshots.every, PAGE) if self._snapshots else PAGE
        self._heads: OrderedDict[str, Head] = OrderedDict()
        self._doubted: dict[str, Head] = {}

    async def load(self, streams: Iterable[str]) -> None:
        """Bring these streams into memory; one that cannot be read is a fault of its own."""
        missing: list[str] = []
        for stream in streams:
            if stream in self._heads:
                self._heads.move_to_end(stream)
            else:
                missing.append(stream)
        lengths = await self._lengths(missing)
        for portion in portions(lengths):
            await self._load_together(portion, lengths)

    async def portions(self, streams: Sequence[str]) -> list[list[str]]:
        """Divide streams into groups that can be loaded without anybody waiting for long."""
        return portions(await self._lengths(streams))

    async def _lengths(self, streams: Sequence[str]) -> dict[str, int]:
        """Return about how many commits each stream costs us; nobody asks for one stream's."""
        new = [s for s in streams if s not in self._heads and s not in self._doubted]
        heads = await self._store.heads(new) if len(new) > 1 else dict.fromkeys(new, self._long)
        found = {stream: min(heads.get(stream, 0), self._long) for stream in streams}
        return found | {stream: READ_ALONE for stream in streams if stream in self._doubted}

    async def _load_together(self, streams: Sequence[str], lengths: Mapping[str, int]) -> None:
        """Load some streams; those that are short and new to us are read with one query."""
        short = [s for s in streams if s not in self._doubted and lengths[s] < self._long]
        whole = await self._store.read_streams(short) if short else {}
        for stream in streams:
            try:
                if stream in short:
                    head = self._folding.fold(whole.get(stream, ()), self._answers)
                else:
                    head = await self._read(stream)
            except StoreUnavailable:
                raise
            except Exception:
                log.exception("stream_unreadable", stream=stream)
            else:
                self._heads[stream] = head

    async def _read(self, stream: str) -> Head:
        """Read what is new behind a doubted head that the log still knows, else everything."""
        base = self._doubted.get(stream)
        if base and base.n:
            head = await self._read_on(stream, base, base.n - 1)
            self._doubted.pop(stream, None)
            if head:
                return head
        return await self._read_whole(stream)

    async def _read_whole(self, stream: str) -> Head:
        """Fold a stream from its snapshot, or from its first commit.

        Nobody looks for the snapshot of a stream too short to have one.
        """
        rows = await self._store.read_stream(stream, 0, self._long)
        if len(rows) < self._long:
            return self._folding.fold(rows, self._answers)
        if self._snapshots and (found := await self._snapshots.find(stream)):
            after = await self._before_the_young(stream, found.n)
            if head := await self._read_on(stream, self._folding.resumed(found), after):
                return head
        head = self._folding.fold(rows, self._answers)
        async for rows in self._pages(stream, head.n):
            head = self._folding.fold(rows, self._answers, head)
        return head

    async def _before_the_young(self, stream: str, n: int) -> int:
        """Return after which commit, before this one, all have commands worth learning.

        A snapshot must not hide them: whoever repeats one gets its first answer.
        """
        oldest = self._answers.oldest
        old, young = 0, n
        while young - old > 1:
            middle = (old + young) // 2
            (row,) = await self._store.read_stream(stream, middle - 1, middle)
            if decode_caused(row.data).at < oldest:
                old = middle
            else:
                young = middle
        return young - 1

    async def _read_on(self, stream: str, base: Head, after: int) -> Head | None:
        """Fold what lies behind a head; None where the log does not know it.

        Of the commits from `after` to the head, only the commands are learned.
        """
        head: Head | None = None
        async for rows in self._pages(stream, after):
            known = [row for row in rows if row.n <= base.n]
            self._folding.learn(known, self._answers)
            if known and known[-1].n == base.n:
                if not Snapshots.fits(base.prev, known[-1].data):
                    return None
                head = base
            if head:
                head = self._folding.fold(rows[len(known) :], self._answers, head)
        return head

    async def _pages(self, stream: str, after: int) -> AsyncIterator[list[LogRow]]:
        """Read a stream on from here, so much at a time that nothing else waits for long."""
        while True:
            rows = await self._store.read_stream(stream, after, after + PAGE)
            yield rows
            if len(rows) < PAGE:
                return
            after += PAGE

    def head(self, stream: str) -> Head:
        """Return the head of a loaded stream."""
        try:
            return self._heads[stream]
        except KeyError:
            raise Unreadable(stream) from None

    def knows(self, stream: str) -> bool:
        """Say whether a stream is loaded: one that cannot be read is not."""
        return stream in self._heads

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


def portions(lengths: Mapping[str, int]) -> list[list[str]]:
    """Divide streams into groups of at most PAGE commits, in order."""
    divided: list[list[str]] = []
    room = 0
    for stream, length in lengths.items():
        room -= length
        if room < 0 or not divided:
            divided.append([])
            room = PAGE - length
        divided[-1].append(stream)
    return divided
