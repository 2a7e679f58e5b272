"""The director's facts at the table: never refused; what contradicts the log is a fault."""

import pytest
from msgspec.structs import replace

from services.table.core import DECIDER, is_live, timers
from shared.contracts.director import TableBroken
from shared.contracts.hand import HandEnded, HandScheduled
from shared.contracts.message import TimerFired
from shared.contracts.table import (
    ChipsAdded,
    ComeBack,
    Fold,
    GoOut,
    PlayerLeaving,
    SeatTaken,
    SeatVacated,
    TableClosed,
)
from shared.kernel.decider import Refused
from tests.core.table.table_play import (
    TABLE,
    TOURNAMENT,
    Play,
    assigned,
    bought,
    formed,
    kinds,
    move,
)

STACKS = {1: 1_000, 2: 1_000, 3: 1_000}
HAND = TimerFired(name="hand")


def test_a_mover_leaves_at_once_between_hands():
    play = Play(STACKS)
    (left,) = play.tell(move("ply_2"))
    assert left == SeatVacated(
        tournament=TOURNAMENT, table=TABLE, seat=2, player="ply_2", stack_chips=1_000
    )
    assert play.tell(move("ply_2")) == ()


def test_a_mover_in_a_hand_leaves_at_its_end():
    play = Play(STACKS, button=3)
    play.start()
    assert play.tell(move("ply_2")) == (PlayerLeaving(player="ply_2", seat=2),)
    assert play.tell(move("ply_2")) == ()
    events = play.play("fold", "fold")
    assert kinds(events)[-2:] == [HandEnded, SeatVacated]
    assert events[-1].stack_chips == 1_005
    assert play.table.leaving == ()


def test_a_mover_in_a_cleared_hand_plays_it_first():
    play = Play(STACKS, button=3)
    play.tell(play.cleared())
    assert kinds(play.tell(move("ply_2"))) == [PlayerLeaving]
    play.at_ms += 1_000
    play.tell(HAND)
    play.answer()
    assert kinds(play.play("fold", "fold"))[-2:] == [HandEnded, SeatVacated]


def test_a_mover_who_busts_in_that_hand_does_not_move():
    play = Play({1: 500, 2: 100}, button=2)
    play.deck = ("As", "2c", "Ah", "7d", "Ad", "Ac", "9s", "8h", "3c")
    play.start()
    play.tell(move("ply_2"))
    events = play.play(100, "call")
    assert kinds(events)[-1] is HandEnded
    assert play.stacks == {1: 600}


def test_a_seat_is_taken_also_while_a_hand_runs_and_is_not_dealt_in():
    play = Play(STACKS, button=3)
    play.start()
    assert kinds(play.tell(assigned("ply_5", 5, 700))) == [SeatTaken]
    assert play.tell(assigned("ply_5", 5, 700)) == ()
    play.play("fold", "fold")
    assert [seat.seat for seat in play.ended().seats] == [1, 2, 3]
    assert play.stacks[5] == 700
    started = play.start()[0]
    assert sorted(taken.seat for taken in started.seats) == [1, 2, 3, 5]


def test_a_roster_is_exactly_the_directors():
    play = Play({**STACKS, 4: 1_000}, button=3)
    started = play.start(seats=(1, 3, 4))[0]
    assert sorted(taken.seat for taken in started.seats) == [1, 3, 4]


@pytest.mark.parametrize(
    "fact",
    [
        assigned("ply_5", 5, 700, table="tbl_2"),
        move("ply_2", table="tbl_2"),
        move("ply_9"),
        TableBroken(tournament=TOURNAMENT, table="tbl_2"),
        bought(2, 500, table="tbl_2"),
        formed(STACKS, button=1),
    ],
)
def test_a_fact_that_does_not_apply_changes_nothing(fact):
    play = Play(STACKS)
    before = play.table
    assert play.tell(fact) == ()
    assert play.table == before


def test_a_hand_cleared_while_another_runs_waits_for_its_end():
    play = Play(STACKS, button=3)
    play.begin()
    coming = play.cleared(number=2)
    assert kinds(play.tell(coming)) == [HandScheduled]
    play.at_ms += 1_000
    assert timers(play.table) == ()
    assert play.tell(HAND) == ()
    play.tell(play.reply())
    play.tell(Fold(hand="hnd_1", player="ply_3", decision=1))
    play.tell(Fold(hand="hnd_1", player="ply_1", decision=2))
    assert timers(play.table) == (("hand", coming.not_before_ms),)


def test_a_hand_is_cleared_once():
    play = Play(STACKS, button=3)
    first = play.cleared()
    play.tell(first)
    assert play.tell(first) == ()
    assert play.tell(play.cleared(number=2)) == ()
    play.at_ms += 1_000
    play.tell(HAND)
    assert play.tell(first) == ()


@pytest.mark.parametrize(
    "fact",
    [
        assigned("ply_9", 2, 700),
        assigned("ply_9", 11, 700),
        assigned("ply_9", 0, 700),
    ],
)
def test_a_seat_that_cannot_be_taken_is_a_fault_in_sight(fact):
    play = Play(STACKS)
    with pytest.raises(ValueError, match="ply_9 cannot sit"):
        DECIDER.step(play.table, fact, play.at_ms)


def test_bh_rebuy_bought_chips_are_on_the_seat_for_the_next_hand_once():
    """BH-REBUY."""
    play = Play(STACKS, button=3)
    assert kinds(play.tell(bought(2, 500))) == [ChipsAdded]
    assert play.tell(bought(2, 500)) == ()
    assert play.stacks == {**STACKS, 2: 1_500}
    started = play.start()[0]
    assert {seat.seat: seat.stack_chips for seat in started.seats}[2] == 1_500


def test_bh_rebuy_who_has_lost_all_sits_down_again_in_the_same_seat():
    """BH-REBUY."""
    play = Play({1: 500, 2: 100}, button=2)
    play.deck = ("As", "2c", "Ah", "7d", "Ad", "Ac", "9s", "8h", "3c")
    play.start()
    play.play(100, "call")
    assert kinds(play.tell(assigned("ply_2", 2, 300))) == [SeatTaken]
    assert play.stacks == {1: 600, 2: 300}


@pytest.mark.parametrize(
    ("fact", "fault"),
    [
        (bought(2, 500), "is in a hand"),
        (bought(9, 500), "is not in seat 9"),
        (bought(2, 500, player="ply_3"), "is not in seat 2"),
    ],
)
def test_bh_rebuy_chips_that_cannot_come_are_a_fault_in_sight(fact, fault):
    """BH-REBUY: never into a hand, never to somebody else."""
    play = Play(STACKS, button=3)
    play.start()
    with pytest.raises(ValueError, match=fault):
        DECIDER.step(play.table, fact, play.at_ms)


@pytest.mark.parametrize("seats", [(1,), (2, 1), (1, 1)])
def test_a_roster_that_is_none_is_a_fault_in_sight(seats):
    play = Play(STACKS)
    roster = tuple(replace(play.cleared().roster[0], seat=seat) for seat in seats)
    with pytest.raises(ValueError, match="hnd_1"):
        DECIDER.step(play.table, replace(play.cleared(), roster=roster), play.at_ms)


def test_a_roster_with_somebody_elsewhere_is_a_fault_in_sight():
    play = Play(STACKS)
    cleared = play.cleared()
    roster = (*cleared.roster[:2], replace(cleared.roster[2], player="ply_9"))
    with pytest.raises(ValueError, match="ply_9 is not in seat 3"):
        DECIDER.step(play.table, replace(cleared, roster=roster), play.at_ms)


def test_a_broken_table_closes_and_plays_no_more():
    play = Play(STACKS)
    play.tell(play.cleared())
    broken = TableBroken(tournament=TOURNAMENT, table=TABLE)
    assert play.tell(broken) == (TableClosed(tournament=TOURNAMENT, table=TABLE),)
    assert play.tell(broken) == ()
    assert play.tell(play.cleared(number=2)) == ()
    assert timers(play.table) == ()
    assert not is_live(play.table)
    assert not is_live(DECIDER.initial)


def test_nobody_is_seated_any_more_at_a_table_that_has_closed():
    play = Play(STACKS)
    play.tell(GoOut(player="ply_1"))
    play.tell(TableBroken(tournament=TOURNAMENT, table=TABLE))
    for command in (ComeBack(player="ply_1"), GoOut(player="ply_2")):
        refused = DECIDER.step(play.table, command, play.at_ms)
        assert isinstance(refused, Refused)
        assert refused.reason == "not_seated"


def test_a_table_closed_during_a_hand_is_live_until_its_end():
    play = Play(STACKS, button=3)
    play.start()
    play.tell(TableBroken(tournament=TOURNAMENT, table=TABLE))
    assert is_live(play.table)
    play.play("fold", "fold")
    assert not is_live(play.table)
