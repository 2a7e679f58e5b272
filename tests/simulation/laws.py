"""The laws that hold after every single commit, publication and reply, whatever has died.

They know nothing of how the runtime keeps them: they read what became durable, what was
published and what was answered. The first breach ends the run.
"""

from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple

import msgspec

from services.cli.verdicts.history import AnyEvent, Fact
from shared.contracts.commit import Actor, Cause, hash_of
from shared.contracts.edge import (
    Accepted,
    Declined,
    LogRow,
    Request,
    decode_answer,
    decode_request,
)
from shared.kernel.ids import time_of
from shared.runtime.answers import TOO_OLD_MS
from shared.runtime.ports import Advance, Line, Position
from tests.simulation.laws_of_play import PlayLaws
from tests.simulation.loop import START_MS, SimLoop
from tests.simulation.store import Disk
from tests.simulation.turns import Turns

CLOCKS_OFF_MS = 10_000


class Committed(msgspec.Struct, frozen=True):
    """A commit of any service, read in one pass."""

    stream: str
    n: int
    at: str
    by: Actor
    cause: Cause
    prev: str
    events: tuple[AnyEvent, ...]


decode = msgspec.json.Decoder(Committed).decode


class End(NamedTuple):
    """Where one stream of commits stands."""

    n: int = 0
    at: str = ""
    digest: str = ""


class Arrived(NamedTuple):
    """A request, if it is one, and what was true when it reached its server."""

    request: Request | None
    decided: int | None
    legal: bool


class Laws:
    """What was seen so far, and what must therefore hold now."""

    def __init__(self, loop: SimLoop, disks: Mapping[Line, Disk], turns: Turns) -> None:
        self._loop = loop
        self._broken = loop.broken
        self._disks = disks
        self._turns = turns
        self._ends: dict[tuple[Line, str], End] = {}
        self._commanded: dict[tuple[Line, str, str], int] = {}
        self._facts: set[tuple[Line, str, str, int]] = set()
        self._reached: dict[tuple[Line, str, str, str], int] = {}
        self.play = PlayLaws(loop.broken)

    def committed(
        self,
        line: Line,
        rows: Sequence[LogRow],
        advances: Sequence[Advance],
        before: Mapping[str, Position],
    ) -> list[Committed]:
        """Check one transaction; return its commits."""
        commits = [decode(row.data) for row in rows]
        for row, commit in zip(rows, commits, strict=True):
            self._chained(line, row, commit)
        self._once(line, commits)
        for advance in advances:
            stood = before[advance.upstream].reached if advance.upstream in before else 0
            if advance.reached < stood:
                self._broken(
                    "a position never goes back",
                    f"{line} has read {advance.upstream} to {stood}, now {advance.reached}",
                )
        for row, commit in zip(rows, commits, strict=True):
            for event in commit.events:
                self.play.see(Fact(line, row.number, commit.stream, commit.n, event), commit.at)
        return commits

    def _chained(self, line: Line, row: LogRow, commit: Committed) -> None:
        """The log is gapless, and every stream in it is one chain of hashes."""
        end = self._ends.get((line, row.stream), End())
        wrong = (
            (row.n != end.n + 1 and f"follows {end.n}")
            or (commit.prev != end.digest and "does not carry the hash of the one before")
            or (commit.at < end.at and f"is from {commit.at}, before {end.at}")
            or ((commit.stream, commit.n) != (row.stream, row.n) and f"says it is {commit.stream}")
        )
        if wrong:
            self._broken("every stream is one chain", f"{line} {row.stream} {row.n} {wrong}")
        self._ends[line, row.stream] = End(row.n, commit.at, hash_of(row.data).hex())

    def _once(self, line: Line, commits: Sequence[Committed]) -> None:
        """A command, and a fact for one stream, are decided in one transaction or never."""
        commands = {}
        facts = set()
        for commit in commits:
            cause = commit.cause
            if cause.command:
                commands[line, commit.stream, cause.command] = commit.n
            if cause.fact:
                facts.add((line, commit.stream, cause.fact, cause.number or 0))
        for key in commands:
            if key in self._commanded:
                self._broken("no command is decided twice", " ".join(map(str, key)))
        for fact in sorted(facts):
            if fact in self._facts:
                self._broken("no fact is decided twice", " ".join(map(str, fact)))
            self._in_order(*fact)
        self._commanded |= commands
        self._facts |= facts

    def _in_order(self, line: Line, stream: str, upstream: str, number: int) -> None:
        """Facts of one upstream stream reach one of ours in their order, parked ones too."""
        service, _, shard = upstream.rpartition("-")
        there = self._disks[Line(service, int(shard))].rows[number - 1].stream
        last = self._reached.get((line, stream, upstream, there), 0)
        if number < last:
            what = f"{line} {stream}: {upstream} {number} after {last}, both of {there}"
            self._broken("facts of a stream keep their order", what)
        self._reached[line, stream, upstream, there] = number

    def published(self, line: Line, first: int, messages: Sequence[Any]) -> None:
        """The stream has the log's bytes under the log's numbers, and never runs ahead."""
        rows = self._disks[line].rows
        for sequence, message in enumerate(messages, first):
            if sequence > len(rows):
                self._broken("log = stream", f"{line} {sequence} is published and not committed")
            elif message.data != rows[sequence - 1].data:
                self._broken("log = stream", f"{line} {sequence} has other bytes in the stream")

    # --- requests -----------------------------------------------------------------------------

    def arrived(self, line: Line, data: bytes) -> Arrived:
        """Note what is true before a server sees the request."""
        request = readable(data)
        if request is None:
            return Arrived(None, None, legal=False)
        return Arrived(
            request,
            self._commanded.get((line, request.stream, request.id)),
            self._turns.is_legal(request.stream, request.command),
        )

    def replied(self, line: Line, arrived: Arrived, reply: bytes) -> None:
        """Check an answer, as it leaves the server, against what is durable by then."""
        answer = decode_answer.decode(reply)
        request = arrived.request
        if isinstance(answer, Accepted):
            self._durable(line, arrived, answer)
        elif request is not None and not self._nobody_decides(request, answer):
            self._justified(line, request, arrived, answer)

    def _nobody_decides(self, request: Request, answer: Declined) -> bool:
        """Whether this says nothing of the command: there is no owner, or it is forgotten."""
        if answer.reason == "command_too_old":
            age_ms = START_MS + self._loop.now * 1000 - time_of(request.id)
            return age_ms > TOO_OLD_MS - CLOCKS_OFF_MS
        return answer.reason in ("unavailable", "line_stopped")

    def _durable(self, line: Line, arrived: Arrived, answer: Accepted) -> None:
        if arrived.decided not in (None, answer.n):
            what = f"{line} {answer.stream}: it was {arrived.decided}, now {answer.n}"
            self._broken("a repeated command gets its first answer", what)
        end = self._ends.get((line, answer.stream), End())
        if answer.n > end.n:
            what = f"{line} {answer.stream} {answer.n} is answered, {end.n} is committed"
            self._broken("no reply before its commit", what)

    def _justified(self, line: Line, request: Request, arrived: Arrived, answer: Declined) -> None:
        what = f"{line} {request.stream} {request.id}: {answer.reason} {answer.detail}"
        if arrived.decided is not None:
            self._broken("a repeated command gets its first answer", what)
        if arrived.legal and self._turns.is_legal(request.stream, request.command):
            self._broken("a legal action in its turn is not refused", what)
        if answer.reason == "internal_error":
            self._broken("no decision raises", what)


def readable(data: bytes) -> Request | None:
    """Read a request; what hostile clients send may be none, and so is a read of the log."""
    try:
        return decode_request(data)
    except msgspec.MsgspecError:
        return None
