"""The rulebook's words on time: the clock, going Out and coming back."""

import pytest
from msgspec.structs import replace

from services.table.core import legal_actions, timers
from shared.contracts.hand import (
    BoardDealt,
    ClockExtended,
    HandStarted,
    PlayerCalled,
    PlayerChecked,
    PlayerFolded,
    TimeBankStarted,
    TimeBankUsed,
    TurnStarted,
)
from shared.contracts.message import OutageOver, TimerFired
from shared.contracts.table import Call, ComeBack, GoOut, PlayerCameBack, PlayerWentOut
from shared.poker.rule_sets import BIG_HOLDEM, PEOPLES_POKER
from tests.core.table.table_play import ACTION_MS, Play, assigned, kinds, move, player_of

STACKS = {1: 1_000, 2: 1_000, 3: 1_000}
TURN = TimerFired(name="turn")
HAND = TimerFired(name="hand")
SETS_OUT = replace(BIG_HOLDEM, timeout_sets_out=True)

# --- clock ----------------------------------------------------------------------------------


def test_a_hand_starts_by_timer_and_not_before():
    play = Play(STACKS, button=3)
    play.tell(play.cleared())
    due = dict(timers(play.table))["hand"]
    assert play.tell(HAND, at_ms=due - 1) == ()
    assert kinds(play.tell(HAND, at_ms=due))[0] is HandStarted
    assert play.tell(HAND, at_ms=due) == ()


@pytest.mark.parametrize(
    ("rules", "sets_out"), [(BIG_HOLDEM, False), (replace(BIG_HOLDEM, timeout_sets_out=True), True)]
)
def test_pp_clock_and_bh_clock_fold_when_a_bet_is_to_call(rules, sets_out):
    play = Play(STACKS, button=3, rules=rules)
    play.start()
    due = dict(timers(play.table))["turn"]
    assert play.tell(TURN, at_ms=due - 1) == ()
    events = play.tell(TURN, at_ms=due)
    went_out = (PlayerWentOut(player="ply_3", seat=3),) if sets_out else ()
    assert events[:-1] == (*went_out, PlayerFolded(seat=3, auto="clock"))
    assert (events[-1].seat, events[-1].act_by_ms) == (1, due + ACTION_MS)
    assert play.tell(TURN, at_ms=due) == ()


def test_pp_clock_checks_when_that_is_free():
    play = Play(STACKS, button=3)
    play.start()
    play.play("call", "call")
    play.at_ms = dict(timers(play.table))["turn"]
    assert play.tell(TURN)[0] == PlayerChecked(seat=2, auto="clock")


def test_the_presets_differ_on_being_out_after_a_time_out():
    assert PEOPLES_POKER.timeout_sets_out
    assert not BIG_HOLDEM.timeout_sets_out


def test_an_action_counts_until_the_clock_has_been_recorded():
    play = Play(STACKS, button=3)
    play.start()
    play.at_ms = dict(timers(play.table))["turn"] + 5
    assert kinds(play.act("call")) == [PlayerCalled, TurnStarted]
    assert play.tell(TURN) == ()


# --- outages ------------------------------------------------------------------------------


def stand_still(play, ms):
    """Nobody can act for so long: the table learns of it when that is over."""
    play.at_ms += ms
    return play.tell(OutageOver(down_from_ms=play.at_ms - ms, up_at_ms=play.at_ms))


@pytest.mark.parametrize(("rules", "sets_out"), [(BIG_HOLDEM, False), (SETS_OUT, True)])
def test_pp_clock_and_bh_clock_do_not_run_while_nobody_can_act(rules, sets_out):
    play = Play(STACKS, button=3, rules=rules)
    play.start()
    play.at_ms += ACTION_MS - 1
    assert kinds(stand_still(play, 3 * ACTION_MS)) == [ClockExtended]
    assert play.tell(TURN) == ()
    play.at_ms += 1
    events = play.tell(TURN)
    assert (PlayerWentOut(player="ply_3", seat=3) in events) == sets_out
    assert PlayerFolded(seat=3, auto="clock") in events


def test_bh_clock_the_time_bank_is_not_used_while_nobody_can_act():
    play = Play(STACKS, button=3, bank=30_000)
    play.start()
    assert kinds(play.run_down()) == [TimeBankStarted]
    play.at_ms += 2_000
    stand_still(play, 60_000)
    play.at_ms += 3_000
    assert play.act("call")[0] == TimeBankUsed(seat=3, player="ply_3", by_ms=5_000, left_ms=25_000)


def test_bh_clock_the_time_bank_does_not_begin_because_nobody_could_act():
    play = Play(STACKS, button=3, bank=30_000)
    play.start()
    play.at_ms += 1_000
    stand_still(play, 3 * ACTION_MS)
    assert play.tell(TURN) == ()
    assert kinds(play.act("call")) == [PlayerCalled, TurnStarted]


# --- Out (PP-OUT) ---------------------------------------------------------------------------


def test_pp_out_on_ones_own_turn_acts_at_once():
    play = Play(STACKS, button=3)
    play.start()
    events = play.tell(GoOut(player="ply_3"))
    assert events[:2] == (PlayerWentOut(player="ply_3", seat=3), PlayerFolded(seat=3, auto="out"))
    assert events[2].seat == 1


def test_pp_out_is_acted_for_in_the_commit_of_the_action_before():
    play = Play(STACKS, button=3)
    play.start()
    play.tell(GoOut(player="ply_1"))
    play.tell(GoOut(player="ply_2"))
    events = play.tell(play.action(Call))
    assert [event.auto for event in events if isinstance(event, PlayerFolded)] == ["out"]
    assert [event.auto for event in events if isinstance(event, PlayerChecked)] == ["out"]
    assert legal_actions(play.table) is None
    assert kinds(play.answer()) == [BoardDealt, PlayerChecked, TurnStarted]


def test_pp_out_can_come_back_at_any_time_and_pays_blinds_meanwhile():
    play = Play(STACKS, button=3)
    for seat in STACKS:
        play.tell(GoOut(player=player_of(seat)))
    events = play.start()
    assert TurnStarted not in kinds(events)
    assert play.stacks == {1: 995, 2: 1_005, 3: 1_000}
    assert [seat.out for seat in play.ended().seats] == [True, True, True]
    assert play.tell(ComeBack(player="ply_2")) == (PlayerCameBack(player="ply_2", seat=2),)
    assert play.tell(ComeBack(player="ply_2")) == ()
    assert play.tell(GoOut(player="ply_1")) == ()


@pytest.mark.parametrize("limit", ["no_limit", "pot_limit", "fixed_limit"])
def test_pp_clock_is_the_same_in_every_limit(limit):
    play = Play(STACKS, button=3, rules=replace(PEOPLES_POKER, limit=limit))
    play.start()
    events = play.run_down()
    assert events[:2] == (
        PlayerWentOut(player="ply_3", seat=3),
        PlayerFolded(seat=3, auto="clock"),
    )


def test_pp_clock_after_a_time_out_the_system_acts_at_once_until_the_player_is_back():
    play = Play({1: 1_000, 2: 1_000}, button=1, rules=SETS_OUT)
    play.start()
    play.play("call")
    play.run_down()
    assert kinds(play.answer())[:2] == [BoardDealt, PlayerChecked]
    play.tell(ComeBack(player="ply_2"))
    assert kinds(play.act("check"))[-2:] == [BoardDealt, TurnStarted]
    assert legal_actions(play.table).player == "ply_2"


def test_pp_out_coming_back_in_the_middle_of_a_hand_gives_the_next_decision():
    play = Play(STACKS, button=3)
    play.start()
    play.tell(GoOut(player="ply_2"))
    play.play("call")
    assert play.tell(ComeBack(player="ply_2")) == (PlayerCameBack(player="ply_2", seat=2),)
    turn = play.act("call")[-1]
    assert (turn.seat, turn.act_by_ms) == (2, play.at_ms + ACTION_MS)


def test_pp_out_coming_back_does_not_bring_back_a_folded_hand():
    play = Play(STACKS, button=3)
    play.start()
    play.tell(GoOut(player="ply_3"))
    play.tell(ComeBack(player="ply_3"))
    assert 3 not in play.table.hand.to_act
    play.play("call", "check")
    assert legal_actions(play.table).player == "ply_1"


def test_pp_out_while_the_dealer_is_asked_nobody_is_acted_for():
    play = Play(STACKS, button=3)
    play.begin()
    assert kinds(play.tell(GoOut(player="ply_3"))) == [PlayerWentOut]
    assert play.answer()[1] == PlayerFolded(seat=3, auto="out")


def test_pp_out_an_out_player_moves_to_another_table_as_such():
    play = Play(STACKS, button=3)
    play.tell(GoOut(player="ply_2"))
    (left,) = play.tell(move("ply_2"))
    assert left.out
    play.tell(assigned("ply_6", 6, 700, out=True))
    play.tell(GoOut(player="ply_1"))
    play.tell(GoOut(player="ply_3"))
    play.start()
    assert play.table.hand is None
    assert [seat.out for seat in play.ended().seats] == [True, True, True]
