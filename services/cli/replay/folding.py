"""A stream folded by this build, commit by commit, its chain of hashes followed on the way."""

from collections.abc import Iterable, Iterator
from hashlib import sha256
from typing import Any, Generic, NamedTuple, TypeVar

import msgspec

from services.cli.replay.kinds import kind_of
from shared.contracts.commit import Commit, decode, hash_of
from shared.contracts.edge import LogRow
from shared.contracts.upcasts import commit_decoder
from shared.kernel.pmap import enc_hook

E = TypeVar("E")

encode = msgspec.json.Encoder(enc_hook=enc_hook).encode


class NotFolded(Exception):
    """These commits are not a stream from its first on; the message says where it breaks."""


class Step(NamedTuple):
    """The state after a commit, and where that stands."""

    row: LogRow
    commit: Commit
    commit_hash: str
    state: Any

    @property
    def state_hash(self) -> str:
        """Hash the state as JSON: maps are written in key order, so all processes agree."""
        return sha256(encode(self.state)).hexdigest()


class Decided(msgspec.Struct, Generic[E], frozen=True):
    """Of a commit, what a fold needs."""

    events: tuple[E, ...]


def steps(stream: str, rows: Iterable[LogRow]) -> Iterator[Step]:
    """Fold commit by commit; raise NotFolded at the first that does not belong there."""
    kind = kind_of(stream)
    read = commit_decoder(Decided, kind.events)
    state, n, prev = kind.decider.initial, 0, ""
    for row in rows:
        try:
            commit, decided = decode(row.data), read(row.data)
        except (msgspec.MsgspecError, UnicodeError, RecursionError) as error:
            raise NotFolded(f"{stream} {row.n}: this build cannot read it: {error}") from error
        if commit.n != n + 1:
            begins = "begins with" if not n else f"goes on from {n} to"
            raise NotFolded(f"{stream} {begins} {commit.n}: only whole streams can be folded")
        if commit.prev != prev:
            raise NotFolded(f"{stream} {commit.n} was written after another commit {n}")
        for event in decided.events:
            state = kind.decider.evolve(state, event)
        n, prev = commit.n, hash_of(row.data).hex()
        yield Step(row, commit, prev, state)


def folded(stream: str, rows: Iterable[LogRow]) -> Any:
    """Return the state at the end; raise NotFolded."""
    state = kind_of(stream).decider.initial
    for step in steps(stream, rows):
        state = step.state
    return state
