"""Recorded hands under the rule sets that no site plays: what differs differs by one rule.

A hand that a preset settles otherwise, or refuses, must be right again when the field behind
that rule, and nothing else, is set back to what the sites play.
"""

from collections.abc import Iterable, Iterator
from pathlib import Path

from msgspec.structs import replace

from services.cli.hands.check import Verdict, check_hand, read_file
from services.cli.hands.recorded import Read
from shared.poker.rule_sets import TDA, RuleSet

RULES = {
    "min_bet": "PP-MINBET",
    "odd_chips": "BH-ODD",
    "pot_limit_counts_call": "BH-POTLIMIT",
    "fixed_limit_reopens": "Re-opening",
}


def check_preset(files: Iterable[Path], preset: RuleSet) -> Iterator[tuple[Verdict, str]]:
    """Yield every hand's verdict, and the rule by which it differs from its record."""
    for file in files:
        for read in read_file(file):
            verdict = check_hand(str(file), read, preset)
            rule = differs_by(read, preset) if verdict.failed else ""
            yield (Verdict(str(file), read.name) if rule else verdict), rule


def differs_by(read: Read, preset: RuleSet) -> str:
    """Name the one rule without which the hand is as recorded, if there is one."""
    for field, rule in RULES.items():
        if getattr(preset, field) != getattr(TDA, field):
            as_sites_play = replace(preset, **{field: getattr(TDA, field)})
            if not check_hand("", read, as_sites_play).failed:
                return rule
    return ""
