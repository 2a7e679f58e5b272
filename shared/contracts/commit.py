"""The commit: one row of the log, one message of the stream, one line of the export.

The format is frozen. A commit is JSON; the bytes stored are the bytes on the wire and the bytes
under the hash. `prev` is the SHA-256, in hex, of the stream's previous commit, or "" for its
first; `n` counts a stream's commits from 1; `at` is RFC 3339 in UTC with milliseconds and never
before the `at` of the stream's last commit.
"""

from datetime import UTC, datetime
from functools import lru_cache
from hashlib import sha256
from typing import Any, Literal

import msgspec

COMMIT_BYTES_MAX = 256 * 1024


class Actor(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """Who decided: a player, an operator, or a service on its own account."""

    kind: Literal["player", "operator", "service"]
    id: str


class Cause(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True):
    """Why it was decided: exactly one of a command, an upstream fact, an answer, a timer.

    `fact` names the upstream line, such as `director-0`, and `number` the commit in it;
    `answer` is the `n` of the own commit that recorded the question.
    """

    command: str | None = None
    fact: str | None = None
    number: int | None = None
    answer: int | None = None
    timer: str | None = None


class Commit(msgspec.Struct, frozen=True, kw_only=True):
    """The facts of one decision, with where, when, who and why."""

    v: int = 1
    stream: str
    n: int
    at: str
    by: Actor
    cause: Cause
    saga: str | None
    build: str
    prev: str
    events: tuple[msgspec.Raw, ...]


class EventType(msgspec.Struct, frozen=True):
    """The tag of an event, read without understanding the rest."""

    type: str


encode = msgspec.json.Encoder().encode
decode = msgspec.json.Decoder(Commit).decode
decode_type = msgspec.json.Decoder(EventType).decode


def hash_of(data: bytes) -> bytes:
    """Return the SHA-256 of a stored commit."""
    return sha256(data).digest()


@lru_cache(maxsize=64)
def moment(at_ms: int) -> str:
    """Write milliseconds since 1970 as RFC 3339, such as `2026-11-30T09:00:00.000Z`."""
    return f"{to_the_second(at_ms // 1000)}.{at_ms % 1000:03d}Z"


@lru_cache(maxsize=64)
def to_the_second(at_s: int) -> str:
    """Many commits share one second, and in a large group many share one millisecond."""
    return datetime.fromtimestamp(at_s, UTC).isoformat()[:19]


def moment_ms(at: str) -> int:
    """Read what `moment` wrote."""
    return round(datetime.fromisoformat(at).timestamp() * 1000)


def raw(event: Any) -> msgspec.Raw:
    """Encode one event as it will stand in the commit."""
    return msgspec.Raw(encode(event))
