"""Rows that mutation testing asked for: faults that no recorded hand and no other row shows."""

import pytest
from msgspec.structs import replace

from services.table.core.positions import Assigned, next_positions
from services.table.core.state import Positions
from shared.contracts.hand import AntePosted, BoardDealt, HandMucked, HandShown
from shared.poker.rule_sets import TDA
from tests.core.table.hand_play import choice, dealt, of, started

DOUBLE_TO = replace(TDA, min_raise="double_to")


def test_pp_minraise_literal_doubling_to_the_chip_is_a_full_raise():
    """20 over the blind, 40 over that, an all-in of 55: 15 more re-open nothing for the 40."""
    stacks = {1: 55, 2: 500, 3: 500, 4: 500}
    play = started(stacks, 20, 40, 55, "fold", "call", rules=DOUBLE_TO)
    assert choice(play) == (4, 15, 0, 0)


def test_pp_showdown_who_beats_the_first_hand_but_not_the_best_mucks():
    """Queen high shows, kings show, ace high mucks."""
    deck = dealt("QsJs", "KsKh", "AsQd")
    checked = ["call", "call", "check", *["check"] * 9]
    play = started({1: 500, 2: 500, 3: 500}, *checked, deck=deck)
    assert [event.seat for event in of(play, HandShown)] == [1, 2]
    assert [event.seat for event in of(play, HandMucked)] == [3]


def test_bh_showdown_hands_are_turned_up_before_the_flop_when_one_has_chips_left():
    play = started({1: 50, 2: 500}, 100, "call")
    shown_and_dealt = [type(event) for event in of(play, HandShown, BoardDealt)]
    assert shown_and_dealt == [HandShown, HandShown, BoardDealt, BoardDealt, BoardDealt]


def test_pp_blinds_without_an_ante_nobody_posts_one():
    assert of(started({1: 500, 2: 500, 3: 500}), AntePosted) == []


NEWCOMERS = [
    # last small blind due, last big blind, live seats, button, small, big, dealing order
    (1, 5, (2, 3, 5), 3, 5, 2, (5, 2, 3)),
    (1, 5, (2, 3, 4), 4, None, 2, (2, 3, 4)),
]


@pytest.mark.parametrize(("due", "last_big", "live", "button", "small", "big", "order"), NEWCOMERS)
def test_pp_deadbutton_newcomers_between_the_blinds(due, last_big, live, button, small, big, order):
    """The big blind comes round to a newcomer: the button stays before the small blind."""
    last = Positions(button_seat=4, small_due_seat=due, big_blind_seat=last_big, played="ring")
    assert next_positions(TDA, last, live) == Assigned(button, small, big, order)
