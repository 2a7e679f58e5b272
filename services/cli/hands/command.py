"""The `hands` commands; the main command line mounts `app`."""

import sys
from pathlib import Path

import cyclopts

from services.cli.hands.check import Tally, check_files
from shared.poker.rule_sets import PRESETS

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
    if rules not in PRESETS:
        print(f"unknown rule set {rules!r}; known: {', '.join(sorted(PRESETS))}", file=sys.stderr)
        return 2
    tally = Tally()
    for verdict in check_files(files, PRESETS[rules]):
        tally.add(verdict)
        if verdict.failed:
            print(verdict.line())
    print(*tally.lines(), sep="\n")
    return 0 if tally.passed() else 1
