"""The facts of all logs, decoded once: what every verdict but *log = stream* judges."""

from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Generic, NamedTuple, TypeVar, get_args

import msgspec

from shared.contracts.dealer import DealerEvent
from shared.contracts.director import DirectorEvent
from shared.contracts.edge import LogRow
from shared.contracts.hand import HandEnded, HandStarted
from shared.contracts.ranking import RankingEvent
from shared.contracts.table import HandVoided, TableEvent
from shared.contracts.upcasts import commit_decoder
from shared.contracts.wallet import WalletEvent
from shared.runtime.ports import Line

AnyEvent = DealerEvent | DirectorEvent | RankingEvent | TableEvent | WalletEvent
Logs = Mapping[Line, Sequence[LogRow]]

E = TypeVar("E")


class Decided(msgspec.Struct, Generic[E], frozen=True):
    """Of a commit, what the verdicts on facts need; the envelope is judged with the stream."""

    stream: str
    n: int
    events: tuple[E, ...]


decode = commit_decoder(Decided, get_args(AnyEvent))


class Fact(NamedTuple):
    """One event, and the commit that it stands in."""

    line: Line
    number: int
    stream: str
    n: int
    event: AnyEvent

    @property
    def where(self) -> str:
        """Name the commit for a reader of the log."""
        return f"{self.line} {self.number}"


class History(msgspec.Struct, frozen=True):
    """Facts by service in the order of its lines, and the commits that could not be read.

    Not `at_rest`, a fact may still be under way: what follows from it stands in no log yet.
    """

    facts: Mapping[str, tuple[Fact, ...]]
    unreadable: tuple[str, ...] = ()
    at_rest: bool = True

    def of(self, service: str) -> tuple[Fact, ...]:
        """Return a service's facts, line by line, each in the order of its log."""
        return self.facts.get(service, ())

    def streams(self, service: str) -> dict[str, list[Fact]]:
        """Return a service's facts by stream."""
        found: defaultdict[str, list[Fact]] = defaultdict(list)
        for fact in self.of(service):
            found[fact.stream].append(fact)
        return found


class PlayedHand(NamedTuple):
    """One hand of one table, from `HandStarted` on; `ended` is None while it is played."""

    table: str
    started: HandStarted
    facts: tuple[Fact, ...]
    ended: HandEnded | None

    @property
    def name(self) -> str:
        return self.started.hand

    @property
    def is_void(self) -> bool:
        """Say whether the table has given the hand up: it counts for nothing (the cut)."""
        return any(
            isinstance(fact.event, HandVoided) and fact.event.hand == self.name
            for fact in self.facts
        )


def history_of(logs: Logs, *, at_rest: bool = True) -> History:
    """Decode every event of every log."""
    facts: defaultdict[str, list[Fact]] = defaultdict(list)
    unreadable: list[str] = []
    for line, rows in logs.items():
        for row in rows:
            try:
                commit = decode(row.data)
            except msgspec.MsgspecError as error:
                unreadable.append(f"{line} {row.number} cannot be read: {error}")
                continue
            facts[line.service] += [
                Fact(line, row.number, commit.stream, commit.n, event) for event in commit.events
            ]
    found = {service: tuple(of_service) for service, of_service in facts.items()}
    return History(found, tuple(unreadable), at_rest)


def hands_of(history: History) -> tuple[PlayedHand, ...]:
    """Return every hand of every table."""
    return tuple(hand for facts in history.streams("table").values() for hand in hands_in(facts))


def hands_in(facts: Iterable[Fact]) -> Iterator[PlayedHand]:
    """Cut one table's facts into hands; what lies between them belongs to none."""
    started: HandStarted | None = None
    during: list[Fact] = []
    for fact in facts:
        if isinstance(fact.event, HandStarted):
            if started is not None:
                yield PlayedHand(fact.stream, started, tuple(during), None)
            started, during = fact.event, []
        if started is not None:
            during.append(fact)
            if isinstance(fact.event, HandEnded):
                yield PlayedHand(fact.stream, started, tuple(during), fact.event)
                started = None
    if started is not None:
        yield PlayedHand(during[0].stream, started, tuple(during), None)
