"""The journal as an auditor reads it: one act after the other, each with the commit behind it."""

from collections.abc import Iterable, Iterator, Sequence
from datetime import UTC, datetime
from typing import Any, NamedTuple

import msgspec

from shared.contracts.commit import Actor, Cause, Commit, decode, decode_type, hash_of, moment
from shared.contracts.edge import LogRow
from shared.contracts.message import tag_of
from shared.contracts.wallet import Posting
from shared.runtime.reacting import DECODERS


class Unreadable(Exception):
    """The log holds what this build cannot read; the message says where."""


class Act(NamedTuple):
    """One fact, with the commit that it stands in: `number` of `line`."""

    line: str
    number: int
    at: str
    by: Actor
    cause: Cause
    sha256: str
    event: Any

    @property
    def name(self) -> str:
        """What happened, such as `entry-posted`."""
        return tag_of(type(self.event)).split(".")[1]

    @property
    def postings(self) -> tuple[Posting, ...]:
        """What it did to the ledger; most facts about accounts do nothing to it."""
        return getattr(self.event, "postings", ())

    @property
    def about(self) -> str:
        """Name what it was about, field by field."""
        told = msgspec.to_builtins(self.event)
        shown = {key: value for key, value in told.items() if key not in ("type", "postings")}
        return " ".join(f"{key}={value}" for key, value in shown.items() if value not in ("", None))

    @property
    def why(self) -> str:
        """Say by whom and on what grounds it was decided."""
        cause = self.cause
        if cause.fact is not None:
            return f"{cause.fact} {cause.number}"
        if cause.command is not None:
            return f"{self.by.kind} {self.by.id}, {cause.command}"
        return f"answer to {cause.answer}" if cause.answer is not None else f"timer {cause.timer}"


def acts_of(rows: Iterable[LogRow], line: str = "wallet-0") -> Iterator[Act]:
    """Read a log fact by fact; raise Unreadable."""
    for row in rows:
        try:
            commit: Commit = decode(row.data)
            for raw in commit.events:
                event = DECODERS[decode_type(raw).type](raw)
                sha256 = hash_of(row.data).hex()
                yield Act(line, row.number, commit.at, commit.by, commit.cause, sha256, event)
        except (msgspec.MsgspecError, KeyError) as error:
            raise Unreadable(f"{line} {row.number}: {error}") from error


def as_of(rows: Sequence[LogRow], at: str | None) -> Sequence[LogRow]:
    """Return the commits up to a moment; `at` is one that `moment_of` has understood."""
    if at is None:
        return rows
    return [row for row in rows if decode(row.data).at <= at]


def moment_of(text: str) -> str:
    """Read a moment, RFC 3339 with UTC where nothing is said, to the form that commits have.

    Raise ValueError. A moment without milliseconds is its whole second, a date its whole day.
    """
    read = datetime.fromisoformat(text)
    at = moment(round((read if read.tzinfo else read.replace(tzinfo=UTC)).timestamp() * 1000))
    if len(text) <= len("2026-11-30"):
        return f"{at[:10]}T23:59:59.999Z"
    return at if "." in text else f"{at[:19]}.999Z"
