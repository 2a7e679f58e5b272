"""Hands that were really played, chip for chip; and the same hands recorded wrongly."""

import msgspec
import pytest

from services.cli.hands.check import check_hand
from services.cli.hands.neutral import read_neutral
from services.cli.hands.recorded import Moved, Read, RecordedHand
from shared.poker.rule_sets import TDA
from tests.data import data_file
from tests.hands.records import checked

FILES = ("hands_phh.jsonl", "hands_sites.jsonl")
EVERY = 60


@pytest.mark.parametrize(
    ("file", "report"),
    [
        ("hands_phh.jsonl", ["5891 hands: 5891 ok, 0 failed, 0 skipped"]),
        (
            "hands_sites.jsonl",
            ["5530 hands: 5530 ok, 0 failed, 0 skipped"],
        ),
    ],
)
def test_every_hand_passes(file, report):
    assert checked(data_file(file)) == ([], report)


def test_only_illegal_play_is_left_out_where_another_engine_cannot_follow():
    assert checked(data_file("hands_sites_extra.jsonl")) == (
        [],
        [
            "skipped: 2 quirk all_in_player_folded",
            "25 hands: 22 ok, 0 failed, 2 skipped, 1 source errors",
        ],
    )


def some_hands() -> list[RecordedHand]:
    reads = [
        read for file in FILES for read in read_neutral(data_file(file).read_bytes().splitlines())
    ]
    return [read.hand for read in reads[::EVERY] if isinstance(read.hand, RecordedHand)]


def failed(hand: RecordedHand, **changes: object) -> bool:
    changed = msgspec.structs.replace(hand, **changes)
    return bool(check_hand("file", Read(changed.name, changed), TDA).failed)


def test_one_chip_on_any_stack_fails():
    for hand in some_hands():
        stacks = hand.result.final_stacks
        for player in range(len(stacks)):
            wrong = (*stacks[:player], stacks[player] + 1, *stacks[player + 1 :])
            assert failed(hand, result=msgspec.structs.replace(hand.result, final_stacks=wrong))


def test_any_action_dropped_fails():
    for hand in some_hands():
        for at in range(len(hand.steps)):
            dropped = hand.steps[:at] + hand.steps[at + 1 :]
            assert failed(hand, steps=dropped), f"{hand.name} without {hand.steps[at]}"


def test_any_action_by_somebody_else_fails():
    for hand in some_hands():
        for at, step in enumerate(hand.steps):
            if isinstance(step, Moved):
                other = msgspec.structs.replace(step, player=step.player % len(hand.stacks) + 1)
                assert failed(hand, steps=(*hand.steps[:at], other, *hand.steps[at + 1 :]))
