"""`python -m tests.hands`: every recorded hand and run, all presets, and the differential.

Each part says what it found; the last line counts everything.
"""

import sys
from collections import Counter
from collections.abc import Iterator
from typing import Annotated

import cyclopts
import pytest

from services.cli.hands.check import Tally, Verdict, check_files
from services.cli.hands.sequences import RunsTally, check_runs
from shared.poker.rule_sets import PRESETS, TDA
from tests.data import data_file
from tests.hands.differential import differential
from tests.hands.presets import check_preset

FILES = ("hands_phh.jsonl", "hands_sites.jsonl", "hands_sites_extra.jsonl")
RUNS = "sequences.jsonl"


def main(
    *,
    hands: Annotated[int, cyclopts.Parameter(help="random hands of each limit")] = 2_000,
    seed: Annotated[int, cyclopts.Parameter(help="of the first random hand")] = 1,
) -> int:
    """Prove the engine on recorded hands and beside PokerKit."""
    total = Tally()
    try:
        parts = [recorded(), runs(), *(preset(name) for name in PRESETS if name != TDA.name)]
    except pytest.skip.Exception as skipped:
        print(f"no recorded hands: {skipped}", file=sys.stderr)
        return 1
    for part in [*parts, beside_pokerkit(hands, seed)]:
        for verdict in part:
            total.add(verdict)
            if verdict.failed or verdict.source_error:
                print(verdict.line())
    print("", *total.lines(), sep="\n")
    return 0 if total.passed() else 1


def recorded() -> Iterator[Verdict]:
    files = [data_file(name) for name in FILES]
    return titled(f"recorded hands, {TDA.name}", check_files(files, TDA))


def runs() -> Iterator[Verdict]:
    file, hand_files = data_file(RUNS), [data_file(name) for name in FILES[1:]]
    tally = RunsTally()

    def verdicts() -> Iterator[Verdict]:
        for played in check_runs(file, hand_files, TDA):
            tally.add(played)
            yield played.verdict
        print(*list(tally.lines())[:-1], sep="\n")

    return titled("runs of hands, one table each", verdicts())


def preset(name: str) -> Iterator[Verdict]:
    files = [data_file(file) for file in FILES]
    rules: Counter[str] = Counter()

    def verdicts() -> Iterator[Verdict]:
        for verdict, rule in check_preset(files, PRESETS[name]):
            rules[rule] += 1
            yield verdict
        for rule, count in sorted(rules.items()):
            if rule:
                print(f"{count} hands are otherwise by {rule}, and by nothing else")

    return titled(f"recorded hands, {name}", verdicts())


def beside_pokerkit(hands: int, seed: int) -> Iterator[Verdict]:
    def verdicts() -> Iterator[Verdict]:
        report = differential(hands, seed)
        print(*report.lines(), sep="\n")
        yield from (Verdict("", "", failed=failure) for failure in report.failures)
        known = report.known.total()
        for name, count in report.known.items():
            yield from [Verdict("", "", skipped=f"PokerKit: {name}")] * count
        yield from [Verdict("", "")] * (report.hands - known - len(report.failures))

    return titled("random hands beside PokerKit", verdicts())


def titled(title: str, verdicts: Iterator[Verdict]) -> Iterator[Verdict]:
    print(f"\n{title}", flush=True)
    yield from verdicts


if __name__ == "__main__":
    sys.exit(cyclopts.run(main))
