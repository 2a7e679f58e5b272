"""Commits as the gateway reads them: events understood where possible, passed on as recorded."""

from typing import Any, NamedTuple

import msgspec

from shared.contracts.commit import Actor, decode, decode_type
from shared.runtime.follow import Fact as Row
from shared.runtime.ports import Line
from shared.runtime.reacting import DECODERS
from shared.runtime.supervisor import LineStopped


class Fact(NamedTuple):
    """One event: understood, or None where only a newer build would, and as players get it."""

    event: Any
    text: str


class Told(NamedTuple):
    """One commit of a line."""

    line: Line
    number: int
    stream: str
    n: int
    at: str
    by: Actor
    facts: tuple[Fact, ...]

    @property
    def texts(self) -> list[str]:
        """Return the messages for players, in order."""
        return [fact.text for fact in self.facts]


def told(line: Line, row: Row) -> Told:
    """Read one commit; one that cannot be read stops the line."""
    try:
        commit = decode(row.data)
        head = (
            f'{{"line":"{line}","number":{row.number},"stream":"{commit.stream}",'
            f'"n":{commit.n},"at":"{commit.at}","event":'
        )
        facts = tuple(
            [Fact(understood(raw), f"{head}{bytes(raw).decode()}}}") for raw in commit.events]
        )
    except msgspec.MsgspecError as error:
        raise LineStopped(f"{line} {row.number} cannot be decoded: {error}") from error
    return Told(line, row.number, commit.stream, commit.n, commit.at, commit.by, facts)


def understood(raw: msgspec.Raw) -> Any:
    """Decode an event of a type that this build knows."""
    decoder = DECODERS.get(decode_type(raw).type)
    return None if decoder is None else decoder(raw)
