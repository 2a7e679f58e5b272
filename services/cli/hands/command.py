"""The `hands` commands; the main command line mounts `app`."""

import sys
from pathlib import Path

import cyclopts

from services.cli.hands.check import Tally, Verdict, check_files
from services.cli.hands.sequences import RunsTally, check_runs
from shared.poker.rule_sets import PRESETS, RuleSet

WRONG_USE = 2

app = cyclopts.App(name="hands", help="Recorded hands: replay and compare.")


@app.command
def check(files: list[Path], /, *, rules: str = "tda") -> int:
    """Replay recorded hands through the production core and compare the outcome.

    Parameters
    ----------
    files
        Hand histories: `.jsonl` (neutral form), `.phh` or `.phhs` (Poker Hand History).
    rules
        The rule set that settles them.
    """
    rule_set = preset(rules)
    if rule_set is None:
        return WRONG_USE
    tally = Tally()
    for verdict in check_files(files, rule_set):
        tally.add(verdict)
        report(verdict)
    print(*tally.lines(), sep="\n")
    return 0 if tally.passed() else 1


@app.command
def sequences(runs: Path, hands: list[Path], /, *, rules: str = "tda") -> int:
    """Play runs of consecutive hands through one table each, chips chaining from hand to hand.

    Button and blinds are compared too. Where a site's own rule put them elsewhere, the hand is
    played from where they were recorded, and counted by the reason.

    Parameters
    ----------
    runs
        Runs of hand ids (`.jsonl`).
    hands
        Where these hands are (`.jsonl`, neutral form).
    rules
        The rule set that settles them.
    """
    rule_set = preset(rules)
    if rule_set is None:
        return WRONG_USE
    tally = RunsTally()
    for played in check_runs(runs, hands, rule_set):
        tally.add(played)
        report(played.verdict)
    print(*tally.lines(), sep="\n")
    return 0 if tally.hands.passed() else 1


def preset(name: str) -> RuleSet | None:
    """Find a rule set; complain if there is none of that name."""
    if name not in PRESETS:
        print(f"unknown rule set {name!r}; known: {', '.join(sorted(PRESETS))}", file=sys.stderr)
    return PRESETS.get(name)


def report(verdict: Verdict) -> None:
    """A line for what is wrong, in the engine or in the source; right hands say nothing."""
    if verdict.failed or verdict.source_error:
        print(verdict.line())
