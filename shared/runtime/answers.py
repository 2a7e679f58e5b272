"""Which commands were decided lately: the same command again gets the same answer (law 4)."""

from collections import OrderedDict
from typing import NamedTuple

from shared.contracts.commit import Commit, moment_ms

REMEMBERED_MS = 15 * 60 * 1000
TOO_OLD_MS = 10 * 60 * 1000
TOO_EARLY_MS = 60 * 1000


class Decided(NamedTuple):
    """Where a command's commits stand: usually one, several when the decision was cut."""

    stream: str
    first: int
    last: int
    at_ms: int


class Answers:
    """Command id to commits, learned from `cause` while streams are read and written."""

    def __init__(self) -> None:
        self._decided: OrderedDict[str, Decided] = OrderedDict()

    def learn(self, commit: Commit) -> None:
        """Take in one commit of the log."""
        if commit.cause.command is not None:
            decided = Decided(commit.stream, commit.n, commit.n, moment_ms(commit.at))
            self.note(commit.cause.command, decided)

    def note(self, command_id: str, decided: Decided) -> None:
        """Remember that this command has led to these commits."""
        before = self._decided.get(command_id)
        if before:
            first, last = min(before.first, decided.first), max(before.last, decided.last)
            decided = decided._replace(first=first, last=last)
        self._decided[command_id] = decided

    def find(self, command_id: str) -> Decided | None:
        """Return where this command was decided, if it was."""
        return self._decided.get(command_id)

    def forget_before(self, now_ms: int) -> None:
        """Let go of what nobody may repeat any more."""
        while self._decided:
            oldest = next(iter(self._decided))
            if self._decided[oldest].at_ms > now_ms - REMEMBERED_MS:
                return
            del self._decided[oldest]
