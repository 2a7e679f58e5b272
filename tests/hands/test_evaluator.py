"""A sample of what `make evaluator` checks whole."""

import json
from collections import Counter

import pytest

from tests.data import data_file
from tests.hands import evaluator

SEED = 1


@pytest.mark.parametrize("cards", [5, 6, 7])
def test_another_evaluator_sees_the_same_order(cards):
    assert evaluator.disagreements(evaluator.random_hands(20_000, SEED, cards)) == []


def test_a_wrong_rank_shows(monkeypatch):
    honest = evaluator.hand_rank
    monkeypatch.setattr(evaluator, "hand_rank", lambda cards: honest(cards[:6]))
    assert evaluator.disagreements(evaluator.random_hands(200, SEED))


def test_counts_by_kind_add_up_and_a_wrong_one_shows():
    right = Counter(
        {
            (10 - kind) * 10_000 - number: hands // ranks + (number < hands % ranks)
            for kind, (_, ranks, hands) in enumerate(evaluator.KINDS)
            for number in range(ranks)
        }
    )
    assert right.total() == 2_598_960
    assert evaluator.wrong_counts(right) == []
    best = max(right)
    assert evaluator.wrong_counts(right - Counter([best])) == ["royal flush: 3 hands, not 4"]


def test_the_kinds_are_those_that_others_counted():
    counted = json.loads(data_file("evaluator/class_frequencies.json").read_text())["five_card"]
    assert (
        tuple(
            (kind.replace("_", " "), numbers["distinct_ranks"], numbers["hands"])
            for kind, numbers in counted.items()
            if kind != "total"
        )
        == evaluator.KINDS
    )
