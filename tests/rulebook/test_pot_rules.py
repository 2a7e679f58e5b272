"""The rulebook's words on pots: side pots, odd chips, what returns."""

import pytest
from msgspec.structs import replace

from services.table.core.hand.pots import Pot, side_pots
from shared.contracts.hand import HandEnded, PotAwarded, UncalledReturned
from shared.poker.rule_sets import BIG_HOLDEM, PEOPLES_POKER, TDA
from tests.core.table.hand_play import awarded, dealt, of, started

CHECKS = ["check", "check", "check"]
ROYAL_BOARD = ("As", "Ks", "Qs", "Js", "Ts")


# --- odd chips ------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("rules", "shares"),
    [
        (BIG_HOLDEM, {2: 100, 4: 100, 6: 102}),
        (TDA, {2: 100, 4: 101, 6: 101}),
        (replace(PEOPLES_POKER, show_or_muck_ms=0), {2: 100, 4: 101, 6: 101}),
    ],
    ids=["BH-ODD", "tda", "PP"],
)
def test_bh_odd_302_among_seats_2_4_6_with_the_big_blind_on_5(rules, shares):
    holes = ("2c2d", "3c3d", "4c4d", "5c5d", "6c6d", "7c7d")
    play = started(
        dict.fromkeys(range(1, 7), 1_000),
        *(100, "fold", "call", "fold", "call", "fold"),
        *CHECKS * 3,
        deck=dealt(*holes, board=ROYAL_BOARD),
        button=3,
        rules=rules,
        small=1,
        big=2,
    )
    assert awarded(play) == {0: shares}


def test_bh_odd_the_current_big_blind_is_last_in_line():
    play = started(
        dict.fromkeys(range(1, 4), 1_000),
        *("call", "fold", "check"),
        *["check"] * 6,
        deck=dealt("2c2d", "3c3d", "4c4d", board=ROYAL_BOARD),
        button=1,
        small=1,
        big=2,
    )
    assert awarded(play) == {0: {3: 2, 1: 3}}  # Big blind 3, small blind 2 folded.


def test_bh_odd_holds_for_each_pot_by_itself():
    """Main pot 3 × 5 + 2, side pot 2 × 10 + 1: both leave an odd chip."""
    pots = side_pots((0, 5, 15, 15, 2, 6), (1, 2, 3), 0)
    assert pots == (Pot(22, (1, 2, 3)), Pot(21, (2, 3)))


# --- side pots ------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("paid", "live", "dead", "pots"),
    [
        ((0, 100, 300, 300), (1, 2, 3), 0, ((300, (1, 2, 3)), (400, (2, 3)))),
        ((0, 50, 50, 50), (1, 2, 3), 20, ((170, (1, 2, 3)),)),
        # A folded bet stays, also beyond every live one: then it lies in the last pot.
        ((0, 500, 500, 200, 200), (3, 4), 0, ((1_400, (3, 4)),)),
        # Beyond the others' all-ins it makes a pot of one, and no merging moves an odd chip.
        ((0, 25, 15, 8), (1, 3), 0, ((24, (1, 3)), (24, (1,)))),
        # A big blind that the dead ante took: it contests the dead chips alone.
        ((0, 0, 40, 40), (1, 2, 3), 10, ((10, (1, 2, 3)), (80, (2, 3)))),
        ((0, 33, 60, 60, 25, 0, 11), (1, 2, 3), 0, ((135, (1, 2, 3)), (54, (2, 3)))),
    ],
)
def test_pp_sidepots_are_layers_of_what_live_seats_paid(paid, live, dead, pots):
    assert side_pots(paid, live, dead) == tuple(Pot(*pot) for pot in pots)


def test_pp_sidepots_each_all_in_contests_only_what_it_matched():
    """Seat 3 is all-in for 50 with aces, seat 4 for 200 with kings; 1 has queens, 2 jacks."""
    play = started(
        {1: 1_000, 2: 1_000, 3: 50, 4: 200},
        *(50, 200, "call", "call"),
        *(300, "call"),
        *["check"] * 4,
        deck=dealt("QsQh", "JsJh", "AsAh", "KsKh"),
        button=4,
    )
    assert awarded(play) == {2: {1: 600}, 1: {4: 450}, 0: {3: 200}}
    assert [e.pot for e in of(play, PotAwarded)] == [2, 1, 0]  # PP-SHOWDOWN: the last one first.
    assert play.stacks == {1: 1_100, 2: 500, 3: 200, 4: 450}


def test_pp_sidepots_a_dead_big_blind_ante_is_in_the_main_pot():
    play = started(
        {1: 500, 2: 9, 3: 500},
        *("call", "call"),
        *["check"] * 6,
        deck=dealt("QsQh", "AsAh", "KsKh"),
        button=3,
        ante=10,
        rules=replace(BIG_HOLDEM, ante="big_blind"),
    )
    assert awarded(play) == {1: {3: 20}, 0: {2: 9}}


def test_bh_allin_the_uncalled_part_returns_before_the_pots_are_paid():
    play = started({1: 1_000, 2: 300}, 1_000, "call", deck=dealt("AsAh", "KsKh"), button=1)
    assert of(play, UncalledReturned, PotAwarded)[0] == UncalledReturned(seat=1, by_chips=700)
    assert awarded(play) == {0: {2: 600}}


# --- knock-outs -------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("case", "holes", "out"),
    [
        ("the best hand wins all pots", ("AcAd", "KcKd", "QcQd"), {}),
        ("the last pot of each decides", ("AcAd", "QcQd", "KcKd"), {2: (3,)}),
        ("one wins both", ("QcQd", "KcKd", "AcAd"), {1: (3,), 2: (3,)}),
        ("two share the main pot", ("QcQd", "AcAd", "AhAs"), {1: (2, 3)}),
    ],
)
def test_a_seat_is_knocked_out_by_who_wins_the_last_pot_it_contested(case, holes, out):
    """PP-SIDEPOTS: 100, 300 and more chips, all in."""
    play = started(
        {1: 100, 2: 300, 3: 1_000},
        *(300, "call", "call"),
        deck=dealt(*holes, board=("2h", "3s", "7h", "8s", "9c")),
        button=3,
        small=10,
        big=20,
    )
    (ended,) = of(play, HandEnded)
    assert {fallen.seat: fallen.by for fallen in ended.knock_outs} == out, case
