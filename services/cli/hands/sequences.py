"""Runs of hands through one table each: chips, seats, button and blinds chain from hand to hand."""

from collections import Counter
from collections.abc import Iterable, Iterator
from pathlib import Path

import msgspec

from services.cli.hands.check import Tally, Verdict, compare, lines_of, one_line
from services.cli.hands.recorded import Broken, Skipped
from services.cli.hands.runs import (
    SeatedHand,
    SeatedRead,
    Seating,
    read_runs,
    read_seatings,
    seated_hands,
)
from services.cli.hands.table_play import RecordedTable
from services.cli.hands.unknown import with_losing_cards
from shared.poker.rule_sets import RuleSet


class Played(msgspec.Struct, frozen=True):
    """One hand of a run; `placed` says why the site put button or blinds elsewhere."""

    verdict: Verdict
    placed: str = ""


class RunsTally(msgspec.Struct):
    """What all runs came to; button and blinds that are the site's own are counted by reason."""

    hands: Tally = msgspec.field(default_factory=Tally)
    placed: Counter[str] = msgspec.field(default_factory=Counter)

    def add(self, played: Played) -> None:
        self.hands.add(played.verdict)
        if played.placed:
            self.placed[played.placed] += 1

    def lines(self) -> Iterator[str]:
        for placed, count in sorted(self.placed.items(), key=lambda item: (-item[1], item[0])):
            yield f"positions as recorded: {count} × {one_line(placed)}"
        yield from self.hands.lines()


def check_runs(runs_file: Path, hand_files: Iterable[Path], rules: RuleSet) -> Iterator[Played]:
    """Play every run of a file; its hands are looked up in the other files."""
    try:
        runs = tuple(read_runs(lines_of(runs_file)))
        wanted = frozenset(hand for run in runs for hand in run.hands)
        seatings: dict[str, Seating] = {}
        for file in hand_files:
            seatings |= read_seatings(lines_of(file), wanted)
    except Broken as broken:
        yield Played(Verdict(str(runs_file), "", failed=str(broken)))
        return
    for run in runs:
        where = f"{runs_file}: {run.id}"
        try:
            yield from play_run(where, seated_hands(run, seatings), rules)
        except Broken as broken:
            yield Played(Verdict(where, "", failed=str(broken)))


def play_run(where: str, reads: tuple[SeatedRead, ...], rules: RuleSet) -> Iterator[Played]:
    """Play on at a new table after a hand that is skipped or fails: nothing chains from it."""
    hands = [read.hand for read in reads if isinstance(read.hand, SeatedHand)]
    seats_max = max([seat for hand in hands for seat in hand.seats], default=0)
    table: RecordedTable | None = None
    for read, following in zip(reads, (*reads[1:], None), strict=True):
        placed = ""
        try:
            hand = understood(read)
            table = table or RecordedTable(hand, rules, seats_max)
            played, placed = table.play(with_cards(hand), leaving(hand, following))
            result = hand.recorded.result
            verdict = Verdict(where, read.name, failed="; ".join(compare(result, played)))
        except Broken as broken:
            verdict = Verdict(where, read.name, failed=str(broken))
        except Skipped as skipped:
            verdict = Verdict(where, read.name, skipped=str(skipped))
        if verdict.failed or verdict.skipped:
            table = None
        yield Played(verdict, placed)


def understood(read: SeatedRead) -> SeatedHand:
    if isinstance(read.hand, SeatedHand):
        return read.hand
    raise read.hand


def with_cards(hand: SeatedHand) -> SeatedHand:
    return msgspec.structs.replace(hand, recorded=with_losing_cards(hand.recorded))


def leaving(hand: SeatedHand, following: SeatedRead | None) -> tuple[str, ...]:
    """Name who goes to another table, or another seat, after this hand with chips left."""
    result = hand.recorded.result
    if following is None or result is None or not isinstance(following.hand, SeatedHand):
        return ()
    seats = dict(zip(following.hand.names, following.hand.seats, strict=True))
    players = zip(hand.names, hand.seats, result.final_stacks, strict=True)
    return tuple([name for name, seat, chips in players if chips and seats.get(name) != seat])
