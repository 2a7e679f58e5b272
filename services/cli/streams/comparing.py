"""A stream beside its log: the same, behind, or a contradiction, which stops the line.

A stream that is behind is no trouble, nor is one with holes: its relay goes on where it ends,
and followers ask for what is missing. Messages that the log does not have, or has otherwise, are
facts that were true once: the log was restored to a moment before them.
"""

from collections.abc import Iterator

import msgspec

from services.cli.verdicts.streams import LineCopy, Message
from shared.contracts.commit import Commit, decode, decode_type
from shared.runtime.ports import Line


class Compared(msgspec.Struct, frozen=True):
    """How far log and stream of a line reach, and what only the stream has, oldest first."""

    line: Line
    log: int
    stream: int
    lost: tuple[Message, ...]
    missing: int

    @property
    def contradicts(self) -> bool:
        return bool(self.lost)


class LostFact(msgspec.Struct, frozen=True, kw_only=True):
    """A commit that a stream has and the log has not, for programs."""

    line: str
    number: int
    commit: msgspec.Raw


def compared(line: Line, copy: LineCopy) -> Compared:
    """Compare number by number."""
    rows = {row.number: row.data for row in copy.rows}
    return Compared(
        line,
        log=max(rows, default=0),
        stream=copy.messages[-1].sequence if copy.messages else 0,
        lost=tuple([m for m in copy.messages if rows.get(m.sequence) != m.data]),
        missing=len(rows.keys() - {message.sequence for message in copy.messages}),
    )


def sentence(found: Compared) -> str:
    """Write one line for the operator."""
    where = f"{found.line!s:<12} log {found.log:>7}  stream {found.stream:>7} "
    if found.lost:
        first = found.lost[0].sequence
        return f"{where} WRONG  from {first} on {len(found.lost)} facts are not those of the log"
    if found.missing:
        return f"{where} ok     {found.missing} are missing, the log has them"
    return f"{where} ok"


def told(found: Compared) -> Iterator[str]:
    """Write a line for every fact that only the stream has: where, when, who, and what it said."""
    for message in found.lost:
        try:
            commit = decode(message.data)
        except msgspec.MsgspecError as error:
            yield f"{found.line} {message.sequence}  cannot be read: {error}"
            continue
        yield f"{found.line} {message.sequence}  {commit.at}  {commit.stream}  {what(commit)}"


def what(commit: Commit) -> str:
    """Name who decided and the events of a commit."""
    events = ", ".join(decode_type(event).type for event in commit.events)
    return f"{commit.by.kind} {commit.by.id}  {events}"


def as_json(found: Compared) -> Iterator[str]:
    """Write a document for every fact that only the stream has, with all that it said."""
    for message in found.lost:
        lost = LostFact(
            line=str(found.line), number=message.sequence, commit=msgspec.Raw(message.data)
        )
        yield msgspec.json.encode(lost).decode()
