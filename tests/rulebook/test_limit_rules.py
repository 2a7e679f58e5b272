"""The rulebook's words on fixed limit and pot limit: what may be bet, raised, and how often."""

import pytest
from msgspec.structs import replace

from services.table.core import legal_actions
from services.table.core.hand import deal_hands, options, start_hand
from shared.contracts.dealer import SealedCards
from shared.contracts.director import TableFormed, TournamentCreated
from shared.contracts.hand import HandStarted, PlayerFolded, SeatStack, UncalledReturned
from shared.contracts.table import RaiseTo
from shared.poker.rule_sets import BIG_HOLDEM, PEOPLES_POKER, PRESETS, TDA
from tests.core.director.director_play import Play as Director, of as of_kind, terms
from tests.core.table.hand_play import choice, of, started

FIXED = replace(BIG_HOLDEM, limit="fixed_limit")
FIXED_TDA = replace(TDA, limit="fixed_limit")
POT = replace(BIG_HOLDEM, limit="pot_limit")
POT_TDA = replace(TDA, limit="pot_limit")
EVEN = {1: 1_000, 2: 1_000, 3: 1_000, 4: 1_000}
TWO = {1: 1_000, 2: 1_000}
LIMPED = ("call", "call", "call", "check")


def refused(play, to):
    return play.refused(play.action(RaiseTo, to=to))


# --- fixed limit ----------------------------------------------------------------------------


@pytest.mark.parametrize("preset", PRESETS.values(), ids=PRESETS)
def test_bh_limits_fixed_bets_and_raises_are_the_big_blind_then_twice_that(preset):
    play = started(TWO, button=1, rules=replace(preset, limit="fixed_limit"))
    assert choice(play) == (1, 5, 20, 20)
    play.play("call", "check")
    offered = []
    for _ in range(3):
        bet = choice(play)
        play.play(bet[2])
        offered.append((bet[2:], choice(play)[2:]))
        play.play("call")
    assert offered == [((10, 10), (20, 20)), ((20, 20), (40, 40)), ((20, 20), (40, 40))]


@pytest.mark.parametrize(
    ("to", "reason"),
    [
        (0, "amount_must_be_positive"),
        (1_001, "not_enough_chips"),
        (1_000, "raise_above_maximum"),
        (21, "raise_above_maximum"),
        (19, "raise_below_minimum"),
        (10, "raise_below_minimum"),
    ],
)
def test_bh_limits_fixed_any_other_amount_is_refused(to, reason):
    play = started(EVEN, rules=FIXED)
    assert refused(play, to) == reason
    play.play(20)


def test_bh_limits_fixed_the_cap_before_the_flop_is_three_raises_over_the_big_blind():
    play = started(EVEN, 20, 30, 40, rules=FIXED)
    assert choice(play) == (2, 30, 0, 0)
    assert refused(play, 50) == "raise_not_allowed"
    play.play("call", "call", "call")
    assert choice(play) == (1, 0, 10, 10)  # A new street has its own bet and raises.


def test_bh_limits_fixed_the_cap_after_the_flop_is_one_bet_and_three_raises():
    play = started(EVEN, *LIMPED, 10, 20, 30, rules=FIXED)
    assert choice(play) == (4, 30, 40, 40)
    play.play(40)
    assert choice(play) == (1, 30, 0, 0)
    assert refused(play, 50) == "raise_not_allowed"


def test_bh_limits_fixed_two_players_alone_have_no_cap():
    play = started(TWO, 20, 30, 40, 50, 60, 70, button=1, rules=FIXED)
    assert choice(play) == (1, 10, 80, 80)


def test_bh_limits_fixed_the_cap_is_lifted_when_only_two_are_left_in_the_hand():
    three = {1: 1_000, 2: 1_000, 3: 1_000}
    play = started(three, "call", "call", "check", 10, 20, 30, 40, rules=FIXED, button=3)
    assert choice(play) == (2, 20, 0, 0)
    play.play("fold")
    assert choice(play) == (3, 10, 50, 50)


def test_bh_limits_fixed_who_is_all_in_is_left_in_the_hand_too():
    three = {1: 1_000, 2: 50, 3: 1_000}
    play = started(three, "call", "call", "check", 10, 20, 30, 40, rules=FIXED, button=3)
    play.play("call")
    assert play.table.hand.all_in == (2,)
    assert choice(play) == (3, 10, 0, 0)


def test_bh_limits_fixed_the_big_blind_may_raise_when_nobody_did():
    play = started(EVEN, "call", "call", "call", rules=FIXED)
    assert choice(play) == (2, 0, 20, 20)


def test_pp_minbet_fixed_a_shorter_stack_may_always_go_all_in():
    play = started({1: 1_000, 2: 17}, "call", "check", button=1, rules=FIXED)
    assert choice(play) == (2, 0, 7, 7)
    play.play(7)
    assert choice(play)[1:] == (7, 0, 0)  # Nobody can pay more.
    raised = started({1: 1_000, 2: 1_000, 3: 37}, *LIMPED[1:], 10, 20, rules=FIXED, button=3)
    assert choice(raised) == (3, 20, 27, 27)


@pytest.mark.parametrize(
    ("rules", "all_in", "reopened"),
    [
        (FIXED_TDA, 15, (25, 25)),
        (FIXED_TDA, 14, (0, 0)),
        (FIXED, 19, (0, 0)),
        (FIXED, 20, (30, 30)),
    ],
    ids=["tda: half a bet", "tda: less", "a full bet is needed", "a full bet"],
)
def test_reopening_fixed_half_a_bet_suffices_in_tda(rules, all_in, reopened):
    """Seat 1 bets 10, seat 3 goes all-in over it, seats 2 and 4 call."""
    stacks = {**EVEN, 3: 10 + all_in}
    play = started(stacks, *LIMPED, 10, "call", all_in, "call", rules=rules)
    assert choice(play) == (1, all_in - 10, *reopened)


def test_reopening_fixed_short_all_ins_add_up_against_the_own_bet():
    stacks = {1: 1_000, 2: 23, 3: 27, 4: 1_000}
    play = started(stacks, *LIMPED, 10, 13, 17, "call", rules=FIXED_TDA)
    assert choice(play) == (1, 7, 27, 27)


def test_reopening_fixed_who_has_not_acted_raises_a_short_all_in_by_a_whole_bet():
    stacks = {**EVEN, 2: 23}
    for rules in (FIXED, FIXED_TDA):
        play = started(stacks, *LIMPED, 10, 13, rules=rules)
        assert choice(play) == (3, 13, 23, 23)


def test_reopening_fixed_after_a_short_opening_all_in_the_bet_comes_on_top():
    play = started({**EVEN, 1: 17}, *LIMPED, 7, rules=FIXED)
    assert choice(play) == (2, 7, 17, 17)


@pytest.mark.parametrize(("all_in", "capped"), [(15, True), (14, False)])
def test_bh_limits_fixed_only_an_all_in_that_reopens_counts_for_the_cap(all_in, capped):
    stacks = {1: 1_000, 2: 10 + all_in, 3: 1_000, 4: 1_000}
    play = started(stacks, *LIMPED, 10, all_in, all_in + 10, all_in + 20, rules=FIXED_TDA)
    assert (choice(play)[2:] == (0, 0)) == capped


def test_reopening_fixed_half_a_bet_is_half_of_the_streets():
    stacks = {**EVEN, 3: 45}
    turn = (*LIMPED, "check", "check", "check", "check", 20, "call", 35, "call")
    assert choice(started(stacks, *turn, rules=FIXED_TDA)) == (1, 15, 55, 55)
    short = started({**EVEN, 3: 39}, *turn[:-2], 29, "call", rules=FIXED_TDA)
    assert choice(short) == (1, 9, 0, 0)


@pytest.mark.parametrize(("all_in", "reopened"), [(7, (0, 0)), (8, (13, 13))])
def test_reopening_fixed_half_of_an_odd_bet_is_rounded_up(all_in, reopened):
    stacks = {**EVEN, 3: 5 + all_in}
    play = started(stacks, *LIMPED, 5, "call", all_in, "call", rules=FIXED_TDA, small=2, big=5)
    assert choice(play)[2:] == reopened


def test_pp_blinds_fixed_a_short_blind_lowers_neither_the_call_nor_the_raise():
    play = started({**EVEN, 2: 3}, rules=FIXED)
    assert choice(play) == (3, 10, 20, 20)


@pytest.mark.parametrize("literal", [FIXED, replace(FIXED, min_raise="double_to")])
def test_bh_limits_fixed_reads_no_minimum_raise_literally(literal):
    play = started(EVEN, *LIMPED, 10, 20, rules=literal)
    assert choice(play)[2:] == (30, 30)


# --- pot limit ------------------------------------------------------------------------------

FIVE = dict.fromkeys(range(1, 6), 10_000)
POT_OF_50 = ("call", "call", "call", "call", "check")


@pytest.mark.parametrize(
    ("rules", "second", "third", "first"),
    [(POT, 150, 400, 400), (POT_TDA, 200, 550, 500)],
    ids=["BH", "tda"],
)
def test_bh_potlimit_pot_50_bet_50_raise_to_150(rules, second, third, first):
    play = started(FIVE, *POT_OF_50, rules=rules)
    assert choice(play) == (1, 0, 10, 50)
    play.play(50)
    assert choice(play) == (2, 50, 100, second)
    assert refused(play, second + 1) == "raise_above_maximum"
    play.play(150)
    assert choice(play) == (3, 150, 250, third)
    play.play("fold", "fold", "fold")
    assert choice(play) == (1, 100, 250, first)


@pytest.mark.parametrize(("rules", "most"), [(POT, 25), (POT_TDA, 35)], ids=["BH", "tda"])
def test_bh_potlimit_blinds_5_10_the_opener_at_most(rules, most):
    play = started(FIVE, rules=rules)
    assert choice(play) == (3, 10, 20, most)
    assert refused(play, most + 1) == "raise_above_maximum"
    play.play(most)


@pytest.mark.parametrize("rules", [POT, POT_TDA], ids=["BH", "tda"])
@pytest.mark.parametrize("small", [2, 5])
@pytest.mark.parametrize("big", [3, 10])
def test_bh_potlimit_short_blinds_count_in_full(rules, small, big):
    stacks = {**FIVE, 1: small, 2: big}
    expected = 35 if rules.pot_limit_counts_call else 25
    assert choice(started(stacks, rules=rules)) == (3, 10, 20, expected)


def test_bh_potlimit_only_what_lies_there_counts_after_the_flop():
    stacks = {1: 2, 2: 3, 3: 500, 4: 500}
    play = started(stacks, "call", "call", rules=POT)
    assert choice(play) == (3, 0, 10, 25)  # 2 + 3 + 10 + 10.


@pytest.mark.parametrize(("rules", "most"), [(POT, 25), (POT_TDA, 35)], ids=["BH", "tda"])
def test_bh_potlimit_a_dead_small_blind_counts_in_full(rules, most):
    assert opened_with(rules, small_blind_seat=None).max_raise_to == most
    assert opened_with(rules, small_blind_seat=1).max_raise_to == most


def test_bh_potlimit_antes_lie_in_the_middle():
    each = opened_with(POT, small_blind_seat=1, ante_chips=2)
    by_the_blind = opened_with(replace(POT, ante="big_blind"), small_blind_seat=1, ante_chips=6)
    assert each.max_raise_to == by_the_blind.max_raise_to == 10 + 15 + 6


def test_bh_potlimit_a_big_blind_that_the_ante_took_counts_in_full():
    taken = opened_with(
        replace(POT, ante="big_blind"), small_blind_seat=1, ante_chips=6, stacks=(900, 6, 900)
    )
    assert (taken.call_chips, taken.max_raise_to) == (10, 10 + 15 + 6)


def opened_with(rules, *, small_blind_seat, ante_chips=0, stacks=(900, 900, 900)):
    """The options of seat 3, first to act, with the big blind on seat 2."""
    seats = tuple(SeatStack(seat, f"ply_{seat}", chips) for seat, chips in enumerate(stacks, 1))
    started_hand = HandStarted(
        hand="hnd_1",
        number=1,
        small_blind_chips=5,
        big_blind_chips=10,
        ante_chips=ante_chips,
        button_seat=3,
        small_blind_seat=small_blind_seat,
        big_blind_seat=2,
        seats=seats,
    )
    _, hand = start_hand(rules, started_hand)
    _, hand = deal_hands(hand, b"root", tuple(SealedCards(seat, b"") for seat in hand.order))
    return options(hand)


def test_bh_potlimit_a_stack_below_the_pot_is_the_maximum():
    play = started({**FIVE, 3: 22}, rules=POT)
    assert choice(play) == (3, 10, 20, 22)
    assert refused(play, 23) == "not_enough_chips"
    short = started({**FIVE, 3: 17}, rules=POT)
    assert choice(short) == (3, 10, 17, 17)


@pytest.mark.parametrize(
    ("to", "reason"),
    [
        (-1, "amount_must_be_positive"),
        (10_001, "not_enough_chips"),
        (10_000, "raise_above_maximum"),
        (26, "raise_above_maximum"),
        (19, "raise_below_minimum"),
    ],
)
def test_bh_potlimit_refusals_in_their_order(to, reason):
    assert refused(started(FIVE, rules=POT), to) == reason


def test_bh_potlimit_re_raises_follow_the_minimum_raise():
    play = started(FIVE, *POT_OF_50, 50, 120, rules=POT)
    assert choice(play)[2] == 190


def test_reopening_pot_limit_a_raise_that_nobody_can_pay_is_refused_or_accepted():
    stacks = {1: 1_000, 2: 30}
    refusing = started(stacks, "call", 30, button=1, rules=POT)
    assert choice(refusing) == (1, 20, 0, 0)
    accepting = replace(POT, raise_nobody_can_pay="accepted")
    play = started(stacks, "call", 30, button=1, rules=accepting)
    assert choice(play) == (1, 20, 50, 70)
    play.play(70)
    assert of(play, UncalledReturned) == [UncalledReturned(seat=1, by_chips=40)]


def test_pp_minbet_pot_limit_the_minimum_bet_doubles_in_pp():
    rules = replace(PEOPLES_POKER, limit="pot_limit")
    play = started(FIVE, *POT_OF_50, *["check"] * 5, rules=rules)
    assert choice(play) == (1, 0, 20, 50)


# --- every limit ----------------------------------------------------------------------------


@pytest.mark.parametrize("limit", ["no_limit", "pot_limit", "fixed_limit"])
@pytest.mark.parametrize("preset", PRESETS.values(), ids=PRESETS)
def test_bh_allin_too_few_chips_never_force_a_fold_in_any_limit(preset, limit):
    stacks = {1: 1_000, 2: 1_000, 3: 14}
    play = started(stacks, "call", 20, "call", rules=replace(preset, limit=limit), button=3)
    assert choice(play) == (3, 4, 0, 0)
    play.play("call")
    assert legal_actions(play.table).seat == 1
    assert of(play, PlayerFolded) == []


@pytest.mark.parametrize("limit", ["no_limit", "pot_limit", "fixed_limit"])
def test_bh_limits_the_limit_is_one_of_the_terms(limit):
    """PP-LOBBY: it stands in the first event, and every table is formed with it."""
    play = Director(terms(limit=limit)).begin()
    assert of_kind(TournamentCreated, play.events)[0].rule_set == replace(BIG_HOLDEM, limit=limit)
    formed = of_kind(TableFormed, play.events)
    assert {table.rule_set.limit for table in formed} == {limit}
