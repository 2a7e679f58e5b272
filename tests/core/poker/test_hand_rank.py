"""Best five of seven (rulebook §2): the order of hands, and real evaluations by others."""

from itertools import pairwise

import pytest

from shared.poker.hand_rank import hand_rank
from tests.data import data_file


def cut(text):
    return tuple(text[place : place + 2] for place in range(0, len(text), 2))


def rank(text):
    return hand_rank(cut(text))


def rows(name):
    lines = data_file(f"evaluator/{name}").read_text().splitlines()
    return [dict(zip(lines[0].split("\t"), line.split("\t"), strict=True)) for line in lines[1:]]


BEST_TO_WORST = [
    "AhKhQhJhTh",
    "6s5s4s3s2s",
    "5d4d3d2dAd",
    "AsAhAdAcKs",
    "2s2h2d2cAs",
    "AsAhAdKsKh",
    "KsKhKdAsAh",
    "AsQs9s5s3s",
    "AsQs9s4s3s",
    "AsKhQdJcTs",
    "5s4h3d2cAs",
    "AsAhAdKsQh",
    "AsAhKsKhQd",
    "AsAhKsKhJd",
    "AsAhKsQhJd",
    "AsAhKsQhTd",
    "AsKhQdJc9s",
    "AsKhQdJc8s",
]


def test_hands_rank_in_the_rulebooks_order_and_all_five_cards_count():
    ranks = [rank(hand) for hand in BEST_TO_WORST]
    assert all(better > worse for better, worse in pairwise(ranks))


def test_ace_low_is_five_high():
    assert rank("6s5h4d3c2s") > rank("5s4h3d2cAs") > rank("AsAhAdKsQh")


def test_suits_never_break_a_tie():
    assert rank("AhKhQhJhTh") == rank("AsKsQsJsTs")
    assert rank("AhKdQhJh9h") == rank("AsKcQsJs9s")


def test_the_best_five_of_seven_may_be_the_board():
    board = "AhKhQhJhTh"
    assert rank("2c2d" + board) == rank("AsAd" + board) == rank(board)


def test_only_cards_are_ranked():
    with pytest.raises(KeyError):
        rank("AsKh1d3c4c")


def test_all_7462_classes_are_in_order():
    classes = rows("evaluator_5card_classes.tsv")
    ranks = [rank(row["example"]) for row in classes]
    assert len(ranks) == 7_462
    assert all(better > worse for better, worse in pairwise(ranks))


def test_seven_card_hands_have_the_class_that_others_found():
    by_class = {row["rank"]: rank(row["example"]) for row in rows("evaluator_5card_classes.tsv")}
    for row in rows("evaluator_7card.tsv"):
        assert rank(row["hole"] + row["board"]) == by_class[row["rank_1_to_7462"]], row


def test_a_thousand_duels():
    for row in rows("evaluator_euler54.tsv"):
        first, second = rank(row["player1"]), rank(row["player2"])
        assert (1 if first > second else 2) == int(row["winner"]), row
