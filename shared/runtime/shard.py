"""The owner of one line: takes inputs, decides them in groups, commits, answers, arms.

Everything that wants to change a stream of this line comes through here: requests from the
edge, upstream facts from the followers, answers to questions, timers. One group is one
transaction; nothing is answered or started before it is durable. What another owner wrote
shows as a conflict, and then the memory is forgotten and the group decided again.
"""

import asyncio
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from functools import partial
from typing import Any

import structlog

from shared.contracts.commit import Actor, Cause, decode, moment
from shared.contracts.edge import Answer, Declined
from shared.contracts.message import OutageOver, TimerFired
from shared.runtime.aggregate import Aggregate, Asked, nothing_to_prepare
from shared.runtime.alarms import Alarms
from shared.runtime.answers import Answers
from shared.runtime.bell import Bell
from shared.runtime.deciding import Batch, Input, as_answer
from shared.runtime.health import Health
from shared.runtime.inbox import Inbox
from shared.runtime.inputs import Inputs, Waiting, tell
from shared.runtime.memory import Folding, Head, Memory
from shared.runtime.metrics import (
    APPEND_SECONDS,
    BATCH_COMMITS,
    COMMITS,
    CONFLICTS,
    FAULTS,
    REFUSALS,
)
from shared.runtime.parking import Read, Untaken, as_parked, changed, take_in_order
from shared.runtime.ports import (
    Advance,
    Clock,
    Conflict,
    Line,
    Liveness,
    Parked,
    Store,
    StoreUnavailable,
)
from shared.runtime.questions import Questions
from shared.runtime.snapshots import Snapshots

GROUP_MAX = 256
GROUPS_AT_ONCE = 2  # One is written, by the one thread that writes; the next is decided meanwhile.
LOOKED_UP_TOGETHER = 32
OUTAGE = "outage"
NO_HEADS: Mapping[str, Head] = {}

log = structlog.get_logger()


class Shard:
    """One line, owned."""

    def __init__(
        self,
        line: Line,
        aggregate: Aggregate,
        store: Store,
        clock: Clock,
        health: Health,
        build: str,
        groups: asyncio.Semaphore | None = None,
    ) -> None:
        """`groups` is shared by the lines of a process: so many may be in hand at one time."""
        self.line = line
        self.store = store
        self.aggregate = aggregate
        self.committed = Bell()
        self.to_project = Bell()
        self.doubted = Bell()
        self.stopped = ""
        self._clock = clock
        self._build = build
        self._me = Actor("service", line.service)
        self._folding = Folding(aggregate)
        self._answers = Answers(clock)
        self.snapshots = Snapshots(line, store, aggregate, build)
        self._memory = Memory(store, self._folding, self._answers, self.snapshots)
        self._alarms = Alarms(clock)
        self.inbox = Inbox(line, store, health)
        self.questions = Questions(clock, aggregate.ask, self._feed)
        self._inputs = Inputs()
        self._turn = asyncio.Lock()
        self._groups = groups or asyncio.Semaphore()
        self._append_seconds = APPEND_SECONDS.labels(str(line))
        self._commits = COMMITS.labels(str(line))
        self._batch_commits = BATCH_COMMITS.labels(str(line))

    async def submit(
        self, stream: str, command: Any, by: Actor, cause: Cause, saga: str | None = None
    ) -> Answer:
        """Decide one input with the next group; raise StoreUnavailable when that is unknown."""
        if self.stopped:
            return Declined(reason="line_stopped", detail=self.stopped)
        given = Input(stream, command, by, cause, saga, self._clock.now_ms())
        return await self._inputs.put(given)

    async def react(self, facts: Sequence[Read], advance: Advance) -> None:
        """Take in or park upstream facts, and the position behind them, as one transaction.

        Raise Conflict when the position has moved.
        """
        async with self._turn:
            streams = [fact.stream for fact in facts]
            blocked = await self.inbox.blocked(advance.upstream, streams)
            batch, untaken = await self._taken_in(facts, blocked)
            rows = as_parked(advance.upstream, untaken, moment(self._clock.now_ms()))
            await self._write(batch, (advance,), rows)
            self._remember(batch)
            self.inbox.add(rows)

    async def retry(
        self, rows: Sequence[Parked], facts: Sequence[Read], blocked: Collection[str]
    ) -> tuple[Untaken, ...]:
        """Take in parked facts of one upstream, each row going with its commits.

        Return what still waits. Raise Conflict when another owner has moved any of them.
        """
        async with self._turn:
            batch, untaken = await self._taken_in(facts, blocked)
            gone, again = changed(rows, untaken)
            await self._write(batch, (), again, gone)
            self._remember(batch)
            await self.inbox.look()
            return untaken

    async def look_into_inbox(self) -> None:
        """See what is parked; before a position is used that was read before."""
        async with self._turn:
            await self.inbox.look()

    async def take_up(self) -> None:
        """Arm what the streams of this line wait for: the first act of a new owner.

        And again after a write that seemed to fail: it may have been made.
        """
        self.doubted.clear()
        await self.look_into_inbox()
        live = await self.store.live_streams()
        for streams in await self._memory.portions(live):
            async with self._turn:
                self._memory.doubt([s for s in streams if not self._memory.is_live(s)])
                await self._memory.load(streams)
                self._arm([s for s in streams if self._memory.knows(s)])

    async def run(self) -> None:
        """Work off the queue for ever."""
        while True:
            await self._inputs.come()
            await self._answer()

    async def credit(self, down_ms: int, up_ms: int) -> None:
        """Give every clock that runs in this line the time of an outage."""
        over = OutageOver(down_from_ms=down_ms, up_at_ms=up_ms)
        live = await self.store.live_streams()
        told: list[str] = []
        for first in range(0, len(live), LOOKED_UP_TOGETHER):
            told += await self._with_clocks(live[first : first + LOOKED_UP_TOGETHER])
        for first in range(0, len(told), GROUP_MAX):
            group = told[first : first + GROUP_MAX]
            await asyncio.gather(*[self._credit(stream, over) for stream in group])

    async def _with_clocks(self, streams: Sequence[str]) -> list[str]:
        """A clock that memory knows nothing of may have begun under another owner."""
        if unsure := [stream for stream in streams if not self._clock_runs(stream)]:
            async with self._turn:
                self._memory.doubt(unsure)
                await self._memory.load(unsure)
        return [stream for stream in streams if self._clock_runs(stream)]

    def _clock_runs(self, stream: str) -> bool:
        memory, clocks = self._memory, self.aggregate.clocks
        return memory.knows(stream) and clocks(memory.head(stream).state)

    async def _credit(self, stream: str, over: OutageOver) -> None:
        answer = await self.submit(stream, over, self._me, Cause(timer=OUTAGE))
        if isinstance(answer, Declined):
            log.error("outage_not_credited", stream=stream, why=answer.reason)

    async def fire_timers(self, steady: Callable[[int], bool]) -> None:
        """Feed due timers in for ever, while players are known to have been able to act.

        A clock must not run out before they were up to its very end.
        """
        await self._alarms.run(self._fire, lambda s, due: steady(due if self._timed(s) else 0))

    def _timed(self, stream: str) -> bool:
        return not self._memory.knows(stream) or self._clock_runs(stream)

    async def _fire(self, stream: str, name: str) -> None:
        try:
            await self.submit(stream, TimerFired(name=name), self._me, Cause(timer=name))
        except StoreUnavailable:
            log.info("timer_waits", stream=stream, timer=name)

    async def _feed(self, asked: Asked, command: Any) -> Answer:
        return await self.submit(asked.stream, command, self._me, Cause(answer=asked.n))

    async def _answer(self) -> None:
        """Decide all who have come by the time it is their turn; nobody is left waiting."""
        group: list[Waiting] = []
        try:
            async with self._turn, self._groups:
                group = self._inputs.group(GROUP_MAX)
                answers = await self._commit([waiting.given for waiting in group])
        except BaseException as error:
            for waiting in group:
                tell(waiting, StoreUnavailable(repr(error)))
            if not isinstance(error, StoreUnavailable):
                raise
            return
        for waiting, answer in zip(group, answers, strict=True):
            if isinstance(answer, Declined):
                REFUSALS.labels(str(self.line), answer.reason).inc()
            tell(waiting, answer)

    async def _commit(self, inputs: Sequence[Input]) -> list[Answer]:
        """Decide and write until it stands."""
        while True:
            batch = await self._batch_on(inputs)
            answers = [
                await self._again(batch, given)
                if self._is_known(batch, given)
                else self._decide(batch, given)
                for given in inputs
            ]
            if not await self._still_current(batch):
                continue
            try:
                await self._write(batch)
            except Conflict:
                continue
            self._remember(batch)
            return answers

    async def _taken_in(
        self, facts: Sequence[Read], blocked: Collection[str]
    ) -> tuple[Batch, tuple[Untaken, ...]]:
        """Decide facts, those that cannot be taken in on nothing but the newest commits."""
        inputs = [given for fact in facts for given in fact.inputs]
        while True:
            batch = await self._batch_on(inputs)
            untaken = take_in_order(facts, blocked, partial(self._take_in, batch))
            if await self._still_current(batch):
                return batch, untaken

    async def _batch_on(self, inputs: Sequence[Input]) -> Batch:
        await self._memory.load(dict.fromkeys([given.stream for given in inputs]))
        if self.aggregate.prepare is not nothing_to_prepare:
            await self.aggregate.prepare(
                [
                    (self._memory.head(given.stream).state, given.command)
                    for given in inputs
                    if self._memory.knows(given.stream)
                ]
            )
        return Batch(self.aggregate, self._folding, self._memory, self._build)

    def _take_in(self, batch: Batch, inputs: Sequence[Input]) -> str:
        """Take a fact in whole, or say why not and leave nothing of it."""
        undo = batch.undo_of(inputs)
        for given in inputs:
            answer = self._decide(batch, given)
            if isinstance(answer, Declined):
                undo()
                return f"{answer.reason} {answer.detail}".strip()
        return ""

    def _is_known(self, batch: Batch, given: Input) -> bool:
        """Say whether a command was decided before, in this group or earlier."""
        named = (given.stream, given.cause.command or "")
        return named in batch.commanded or self._answers.find(*named) is not None

    async def _again(self, batch: Batch, given: Input) -> Answer:
        """Answer a command that was decided before as it was then."""
        try:
            return await self._answered(batch, given)
        except StoreUnavailable:
            raise
        except Exception as error:
            log.exception("answer_raised", stream=given.stream)
            return self._fault(given, error)

    def _decide(self, batch: Batch, given: Input) -> Answer:
        """One answer; a core that raises spoils its own input only."""
        try:
            return as_answer(batch.decide(given))
        except Exception as error:
            log.exception("decision_raised", stream=given.stream, command=repr(type(given.command)))
            return self._fault(given, error)

    def _fault(self, given: Input, error: Exception) -> Declined:
        FAULTS.labels(str(self.line)).inc()
        detail = repr(error) if given.cause.fact else ""  # For operators, not for clients.
        return Declined(reason="internal_error", detail=detail)

    async def _answered(self, batch: Batch, given: Input) -> Answer:
        command_id = given.cause.command or ""
        if again := batch.commanded.get((given.stream, command_id)):
            return again[1]
        done = self._answers.find(given.stream, command_id)
        assert done is not None
        rows = await self.store.read_stream(given.stream, done.first - 1, done.last)
        events = tuple([event for row in rows for event in decode(row.data).events])
        return batch.accepted(given, done.last, events, batch.head(given.stream).state)

    async def _still_current(self, batch: Batch) -> bool:
        """Whether refusals and reads were decided on the newest commits (law 5).

        What will be written is checked by the write.
        """
        unwritten = [stream for stream in batch.read if stream not in batch.heads]
        if not unwritten:
            return True
        heads = await self.store.heads(unwritten)
        stale = [s for s in unwritten if heads.get(s, 0) != self._memory.head(s).n]
        self._memory.doubt(stale)
        return not stale

    async def _write(
        self,
        batch: Batch,
        advances: Sequence[Advance] = (),
        parked: Sequence[Parked] = (),
        unparked: Sequence[Parked] = (),
    ) -> None:
        """Write all as one transaction; after a conflict memory is believed no more."""
        if not (batch.commits or advances or unparked):
            return
        liveness = [
            Liveness(stream, head.live)
            for stream, head in batch.heads.items()
            if head.live != self._memory.head(stream).live
        ]
        try:
            with self._append_seconds.time():
                await self.store.append(batch.commits, advances, liveness, parked, unparked)
        except Conflict:
            CONFLICTS.labels(str(self.line)).inc()
            self._memory.doubt()
            raise
        except StoreUnavailable:
            self._memory.doubt()
            self.doubted.set()
            raise

    def _remember(self, batch: Batch) -> None:
        """The group stands: keep the heads, note the commands, wake the relay, arm."""
        self._commits.inc(len(batch.commits))
        self._batch_commits.observe(len(batch.commits))
        for (stream, command_id), (decided, _) in batch.commanded.items():
            self._answers.note(stream, command_id, decided)
        self._answers.forget_old()
        self._arm(batch.read, batch.heads)
        self._memory.keep(batch.heads)
        for stream, head in batch.heads.items():
            self.snapshots.note(stream, head)
        if batch.commits:
            self.committed.set()
            self.to_project.set()

    def _arm(self, streams: Iterable[str], newer: Mapping[str, Head] = NO_HEADS) -> None:
        """Arm what these streams wait for now, also where another owner has moved them on."""
        for stream in streams:
            head = newer.get(stream) or self._memory.head(stream)
            self._alarms.arm(stream, head.timers)
            self.questions.arm(stream, head)

    async def stop(self, why: str) -> None:
        """Decide nothing any more, and say so to all who wait and to all who come."""
        self.stopped = why
        await self.questions.close()
        self._inputs.tell_all(Declined(reason="line_stopped", detail=why))

    async def close(self) -> None:
        """Stop asking; whoever still waits for an answer gets none and will ask again."""
        await self.questions.close()
        self.inbox.leave()
        self._inputs.tell_all(StoreUnavailable("shutting down"))
