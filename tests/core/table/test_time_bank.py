"""The time bank: when it begins, what it costs, how it grows and moves along."""

import pytest
from msgspec.structs import replace

from services.director.core.terms import problems
from services.table.core import bank_left_ms, legal_actions, timers
from shared.contracts.director import HandCleared, SeatAssigned, TableFormed
from shared.contracts.hand import (
    PlayerCalled,
    PlayerChecked,
    PlayerFolded,
    TimeBankStarted,
    TimeBankUsed,
    TurnStarted,
)
from shared.contracts.message import TimerFired
from shared.contracts.table import Check, GoOut, PlayerWentOut, SeatVacated
from shared.poker.rule_sets import BIG_HOLDEM, TDA
from tests.core.director.director_play import Play as Director, of as of_kind, terms
from tests.core.table.hand_play import dealt, of
from tests.core.table.table_play import ACTION_MS, Play, assigned, kinds, move, player_of

STACKS = {1: 1_000, 2: 1_000, 3: 1_000}
TURN = TimerFired(name="turn")
SETS_OUT = replace(BIG_HOLDEM, timeout_sets_out=True)


def banked(*, bank=30_000, refill=0, rules=BIG_HOLDEM):
    play = Play(STACKS, button=3, rules=rules, bank=bank, refill=refill)
    play.start()
    return play


def test_the_time_bank_begins_when_the_time_to_act_is_over():
    play = banked()
    began = play.at_ms
    events = play.run_down()
    due = began + ACTION_MS + 30_000
    assert events == (TimeBankStarted(seat=3, decision=1, act_by_ms=due, left_ms=30_000),)
    assert timers(play.table) == (("turn", due),)
    assert legal_actions(play.table).player == "ply_3"
    assert play.tell(TURN, at_ms=due - 1) == ()


def test_the_time_bank_begins_in_full_when_the_timer_is_late():
    play = banked()
    (began,) = play.run_down(by_ms=700)
    assert began.act_by_ms == play.at_ms + 30_000


def test_the_time_bank_pays_for_what_was_used_of_it():
    play = banked()
    play.run_down()
    play.at_ms += 12_000
    used, called, turn = play.act("call")
    assert used == TimeBankUsed(seat=3, player="ply_3", by_ms=12_000, left_ms=18_000)
    assert called == PlayerCalled(seat=3, by_chips=10)
    assert turn.act_by_ms == play.at_ms + ACTION_MS
    assert bank_left_ms(play.table, "ply_3") == 18_000
    assert bank_left_ms(play.table, "ply_1") == 30_000


def test_the_time_bank_is_not_touched_by_an_action_in_time():
    play = banked()
    play.at_ms += ACTION_MS
    assert kinds(play.act("call")) == [PlayerCalled, TurnStarted]
    assert bank_left_ms(play.table, "ply_3") == 30_000


@pytest.mark.parametrize(("rules", "sets_out"), [(BIG_HOLDEM, False), (SETS_OUT, True)])
def test_the_clock_acts_when_the_time_bank_is_used_up(rules, sets_out):
    play = banked(rules=rules)
    play.run_down()
    events = play.run_down()
    assert of(play, PlayerWentOut) == [PlayerWentOut(player="ply_3", seat=3)] * sets_out
    assert [event for event in events if type(event) is not PlayerWentOut][:2] == [
        TimeBankUsed(seat=3, player="ply_3", by_ms=30_000, left_ms=0),
        PlayerFolded(seat=3, auto="clock"),
    ]


def test_a_used_up_time_bank_does_not_begin_again():
    play = banked(bank=1_000)
    play.run_down()
    play.at_ms += 1_000
    assert play.act("call")[0].left_ms == 0
    play.play("call", "check", "check", "check")
    assert legal_actions(play.table).player == "ply_3"
    assert play.run_down()[0] == PlayerChecked(seat=3, auto="clock")


def test_what_is_left_of_a_time_bank_is_what_the_next_turn_has():
    play = banked()
    play.run_down()
    play.at_ms += 10_000
    play.play("call", "call", "check", "check", "check")
    assert legal_actions(play.table).player == "ply_3"
    (began,) = play.run_down()
    assert began.left_ms == 20_000
    play.at_ms += 5_000
    assert play.act("check")[0].left_ms == 15_000
    assert bank_left_ms(play.table, "ply_3") == 15_000


def test_every_player_has_a_time_bank_of_their_own():
    play = banked()
    for used_ms in (1_000, 2_000, 4_000):
        play.run_down()
        play.at_ms += used_ms
        play.play("call" if used_ms < 4_000 else "check")
    left = [bank_left_ms(play.table, player_of(seat)) for seat in (3, 1, 2)]
    assert left == [29_000, 28_000, 26_000]


def test_an_action_that_the_late_clock_lets_pass_takes_no_more_than_is_left():
    play = banked()
    play.run_down()
    play.at_ms += 30_700
    assert play.act("call")[0] == TimeBankUsed(seat=3, player="ply_3", by_ms=30_000, left_ms=0)


def test_the_time_bank_grows_with_every_level_after_the_first():
    play = banked(refill=5_000)
    assert bank_left_ms(play.table, "ply_3") == 30_000
    play.run_down()
    play.at_ms += 30_000
    play.play("fold", "fold")
    play.start(level=3)
    assert bank_left_ms(play.table, "ply_3") == 10_000
    assert bank_left_ms(play.table, "ply_2") == 40_000
    (began,) = play.run_down()  # Button 1: seat 1.
    assert began.left_ms == 40_000


def test_a_time_bank_may_come_from_levels_alone():
    play = banked(bank=0, refill=5_000)
    assert play.run_down()[0] == PlayerFolded(seat=3, auto="clock")
    play.play("fold")
    play.start(level=2)
    assert play.run_down()[0].left_ms == 5_000


def test_going_out_on_the_time_bank_pays_for_it_and_acts():
    play = banked()
    play.run_down()
    play.at_ms += 4_000
    events = play.tell(GoOut(player="ply_3"))
    assert events[:3] == (
        PlayerWentOut(player="ply_3", seat=3),
        TimeBankUsed(seat=3, player="ply_3", by_ms=4_000, left_ms=26_000),
        PlayerFolded(seat=3, auto="out"),
    )


def test_a_refused_action_leaves_the_time_bank_running():
    play = banked()
    play.run_down()
    play.at_ms += 4_000
    assert play.refused(play.action(Check)) == "cannot_check"
    assert kinds(play.log).count(TimeBankUsed) == 0
    play.act("call")
    assert of(play, TimeBankUsed)[0].by_ms == 4_000


def test_a_moved_players_time_bank_moves_along():
    play = banked()
    play.run_down()
    play.at_ms += 12_000
    play.play("fold", "fold")
    (left,) = play.tell(move("ply_3"))
    assert isinstance(left, SeatVacated)
    assert left.time_bank_used_ms == 12_000
    there = banked()
    (taken,) = there.tell(assigned("ply_7", 7, 995, time_bank_used_ms=left.time_bank_used_ms))
    assert taken.time_bank_used_ms == 12_000
    assert bank_left_ms(there.table, "ply_7") == 18_000
    assert bank_left_ms(play.table, "ply_3") == 30_000  # Nothing is kept of who has left.


def test_the_time_bank_does_not_run_for_a_choice_to_show_or_muck():
    play = Play(STACKS, button=3, rules=replace(TDA, show_or_muck_ms=5_000), bank=30_000)
    play.deck = dealt("KsKh", "AsAh", "QsQh")
    play.start()
    play.play("call", "call", "check", *["check"] * 9)
    play.at_ms = dict(timers(play.table))["muck"]
    play.tell(TimerFired(name="muck"))
    assert of(play, TimeBankStarted, TimeBankUsed) == []


def test_the_time_bank_is_one_of_the_terms():
    """PP-LOBBY: every table is formed with it, and every hand tells its level."""
    play = Director(terms(time_bank_ms=30_000, time_bank_refill_ms=5_000)).begin()
    for formed in of_kind(TableFormed, play.events):
        assert (formed.time_bank_ms, formed.time_bank_refill_ms) == (30_000, 5_000)
    assert {cleared.level_number for cleared in of_kind(HandCleared, play.events)} == {1}
    play.now_ms += play.terms.level_ms
    play.must(TimerFired(name="level"))
    assert [cleared.level_number for cleared in of_kind(HandCleared, play.end_hand(1))] == [2]


@pytest.mark.parametrize("field", ["time_bank_ms", "time_bank_refill_ms"])
@pytest.mark.parametrize("value", [-1, 60 * 60 * 1_000 + 1])
def test_a_time_bank_has_bounds(field, value):
    assert problems(terms(**{field: value})) == (f"{field} is from 0 to 3600000",)


def test_the_director_takes_a_time_bank_along():
    play = Director(terms(entries=6, seats=4)).begin()
    play.end_hand(1, ply_001=0)
    play.end_hand(1, ply_002=0)
    play.answer_all_draws()
    (left,) = play.vacated
    events = play.must(replace(left, time_bank_used_ms=7_000))
    assert of_kind(SeatAssigned, events)[0].time_bank_used_ms == 7_000
