"""A table's log: folding it from stored commits, and the way from command to hashed commit.

The tables are those of recorded runs, played once through the decider. The pipeline is what an
owner does in memory: decide, encode as JSON, chain by hash; nothing is written.
"""

import time
from collections.abc import Iterator, Sequence
from statistics import median
from typing import Any, get_args

from services.cli.hands.runs import SeatedHand, read_runs, read_seatings, seated_hands
from services.cli.hands.sequences import leaving, with_cards
from services.cli.hands.table_play import RecordedTable
from services.table.core import DECIDER, TableCommand, awaiting, timers
from shared.contracts.commit import Actor, Cause, decode
from shared.contracts.edge import LogRow
from shared.contracts.table import TableEvent, TableRequest
from shared.poker.rule_sets import TDA
from shared.runtime.adapters.system import SystemClock
from shared.runtime.aggregate import Aggregate
from shared.runtime.answers import Answers
from shared.runtime.deciding import Batch, Input
from shared.runtime.memory import Folding, Head
from tests.data import data_file

ROUNDS = 5
TOGETHER = 256
BEGAN_MS = 1_767_225_600_000
BY = Actor("service", "bench")
CAUSE = Cause(timer="bench")
TABLE = Aggregate(
    owns=lambda _: True,
    decider=DECIDER,
    events=get_args(TableEvent),
    requests=get_args(TableRequest),
    awaiting=awaiting,
    timers=timers,
)
HAND_ENDED = b'"table.hand-ended.'
Told = list[tuple[TableCommand, int]]


class ToldTable(RecordedTable):
    """A recorded table that keeps what it was told, to be told again."""

    def __init__(self, first: SeatedHand, seats_max: int) -> None:
        self.told: Told = []
        super().__init__(first, TDA, seats_max)

    def tell(self, command: TableCommand) -> tuple[TableEvent, ...]:
        self.told.append((command, BEGAN_MS + self.at_ms))
        return super().tell(command)


class Heads:
    """The memory of an owner that has just these streams."""

    def __init__(self, folding: Folding) -> None:
        self.folding = folding
        self.heads: dict[str, Head] = {}

    def head(self, stream: str) -> Head:
        return self.heads.get(stream) or self.folding.fresh()


def run() -> dict[str, dict[str, object]]:
    """Return events a second of the fold, and of the pipeline apart."""
    tables, folding = recorded_tables(), Folding(TABLE)
    hands, events, rows = counted(tables, folding)
    folded = [seconds_to_fold(rows, folding) for _ in range(ROUNDS)]
    decided = [seconds_to_decide(tables, folding) for _ in range(ROUNDS)]
    return {
        "fold a table's stored commits to its state": rate(events, folded, "events/s"),
        "table pipeline, events decided, encoded and hashed": rate(events, decided, "events/s"),
        "table pipeline, hands decided, encoded and hashed": rate(hands, decided, "hands/s"),
    }


def rate(count: int, took: Sequence[float], unit: str) -> dict[str, object]:
    return {"value": round(count / median(took)), "unit": unit}


def recorded_tables() -> list[Told]:
    """Play the runs whose button and blinds are everywhere where our rule puts them."""
    runs = list(read_runs(data_file("sequences.jsonl").read_bytes().splitlines()))
    lines = data_file("hands_sites.jsonl").read_bytes().splitlines()
    seatings = read_seatings(lines, frozenset(hand for run in runs for hand in run.hands))
    tables = []
    for run in runs:
        if all(hand in seatings for hand in run.hands):
            reads = seated_hands(run, seatings)
            table = ToldTable(reads[0].hand, max(max(read.hand.seats) for read in reads))
            placed = [
                table.play(with_cards(read.hand), leaving(read.hand, following))[1]
                for read, following in zip(reads, (*reads[1:], None), strict=True)
            ]
            if not any(placed):
                tables.append(table.told)
    return tables


def counted(tables: list[Told], folding: Folding) -> tuple[int, int, list[list[LogRow]]]:
    """Return hands, events and the stored commits of each table."""
    hands = events = 0
    rows = []
    for name, told in enumerate(tables):
        log = []
        for batch in batches(str(name), told, folding):
            for commit in batch.commits:
                log.append(LogRow(commit.n, commit.stream, commit.n, commit.klass, commit.data))
                events += len(decode(commit.data).events)
                hands += commit.data.count(HAND_ENDED)
        rows.append(log)
    return hands, events, rows


def batches(name: str, told: Told, folding: Folding) -> Iterator[Batch]:
    """Decide a table's commands as an owner does, so many together."""
    memory: Any = Heads(folding)
    for start in range(0, len(told), TOGETHER):
        batch = Batch(TABLE, folding, memory, "bench")
        for command, at_ms in told[start : start + TOGETHER]:
            batch.decide(Input(name, command, BY, CAUSE, None, at_ms))
        memory.heads |= batch.heads
        yield batch


def seconds_to_fold(rows: list[list[LogRow]], folding: Folding) -> float:
    answers = Answers(SystemClock())
    began = time.perf_counter()
    heads = [folding.fold(log, answers) for log in rows]
    took = time.perf_counter() - began
    assert [head.n for head in heads] == [log[-1].n for log in rows]
    return took


def seconds_to_decide(tables: list[Told], folding: Folding) -> float:
    began = time.perf_counter()
    for name, told in enumerate(tables):
        for _ in batches(str(name), told, folding):
            pass
    return time.perf_counter() - began
