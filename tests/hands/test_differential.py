"""Hundreds of random hands beside PokerKit; `make hands` plays thousands."""

import pytest
from msgspec.structs import replace

from shared.poker.rule_sets import BIG_HOLDEM, TDA
from tests.hands.differential import LIMITS, Report, compare, differential

HANDS = 100
SEED = 1


def test_both_engines_offer_refuse_and_pay_the_same():
    report = differential(HANDS, SEED)
    assert report.failures == []
    assert report.hands == HANDS * len(LIMITS)
    assert report.known.total() < report.hands / 4


WRONG_RULES = [
    # case, rules, the limit where they must show, how
    ("literal doubling", replace(TDA, min_raise="double_to"), "no_limit", "raises: "),
    ("bets double on the turn", replace(TDA, min_bet="doubles_on_turn"), "no_limit", "raises: "),
    ("unpayable raises", replace(TDA, raise_nobody_can_pay="accepted"), "no_limit", "raises: "),
    ("the own call is not counted", BIG_HOLDEM, "pot_limit", "raises: "),
]


@pytest.mark.parametrize(
    ("case", "rules", "limit", "shows"), WRONG_RULES, ids=[row[0] for row in WRONG_RULES]
)
def test_other_rules_than_pokerkits_show(case, rules, limit, shows):
    report = Report()
    for seed in range(HANDS):
        compare(seed, limit, report, rules)
    assert any(shows in failure for failure in report.failures)
