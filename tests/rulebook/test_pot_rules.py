"""The rulebook's words on pots and the showdown: side pots, odd chips, who shows and who mucks."""

import pytest
from msgspec.structs import replace

from services.table.core.hand.pots import Pot, side_pots
from shared.contracts.table import (
    BoardAwaited,
    BoardDealt,
    HandMucked,
    HandShown,
    OpeningAwaited,
    PotAwarded,
    UncalledReturned,
    ViewAwaited,
)
from shared.poker.rule_sets import BIG_HOLDEM, PEOPLES_POKER, TDA
from tests.core.table.table_play import Play

LAST_AGGRESSOR = replace(BIG_HOLDEM, showdown="last_aggressor")
CHECKS = ["check", "check", "check"]
ROYAL_BOARD = ("As", "Ks", "Qs", "Js", "Ts")
DRY_BOARD = ("2c", "7d", "9h", "3s", "4c")


def dealt(*holes, board=DRY_BOARD):
    """A deck that deals these hole cards in dealing order, such as `AsAh`."""
    return (*(hole[:2] for hole in holes), *(hole[2:] for hole in holes), *board)


def started(stacks, *moves, deck, button=None, rules=BIG_HOLDEM, **level):
    play = Play(stacks, button=button, rules=rules)
    play.deck = deck
    play.start(**level)
    play.play(*moves)
    return play


def of(play, *kinds):
    return [event for event in play.log if isinstance(event, kinds)]


def awarded(play):
    """Pots as paid: number → seat → chips."""
    return {e.pot: {share.seat: share.chips for share in e.shares} for e in of(play, PotAwarded)}


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


# --- showdown -------------------------------------------------------------------------------

THREE = {1: 1_000, 2: 1_000, 3: 1_000}


def showdown(play):
    """Who was opened, viewed, shown and mucked, in this order."""
    told = []
    for event in of(play, OpeningAwaited, ViewAwaited, HandShown, HandMucked):
        match event:
            case OpeningAwaited(seats=seats):
                told.append(f"open {' '.join(map(str, seats))}")
            case ViewAwaited(seat=seat):
                told.append(f"view {seat}")
            case HandShown(seat=seat):
                told.append(f"{seat} shows")
            case HandMucked(seat=seat):
                told.append(f"{seat} mucks")
    return told


@pytest.mark.parametrize("rules", [BIG_HOLDEM, LAST_AGGRESSOR], ids=["BH-SHOWDOWN", "PP-SHOWDOWN"])
def test_without_any_bet_the_first_left_of_the_button_shows_first(rules):
    play = started(
        THREE,
        *("call", "call", "check"),
        *CHECKS * 3,
        deck=dealt("KsKh", "AsAh", "QsQh"),
        button=3,
        rules=rules,
    )
    told = ["open 1", "1 shows", "view 2", "open 2", "2 shows", "view 3", "3 mucks"]
    assert showdown(play) == told
    assert awarded(play) == {0: {2: 30}}


@pytest.mark.parametrize(
    ("rules", "first"), [(BIG_HOLDEM, 1), (LAST_AGGRESSOR, 3)], ids=["BH-SHOWDOWN", "PP-SHOWDOWN"]
)
def test_an_aggressor_of_an_earlier_street_shows_first_in_pp_only(rules, first):
    """Seat 3 bet the turn and was called; nobody bet the river."""
    play = started(
        THREE,
        *("call", "call", "check"),
        *CHECKS,
        *("check", "check", 50, "call", "call"),
        *CHECKS,
        deck=dealt("KsKh", "AsAh", "QsQh"),
        button=3,
        rules=rules,
    )
    assert showdown(play)[0] == f"open {first}"


@pytest.mark.parametrize("rules", [BIG_HOLDEM, LAST_AGGRESSOR], ids=["BH-SHOWDOWN", "PP-SHOWDOWN"])
def test_the_last_aggressor_of_the_last_round_shows_first_and_the_others_go_clockwise(rules):
    play = started(
        THREE,
        *("call", "call", "check"),
        *CHECKS * 2,
        *("check", 50, "call", "call"),
        deck=dealt("KsKh", "AsAh", "QsQh"),
        button=3,
        rules=rules,
    )
    assert showdown(play) == ["open 2", "2 shows", "view 3", "3 mucks", "view 1", "1 mucks"]


@pytest.mark.parametrize("rules", [BIG_HOLDEM, LAST_AGGRESSOR], ids=["BH-SHOWDOWN", "PP-SHOWDOWN"])
def test_the_last_of_two_aggressors_of_a_round_shows_first(rules):
    play = started(
        THREE,
        *("call", "call", "check"),
        *CHECKS * 2,
        *(50, "fold", 100, "call"),
        deck=dealt("KsKh", "AsAh", "QsQh"),
        button=3,
        rules=rules,
    )
    assert showdown(play) == ["open 3", "3 shows", "view 1", "open 1", "1 shows"]


def test_pp_showdown_an_aggressor_who_folded_leaves_it_to_the_one_before():
    """Seat 3 bet the flop, seat 2 the turn; seat 2 then folds for nothing."""
    play = started(
        THREE,
        *("call", "call", "check"),
        *("check", "check", 20, "call", "call"),
        *("check", 50, "call", "call"),
        *("check", "fold", "check"),
        deck=dealt("KsKh", "AsAh", "QsQh"),
        button=3,
        rules=LAST_AGGRESSOR,
    )
    assert showdown(play) == ["open 3", "3 shows", "view 1", "open 1", "1 shows"]


def test_pp_showdown_who_ties_the_best_shows_and_shares():
    play = started(
        {1: 1_000, 2: 1_000},
        *("call", "check"),
        *["check"] * 6,
        deck=dealt("KsQh", "KhQs"),
        button=1,
    )
    assert showdown(play) == ["open 2", "2 shows", "view 1", "open 1", "1 shows"]
    assert awarded(play) == {0: {1: 10, 2: 10}}


def test_pp_showdown_all_hands_are_turned_up_before_the_board_goes_on():
    play = started({1: 300, 2: 300}, 300, "call", deck=dealt("KsKh", "AsAh"), button=1)
    kinds = of(play, OpeningAwaited, HandShown, BoardAwaited, BoardDealt)
    assert [type(event).__name__ for event in kinds] == [
        "OpeningAwaited",
        "HandShown",
        "HandShown",
        *["BoardAwaited", "BoardDealt"] * 3,
    ]


def test_pp_showdown_all_hands_are_turned_up_also_when_the_all_in_comes_on_the_river():
    """This goes before the choice to muck: one question, and nobody mucks."""
    play = started(
        {1: 1_000, 2: 1_000, 3: 50},
        *("call", "call", "check"),
        *CHECKS * 2,
        *("check", "check", 40, "call", "call"),
        deck=dealt("KsKh", "AsAh", "QsQh"),
        button=3,
    )
    assert showdown(play) == ["open 1 2 3", "1 shows", "2 shows", "3 shows"]


def test_pp_showdown_hands_stay_down_while_two_can_still_bet():
    play = started(
        {1: 1_000, 2: 1_000, 3: 50},
        *(50, "call", "call", "check", "check"),
        deck=dealt("KsKh", "AsAh", "QsQh"),
        button=3,
    )
    assert showdown(play) == []
    play.play("check", "check", "check", "check")
    assert showdown(play)[0] == "open 1 2 3"


def test_pp_showdown_who_wins_because_all_fold_shows_nothing():
    play = started(THREE, 30, "fold", "fold", deck=dealt("KsKh", "AsAh", "QsQh"), button=3)
    assert showdown(play) == []
