"""The rulebook's words on the showdown: who shows first, who mucks, who has the choice."""

import pytest
from msgspec.structs import replace

from services.table.core import legal_actions, show_or_muck, timers
from shared.contracts.hand import (
    BoardAwaited,
    BoardDealt,
    ChoiceStarted,
    HandBeaten,
    HandEnded,
    HandMucked,
    HandShown,
    OpeningAwaited,
    PotAwarded,
    ViewAwaited,
)
from shared.contracts.message import TimerFired
from shared.contracts.table import GoOut, Muck, PlayerWentOut, Show
from shared.poker.rule_sets import BIG_HOLDEM, PEOPLES_POKER, PRESETS
from tests.core.table.hand_play import awarded, dealt, of, started
from tests.core.table.table_play import kinds

LAST_AGGRESSOR = replace(BIG_HOLDEM, showdown="last_aggressor")
CHOOSING = replace(BIG_HOLDEM, show_or_muck_ms=5_000)
CHECKS = ["check", "check", "check"]
MUCK_TIMER = TimerFired(name="muck")

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


# --- the choice to show or muck -------------------------------------------------------------


def at_choice(*, rules=CHOOSING, out=()):
    """Checked down: seat 1 shows kings, seat 2 aces; seat 3 has queens and has just been viewed."""
    play = started(THREE, deck=dealt("KsKh", "AsAh", "QsQh"), button=3, rules=rules)
    play.play("call", "call", "check", *CHECKS * 2, "check", "check")
    for player in out:
        play.tell(GoOut(player=player))
    return play, play.act("check") if legal_actions(play.table) else play.answer()


def test_pp_showdown_who_is_beaten_has_five_seconds_to_show_or_muck():
    assert PEOPLES_POKER.show_or_muck_ms == 5_000
    play, events = at_choice()
    assert events[-2:] == (
        HandBeaten(seat=3),
        ChoiceStarted(seat=3, decision=13, act_by_ms=play.at_ms + 5_000),
    )
    choice = show_or_muck(play.table)
    assert (choice.seat, choice.player, choice.decision) == (3, "ply_3", 13)
    assert timers(play.table) == (("muck", play.at_ms + 5_000),)


def test_pp_showdown_who_chooses_to_show_is_opened_by_the_dealer():
    play, _ = at_choice()
    events = play.tell(play.action(Show))
    assert events == (OpeningAwaited(hand="hnd_1", seats=(3,)),)
    assert timers(play.table) == ()
    assert play.answer()[0] == HandShown(seat=3, cards=("Qs", "Qh"))
    assert awarded(play) == {0: {2: 30}}


def test_pp_showdown_who_chooses_to_muck_is_never_opened():
    play, _ = at_choice()
    events = play.tell(play.action(Muck))
    assert events[0] == HandMucked(seat=3)
    assert kinds(events) == [HandMucked, PotAwarded, HandEnded]


def test_pp_showdown_mucked_at_the_end_of_the_time_and_nobody_is_out_for_it():
    play, _ = at_choice(rules=replace(CHOOSING, timeout_sets_out=True))
    due = dict(timers(play.table))["muck"]
    assert play.tell(MUCK_TIMER, at_ms=due - 1) == ()
    assert play.tell(TimerFired(name="turn"), at_ms=due) == ()
    events = play.tell(MUCK_TIMER, at_ms=due)
    assert events[0] == HandMucked(seat=3, auto="clock")
    assert of(play, PlayerWentOut) == []
    assert play.tell(MUCK_TIMER, at_ms=due) == ()


def test_pp_showdown_a_choice_counts_until_the_clock_has_been_recorded():
    play, _ = at_choice()
    play.at_ms = dict(timers(play.table))["muck"] + 5
    assert kinds(play.act("show"))[:2] == [OpeningAwaited, HandShown]


def test_pp_showdown_out_players_muck_at_once():
    play, events = at_choice(out=("ply_3",))
    assert ChoiceStarted not in kinds(events)
    assert HandMucked(seat=3, auto="out") in events
    assert play.table.hand is None


def test_pp_showdown_going_out_during_the_choice_mucks():
    play, _ = at_choice()
    events = play.tell(GoOut(player="ply_3"))
    assert events[:2] == (
        PlayerWentOut(player="ply_3", seat=3),
        HandMucked(seat=3, auto="out"),
    )
    assert play.table.hand is None


def test_pp_showdown_somebody_else_going_out_leaves_the_choice_open():
    play, _ = at_choice()
    assert kinds(play.tell(GoOut(player="ply_1"))) == [PlayerWentOut]
    assert show_or_muck(play.table).player == "ply_3"


def test_pp_showdown_each_beaten_hand_has_its_own_choice():
    play = started(
        dict.fromkeys(range(1, 5), 1000),
        *("call", "call", "call", "check"),
        *["check"] * 12,
        deck=dealt("AsAh", "KsKh", "AdAc", "QsQh"),
        button=4,
        rules=CHOOSING,
    )
    assert showdown(play) == ["open 1", "1 shows", "view 2"]
    play.act("muck")
    assert showdown(play)[3:] == ["2 mucks", "view 3", "open 3", "3 shows", "view 4"]
    play.act("show")
    assert showdown(play)[-2:] == ["open 4", "4 shows"]
    assert awarded(play) == {0: {1: 20, 3: 20}}


def test_pp_showdown_a_beaten_hand_that_is_shown_wins_nothing_and_raises_no_bar():
    """Seat 2 shows queens under seat 1's kings; seat 3 still has to beat the kings."""
    play = started(
        THREE,
        *("call", "call", "check"),
        *CHECKS * 3,
        deck=dealt("KsKh", "QsQh", "JsJh"),
        button=3,
        rules=CHOOSING,
    )
    play.act("show")
    assert of(play, HandBeaten) == [HandBeaten(seat=2), HandBeaten(seat=3)]
    play.act("muck")
    assert awarded(play) == {0: {1: 30}}


@pytest.mark.parametrize("preset", PRESETS.values(), ids=PRESETS)
def test_pp_showdown_all_in_hands_are_turned_up_before_any_choice(preset):
    play = started(
        {1: 1_000, 2: 1_000, 3: 50},
        *("call", "call", "check"),
        *CHECKS * 2,
        *("check", "check", 40, "call", "call"),
        deck=dealt("KsKh", "AsAh", "QsQh"),
        button=3,
        rules=replace(preset, show_or_muck_ms=5_000),
    )
    assert of(play, HandBeaten, ChoiceStarted, ViewAwaited) == []
    assert showdown(play) == ["open 1 2 3", "1 shows", "2 shows", "3 shows"]


def test_pp_showdown_without_a_time_to_choose_who_is_beaten_mucks_at_once():
    play, events = at_choice(rules=BIG_HOLDEM)
    assert HandMucked(seat=3) in events
    assert of(play, HandBeaten, ChoiceStarted) == []
