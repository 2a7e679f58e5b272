"""Which commands were decided lately: the same command again gets the same answer (law 4)."""

from collections import OrderedDict
from typing import NamedTuple

from shared.contracts.commit import Cause, moment, moment_ms
from shared.runtime.ports import Clock

REMEMBERED_MS = 15 * 60 * 1000
TOO_OLD_MS = 10 * 60 * 1000
TOO_EARLY_MS = 60 * 1000


class Decided(NamedTuple):
    """Where a command's commits stand: usually one, several when the decision was cut."""

    first: int
    last: int
    at_ms: int


class Answers:
    """Stream and command id to commits, learned from `cause` while streams are read and written.

    The stream belongs to the key: nobody gets another stream's answer for an id seen elsewhere.
    """

    def __init__(self, clock: Clock) -> None:
        self._clock = clock
        self._decided: OrderedDict[tuple[str, str], Decided] = OrderedDict()

    @property
    def oldest(self) -> str:
        """The moment before which nothing is worth learning; commits carry theirs likewise."""
        return moment(max(self._clock.now_ms() - REMEMBERED_MS, 0))

    def learn(self, stream: str, n: int, at: str, cause: Cause) -> None:
        """Take in one commit of the log."""
        if cause.command is not None:
            self.note(stream, cause.command, Decided(n, n, moment_ms(at)))

    def note(self, stream: str, command_id: str, decided: Decided) -> None:
        """Remember that this command has led to these commits."""
        before = self._decided.get((stream, command_id))
        if before:
            first, last = min(before.first, decided.first), max(before.last, decided.last)
            decided = decided._replace(first=first, last=last)
        self._decided[stream, command_id] = decided

    def find(self, stream: str, command_id: str) -> Decided | None:
        """Return where this command was decided, if it was."""
        return self._decided.get((stream, command_id))

    def forget_old(self) -> None:
        """Let go of what nobody may repeat any more."""
        too_old_ms = self._clock.now_ms() - REMEMBERED_MS
        while self._decided:
            oldest = next(iter(self._decided))
            if self._decided[oldest].at_ms > too_old_ms:
                return
            del self._decided[oldest]
