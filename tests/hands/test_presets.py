"""Recorded hands under every preset: each difference has one rule behind it."""

from collections import Counter

import pytest

from shared.poker.rule_sets import BIG_HOLDEM, PEOPLES_POKER
from tests.data import data_file
from tests.hands.presets import check_preset

FILES = ("hands_phh.jsonl", "hands_sites.jsonl", "hands_sites_extra.jsonl")


@pytest.mark.parametrize(
    ("preset", "otherwise"),
    [(BIG_HOLDEM, {"BH-ODD": 83}), (PEOPLES_POKER, {"PP-MINBET": 439})],
    ids=["big_holdem", "peoples_poker"],
)
def test_a_preset_differs_by_its_rules_and_by_nothing_else(preset, otherwise):
    rules: Counter[str] = Counter()
    failures = []
    for verdict, rule in check_preset([data_file(name) for name in FILES], preset):
        rules[rule] += 1
        if verdict.failed:
            failures.append(verdict.line())
    assert failures == []
    assert {rule: count for rule, count in rules.items() if rule} == otherwise
