"""The rulebook's words on a hand: blinds, order, streets, minimum bets and raises, all-in."""

import pytest
from msgspec.structs import replace

from services.table.core import legal_actions
from shared.contracts.hand import (
    AntePosted,
    BlindPosted,
    BoardDealt,
    HandShown,
    PlayerFolded,
    TurnStarted,
    UncalledReturned,
)
from shared.contracts.table import RaiseTo
from shared.poker.rule_sets import BIG_HOLDEM, PEOPLES_POKER, PRESETS, TDA
from tests.core.table.hand_play import choice, of, started

EVEN = {1: 1_000, 2: 1_000, 3: 1_000, 4: 1_000}
DOUBLING = replace(BIG_HOLDEM, min_raise="double_to")
ACCEPTING = replace(BIG_HOLDEM, raise_nobody_can_pay="accepted")
BIG_BLIND_ANTE = replace(BIG_HOLDEM, ante="big_blind")


def acting_order(play, moves):
    """The seats that act while these moves are played."""
    order = []
    for move in moves:
        order.append(legal_actions(play.table).seat)
        play.act(move)
    return order


# --- order and streets ----------------------------------------------------------------------


def test_bh_streets_flop_turn_river_and_a_round_after_each():
    play = started(EVEN, "call", "call", "call", "check", *["check"] * 12)
    assert [(e.street, len(e.cards)) for e in of(play, BoardDealt)] == [
        ("flop", 3),
        ("turn", 1),
        ("river", 1),
    ]
    assert len(of(play, TurnStarted)) == 16
    assert play.table.hand is None


def test_bh_streets_all_but_one_fold_and_that_one_wins_at_once():
    play = started(EVEN, "fold", "fold", "fold")
    assert play.table.hand is None
    assert of(play, BoardDealt) == []
    assert of(play, HandShown) == []


def test_pp_order_left_of_the_big_blind_then_left_of_the_button():
    play = started(EVEN, button=2)
    assert acting_order(play, ["call", "call", "call", "check"]) == [1, 2, 3, 4]
    assert acting_order(play, ["check", "fold", "check", "check"]) == [3, 4, 1, 2]
    assert acting_order(play, ["check", "check", "check"]) == [3, 1, 2]


def test_pp_order_the_big_blind_may_raise_when_nobody_did():
    play = started(EVEN, "call", "call", "call")
    assert choice(play) == (2, 0, 20, 1_000)


def test_pp_blinds_heads_up_the_button_posts_small_acts_first_then_last():
    play = started({1: 1_000, 2: 1_000}, button=1)
    assert [(e.seat, e.blind) for e in of(play, BlindPosted)] == [(1, "small"), (2, "big")]
    assert acting_order(play, ["call", "check"]) == [1, 2]
    assert acting_order(play, ["check", "check"]) == [2, 1]


# --- blinds and antes -----------------------------------------------------------------------


def test_pp_blinds_ante_from_everyone_before_the_blinds():
    play = started({1: 1_000, 2: 14, 3: 4, 4: 1_000}, button=4, ante=5)
    assert [(e.seat, e.by_chips, e.dead) for e in of(play, AntePosted)] == [
        (1, 5, False),
        (2, 5, False),
        (3, 4, False),
        (4, 5, False),
    ]
    assert [(e.seat, e.by_chips) for e in of(play, BlindPosted)] == [(1, 5), (2, 9)]


def test_pp_blinds_a_short_blind_lowers_neither_the_call_nor_the_minimum_raise():
    play = started({1: 1_000, 2: 3, 3: 1_000, 4: 1_000}, button=4)
    assert of(play, BlindPosted)[1].by_chips == 3
    assert choice(play) == (3, 10, 20, 1_000)


def test_pp_blinds_who_cannot_post_after_the_ante_is_all_in_without_a_blind():
    play = started({1: 5, 2: 1_000, 3: 1_000, 4: 1_000}, button=4, ante=5)
    assert [e.seat for e in of(play, BlindPosted)] == [2]
    assert play.table.hand.all_in == (1,)


def test_pp_blinds_a_big_blind_ante_is_dead_and_goes_before_the_blind():
    play = started({1: 500, 2: 12, 3: 500}, button=3, ante=10, rules=BIG_BLIND_ANTE)
    assert [(e.seat, e.by_chips, e.dead) for e in of(play, AntePosted)] == [(2, 10, True)]
    assert [(e.seat, e.by_chips) for e in of(play, BlindPosted)] == [(1, 5), (2, 2)]
    assert choice(play) == (3, 10, 20, 500)


@pytest.mark.parametrize("limit", ["no_limit", "pot_limit", "fixed_limit"])
def test_pp_blinds_heads_up_the_big_blind_antes_for_both(limit):
    rules = replace(BIG_BLIND_ANTE, limit=limit)
    play = started({1: 500, 2: 500}, button=1, ante=10, rules=rules)
    assert [(e.seat, e.by_chips, e.dead) for e in of(play, AntePosted)] == [(2, 10, True)]
    assert [(e.seat, e.by_chips) for e in of(play, BlindPosted)] == [(1, 5), (2, 10)]
    assert choice(play)[:3] == (1, 5, 20)


@pytest.mark.parametrize("limit", ["no_limit", "pot_limit", "fixed_limit"])
def test_pp_blinds_a_big_blind_that_the_dead_ante_took_is_called_in_full(limit):
    rules = replace(BIG_BLIND_ANTE, limit=limit)
    play = started({1: 500, 2: 7, 3: 500}, button=3, ante=10, rules=rules)
    assert [e.seat for e in of(play, BlindPosted)] == [1]
    assert choice(play)[:3] == (3, 10, 20)
    play.play("call", "call")
    assert play.table.hand.all_in == (2,)
    assert choice(play)[:3] == (1, 0, 10)


# --- bets and raises ------------------------------------------------------------------------


def test_bh_limits_no_limit_bets_from_the_big_blind_to_all_in():
    play = started(EVEN, "call", "call", "call", "check")
    assert choice(play) == (1, 0, 10, 990)


@pytest.mark.parametrize(("rules", "late_minimum"), [(BIG_HOLDEM, 10), (PEOPLES_POKER, 20)])
def test_pp_minbet_twice_the_big_blind_on_turn_and_river_in_pp(rules, late_minimum):
    playable = replace(rules, show_or_muck_ms=0)
    play = started({1: 1_000, 2: 1_000}, "call", "check", rules=playable)
    minimum = [choice(play)[2]]
    for _ in range(2):
        play.play("check", "check")
        minimum.append(choice(play)[2])
    assert minimum == [10, late_minimum, late_minimum]


def test_pp_minbet_a_shorter_stack_may_always_go_all_in():
    play = started({1: 1_000, 2: 17}, "call", "check", button=1)
    assert choice(play) == (2, 0, 7, 7)


@pytest.mark.parametrize("rules", PRESETS.values(), ids=PRESETS)
def test_bh_minraise_and_pp_minraise_bet_50_raise_120_next_190(rules):
    play = started(EVEN, "call", "call", "call", "check", 50, rules=rules)
    assert choice(play)[2] == 100
    play.play(120)
    assert choice(play)[2] == 190
    assert play.refused(play.action(RaiseTo, to=189)) == "raise_below_minimum"
    play.play(190)


def test_pp_minraise_read_literally_is_a_field_240_over_120():
    play = started(EVEN, "call", "call", "call", "check", 50, 120, rules=DOUBLING)
    assert choice(play)[2] == 240
    assert play.refused(play.action(RaiseTo, to=239)) == "raise_below_minimum"


# --- re-opening -----------------------------------------------------------------------------


def test_reopening_bet_300_all_ins_500_650_800_and_the_bettor_may_raise_to_1100():
    stacks = {1: 5_000, 2: 510, 3: 660, 4: 810, 5: 5_000}
    play = started(stacks, "call", "call", "call", "call", "check", button=5)
    play.play(300, 500, 650, 800, "call")
    assert choice(play) == (1, 500, 1_100, 4_990)


def test_reopening_one_short_all_in_does_not_reopen_for_who_has_acted():
    stacks = {1: 5_000, 2: 5_000, 3: 410, 4: 5_000}
    play = started(stacks, "call", "call", "call", "check", button=4)
    play.play(300, "call", 400)
    assert choice(play) == (4, 400, 700, 4_990)  # Has not acted yet.
    play.play("call")
    assert choice(play) == (1, 100, 0, 0)
    assert play.refused(play.action(RaiseTo, to=4_990)) == "raise_not_allowed"


def test_reopening_two_short_all_ins_do_not_add_up_to_a_full_raise():
    stacks = {1: 5_000, 2: 410, 3: 460, 4: 5_000}
    play = started(stacks, "call", "call", "call", "check", button=4)
    play.play(300, 400, 450, "call")
    assert choice(play) == (1, 150, 0, 0)


def test_reopening_ends_with_the_street():
    """Who could not raise again on the flop may bet on the turn."""
    stacks = {1: 5_000, 2: 5_000, 3: 410}
    play = started(stacks, "call", "call", "check", button=3)
    play.play(300, "call", 400, "call", "call")
    assert choice(play) == (1, 0, 10, 4_590)


def test_reopening_a_full_raise_reopens_for_all():
    stacks = {1: 5_000, 2: 5_000, 3: 410, 4: 5_000}
    play = started(stacks, "call", "call", "call", "check", button=4)
    play.play(300, "call", 400, 700)
    assert choice(play) == (1, 400, 1_000, 4_990)


def test_reopening_after_checks_a_short_opening_all_in_lets_those_who_checked_call_only():
    play = started({1: 500, 2: 500, 3: 17}, "call", "call", "check", "check", "check", 7, button=3)
    assert choice(play) == (1, 7, 0, 0)


def test_reopening_after_a_short_opening_all_in_the_minimum_bet_comes_on_top():
    stacks = {1: 17, 2: 500, 3: 500}
    for rules in (BIG_HOLDEM, DOUBLING):
        play = started(stacks, "call", "call", "check", 7, button=3, rules=rules)
        assert choice(play) == (2, 7, 17, 490)


def test_reopening_a_raise_that_nobody_can_pay_is_refused_or_accepted_by_the_rule_set():
    stacks = {1: 1_000, 2: 400}
    refusing = started(stacks, "call", 400, button=1)
    assert choice(refusing) == (1, 390, 0, 0)
    assert refusing.refused(refusing.action(RaiseTo, to=790)) == "raise_not_allowed"
    accepting = started(stacks, "call", 400, button=1, rules=ACCEPTING)
    assert choice(accepting) == (1, 390, 790, 1_000)
    accepting.play(1_000)
    assert of(accepting, UncalledReturned) == [UncalledReturned(seat=1, by_chips=600)]
    assert all(rules.raise_nobody_can_pay == "refused" for rules in PRESETS.values())


def test_reopening_a_raise_that_one_opponent_can_pay_in_part_is_legal():
    play = started({1: 1_000, 2: 15, 3: 1_000}, "fold", button=3)
    assert choice(play) == (1, 5, 20, 1_000)  # The big blind has 5 chips beyond the bet.
    broke = started({1: 1_000, 2: 10, 3: 1_000}, "fold", button=3)
    assert broke.refused(broke.action(RaiseTo, to=20)) == "raise_not_allowed"


# --- all-in ---------------------------------------------------------------------------------


def test_bh_allin_too_few_chips_never_force_a_fold():
    play = started({1: 1_000, 2: 1_000, 3: 40}, button=3)
    play.play("call", 500, "call")
    assert choice(play) == (3, 30, 0, 0)


def test_bh_allin_a_bet_nobody_called_returns():
    play = started(EVEN, 300, "fold", "fold", "fold")
    assert of(play, UncalledReturned) == [UncalledReturned(seat=3, by_chips=290)]


@pytest.mark.parametrize("rules", [BIG_HOLDEM, TDA])
def test_bh_allin_betting_is_over_when_nobody_can_pay_more(rules):
    """The small blind has more in than the big blind's whole stack: nothing is asked."""
    play = started({1: 1_000, 2: 3, 3: 1_000}, "fold", button=3, rules=rules)
    assert len(of(play, PlayerFolded)) == 1
    assert play.table.hand is None
    assert of(play, UncalledReturned) == [UncalledReturned(seat=1, by_chips=2)]
