"""One batch decided in memory: inputs in, commits and answers out, nothing written yet."""

from collections.abc import Callable, Sequence
from functools import reduce
from itertools import pairwise
from typing import Any, NamedTuple

import msgspec

from shared.contracts.commit import (
    COMMIT_BYTES_MAX,
    Actor,
    Cause,
    Commit,
    encode,
    hash_of,
    moment,
)
from shared.contracts.edge import Accepted, Answer, Declined
from shared.contracts.registry import klass_of
from shared.kernel.decider import Refused
from shared.runtime.aggregate import Aggregate
from shared.runtime.answers import Decided
from shared.runtime.memory import Folding, Head, Memory
from shared.runtime.ports import NewCommit

ENVELOPE_BYTES_MAX = 4 * 1024
EVENTS_BYTES_MAX = COMMIT_BYTES_MAX - ENVELOPE_BYTES_MAX


class Input(NamedTuple):
    """One thing to decide: a request, an upstream fact, an answer or a timer."""

    stream: str
    command: Any
    by: Actor
    cause: Cause
    saga: str | None
    at_ms: int


class EventTooLarge(ValueError):
    """A single event is above the limit of a commit: it is refused, not cut."""


class Batch:
    """Decides inputs one after the other, each on the state that the one before left."""

    def __init__(self, aggregate: Aggregate, folding: Folding, memory: Memory, build: str) -> None:
        self._aggregate = aggregate
        self._folding = folding
        self._memory = memory
        self._build = build
        self.heads: dict[str, Head] = {}
        self.commits: list[NewCommit] = []
        self.read: dict[str, None] = {}
        self.commanded: dict[tuple[str, str], tuple[Decided, Accepted]] = {}

    def head(self, stream: str) -> Head:
        """The stream as this batch has it so far, noted as read."""
        head = self.heads.get(stream) or self._memory.head(stream)
        self.read[stream] = None
        return head

    def decide(self, given: Input) -> Answer | Refused:
        """Decide one input; one that is refused, or raises, changes nothing."""
        head = self.head(given.stream)
        if answers_nothing(given, head):
            return self.accepted(given, head.n, (), head.state)
        at_ms = max(given.at_ms, head.at_ms)
        stepped = self._aggregate.decider.step(head.state, given.command, at_ms)
        if isinstance(stepped, Refused):
            return stepped
        events, state = stepped
        if not events:
            return self.accepted(given, head.n, (), head.state)
        data = [encode(event) for event in events]
        encoded = tuple([msgspec.Raw(event) for event in data])
        try:
            parts = cut([len(event) for event in data])
        except EventTooLarge as large:
            return Refused("event_too_large", str(large))
        commits: list[NewCommit] = []
        for part in parts:
            after = self._state_after(head.state, state, events[part], whole=len(parts) == 1)
            klass = klass_of(map(type, events[part]))
            head, commit = self._committed(head, after, given, at_ms, klass, encoded[part])
            commits.append(commit)
        accepted = self.accepted(given, head.n, encoded, state)
        self._take_in(given, head, commits, accepted)
        return accepted

    def undo_of(self, inputs: Sequence[Input]) -> Callable[[], None]:
        """Return what takes back all that is decided of these inputs after this call."""
        count = len(self.commits)
        heads = {given.stream: self.heads.get(given.stream) for given in inputs}

        def undo() -> None:
            del self.commits[count:]
            for stream, head in heads.items():
                self.heads.pop(stream, None)
                if head is not None:
                    self.heads[stream] = head

        return undo

    def _take_in(
        self, given: Input, head: Head, commits: Sequence[NewCommit], accepted: Accepted
    ) -> None:
        """Add a decision to the batch, whole, once nothing can go wrong with it any more."""
        self.heads[given.stream] = head
        self.commits += commits
        if given.cause.command:
            decided = Decided(commits[0].n, head.n, head.at_ms)
            self.commanded[given.stream, given.cause.command] = (decided, accepted)

    def _state_after(self, before: Any, after: Any, events: Sequence[Any], *, whole: bool) -> Any:
        """The state after one part of a decision; only a cut one has to be folded again."""
        return after if whole else reduce(self._aggregate.decider.evolve, events, before)

    def _committed(
        self,
        head: Head,
        state: Any,
        given: Input,
        at_ms: int,
        klass: str,
        events: tuple[msgspec.Raw, ...],
    ) -> tuple[Head, NewCommit]:
        commit = Commit(
            stream=given.stream,
            n=head.n + 1,
            at=moment(at_ms),
            by=given.by,
            cause=given.cause,
            saga=given.saga,
            build=self._build,
            prev=head.prev,
            events=events,
        )
        data = encode(commit)
        moved = self._folding.moved(head, state, commit.n, at_ms, hash_of(data).hex())
        return moved, NewCommit(given.stream, commit.n, klass, data)

    def accepted(
        self, given: Input, n: int, events: tuple[msgspec.Raw, ...], state: Any
    ) -> Accepted:
        """The answer to a command, with what `respond` adds for the one who asked."""
        reply = self._aggregate.respond(state, given.command) if given.cause.command else None
        return Accepted(
            stream=given.stream,
            n=n,
            events=events,
            reply=msgspec.Raw(encode(reply)),
        )


def answers_nothing(given: Input, head: Head) -> bool:
    """Tell whether this answers a question that the stream does not ask any more.

    Such as one that is fed in twice, since nobody knew whether the first time was written: the
    question after it may look alike, and another answer is its own.
    """
    answered = given.cause.answer
    return answered is not None and (head.question is None or head.asked_n != answered)


def cut(lengths: Sequence[int]) -> list[slice]:
    """Cut one decision into commits below the limit; they share cause and transaction."""
    if sum(lengths) + len(lengths) <= EVENTS_BYTES_MAX:
        return [slice(0, len(lengths))]
    starts = [0]
    size = 0
    for index, length in enumerate(lengths):
        if length + 1 > EVENTS_BYTES_MAX:
            raise EventTooLarge(f"{length} bytes, at most {EVENTS_BYTES_MAX - 1}")
        if size + length + 1 > EVENTS_BYTES_MAX:
            starts.append(index)
            size = 0
        size += length + 1
    return [slice(*ends) for ends in pairwise([*starts, len(lengths)])]


def as_answer(decided: Answer | Refused) -> Answer:
    """Turn a core's refusal into the answer that travels."""
    if isinstance(decided, Refused):
        return Declined(reason=decided.reason, detail=decided.detail)
    return decided
