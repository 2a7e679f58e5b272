"""Commits as they come from the lines, made of events."""

from typing import Any

from services.gateway.shell.facts import Told, told
from shared.contracts.commit import Actor, Cause, Commit, encode, moment, raw
from shared.runtime.follow import Fact
from shared.runtime.ports import Line

TABLES = Line("table", 0)
DIRECTOR = Line("director", 0)
WALLET = Line("wallet", 0)


class Lines:
    """Numbers the commits of each line and stream."""

    def __init__(self) -> None:
        self._numbers: dict[Line, int] = {}
        self._ns: dict[str, int] = {}

    def commit(self, line: Line, stream: str, *events: Any, by: Actor | None = None) -> Told:
        number = self._numbers[line] = self._numbers.get(line, 0) + 1
        n = self._ns[stream] = self._ns.get(stream, 0) + 1
        commit = Commit(
            stream=stream,
            n=n,
            at=moment(number),
            by=by or Actor("service", line.service),
            cause=Cause(timer="test"),
            saga=None,
            build="test",
            prev="",
            events=tuple([raw(event) for event in events]),
        )
        return told(line, Fact(number, encode(commit)))
