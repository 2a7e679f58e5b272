"""*Log = stream*: per line the same commits, bytes and numbers, and a log that is one chain.

Only the envelope of a commit is read here. That its class is the one its events ask for, and
that its stream belongs on this line, is checked too: followers rely on both.
"""

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import zip_longest
from typing import NamedTuple

import msgspec

from services.cli.verdicts.verdict import Verdict, judged
from shared.contracts.commit import COMMIT_BYTES_MAX, Commit, decode, decode_type, hash_of
from shared.contracts.edge import LogRow
from shared.contracts.registry import REGISTRY
from shared.kernel.sharding import shard_of
from shared.runtime.ports import Line

NAME = "log = stream"
CHAIN = "log = chain"


class Message(NamedTuple):
    """One message of a JetStream stream; `prev_m` is its header as it stands, "" without one."""

    sequence: int
    subject: str
    prev_m: str
    data: bytes


class LineCopy(NamedTuple):
    """One line twice: as its log has it, and as its stream delivers it."""

    rows: Sequence[LogRow]
    messages: Sequence[Message]


def log_is_stream(copies: Mapping[Line, LineCopy]) -> Verdict:
    """Compare every line with its stream, and every log with itself."""
    found = [
        *(
            f"{line}: {what}"
            for line, copy in copies.items()
            for what in wrong_messages(line, copy)
        ),
        *wrong_logs({line: copy.rows for line, copy in copies.items()}),
    ]
    commits = sum(len(copy.rows) for copy in copies.values())
    return judged(NAME, found, f"{commits} commits on {len(copies)} lines, byte for byte")


def log_is_chain(logs: Mapping[Line, Sequence[LogRow]]) -> Verdict:
    """Compare every log with itself alone: all that a database without streams can prove."""
    commits = sum(len(rows) for rows in logs.values())
    return judged(CHAIN, wrong_logs(logs), f"{commits} commits on {len(logs)} lines")


def wrong_logs(logs: Mapping[Line, Sequence[LogRow]]) -> Iterator[str]:
    """Follow the numbers and the chains of every log."""
    shards = Counter(line.service for line in logs)
    for line, rows in logs.items():
        for what in (*wrong_numbers(rows), *wrong_chain(line, rows, shards[line.service])):
            yield f"{line}: {what}"
    if not any(logs.values()):
        yield "the logs are empty"


def wrong_messages(line: Line, copy: LineCopy) -> Iterator[str]:
    """Compare row by row; complain once about what is too many or too few."""
    if len(copy.rows) != len(copy.messages):
        yield f"{len(copy.rows)} commits in the log, {len(copy.messages)} in the stream"
    previous_m = 0
    for row, message in zip_longest(copy.rows, copy.messages):
        if row is None or message is None:
            return
        if message.sequence != row.number:
            yield f"commit {row.number} is message {message.sequence}"
            return
        if message.data != row.data:
            yield f"message {row.number} has other bytes"
        if message.subject != line.subject(row.klass, row.stream):
            yield f"message {row.number} has the subject {message.subject}"
        if message.prev_m != str(previous_m):
            yield f"message {row.number} has Prev-M {message.prev_m!r}, not {previous_m}"
        if row.klass == "m":
            previous_m = row.number


def wrong_numbers(rows: Iterable[LogRow]) -> Iterator[str]:
    """The log's numbers are 1, 2, 3 and so on."""
    for number, row in enumerate(rows, 1):
        if row.number != number:
            yield f"the {number}. commit has the number {row.number}"
            return


class End(NamedTuple):
    """Where one stream of commits stands."""

    n: int = 0
    at: str = ""
    digest: str = ""


def wrong_chain(line: Line, rows: Iterable[LogRow], shards: int) -> Iterator[str]:
    """Follow every stream's chain of hashes (law 6)."""
    ends: dict[str, End] = {}
    for row in rows:
        try:
            commit = decode(row.data)
            klass = klass_by_tags(commit)
        except msgspec.MsgspecError as error:
            yield f"commit {row.number} cannot be read: {error}"
            continue
        yield from (
            f"commit {row.number} ({row.stream} {row.n}) {what}"
            for what in wrong_commit(row, commit, ends.get(row.stream, End()))
        )
        if row.stream not in ends and shard_of(row.stream, shards) != line.shard:
            yield f"{row.stream} does not belong here"
        if row.klass != klass:
            yield f"commit {row.number} has class {row.klass}, its events ask for {klass}"
        ends[row.stream] = End(row.n, commit.at, hash_of(row.data).hex())


def wrong_commit(row: LogRow, commit: Commit, end: End) -> Iterator[str]:
    """Compare a commit with its row, and with the end of its stream before it."""
    if (commit.stream, commit.n) != (row.stream, row.n):
        yield f"says it is {commit.stream} {commit.n}"
    if row.n != end.n + 1:
        yield f"follows {end.n}"
    if commit.prev != end.digest:
        yield "does not carry the hash of the one before"
    if commit.at < end.at:
        yield f"is from {commit.at}, before {end.at}"
    if commit.v != 1 or not commit.events or len(row.data) > COMMIT_BYTES_MAX:
        yield "has another version, no events, or is too large"


def klass_by_tags(commit: Commit) -> str:
    """Return the class that the register gives a commit with these events."""
    known = (REGISTRY.get(decode_type(event).type) for event in commit.events)
    return "m" if any(registered and registered.routed_to for registered in known) else "d"
