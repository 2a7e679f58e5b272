"""The table, told as given / when / then: refusals in order of precedence, clock, Out."""

import pytest
from msgspec.structs import replace

from services.table.core import SeatSeen, legal_actions, timers
from shared.contracts.message import TimerFired
from shared.contracts.table import (
    BoardDealt,
    Call,
    Check,
    ComeBack,
    DealAwaited,
    Fold,
    GoOut,
    HandScheduled,
    HandsDealt,
    HandStarted,
    PlayerCalled,
    PlayerCameBack,
    PlayerChecked,
    PlayerFolded,
    PlayerWentOut,
    RaiseTo,
    TableOpened,
    TurnStarted,
)
from shared.poker.rule_sets import BIG_HOLDEM, PEOPLES_POKER
from tests.core.table.table_play import ACTION_MS, Play, assigned, kinds, player_of

STACKS = {1: 1_000, 2: 1_000, 3: 1_000}
TURN = TimerFired(name="turn")
HAND = TimerFired(name="hand")


def at_second_decision():
    """Seats 1 to 3 are dealt in, the button folded, seat 1 is to act; seat 5 came later."""
    play = Play(STACKS, button=3)
    play.start()
    play.tell(assigned("ply_5", 5, 400))
    play.play("fold")
    return play


# --- players' actions -----------------------------------------------------------------------

# Each row mends what the row before was refused for, and nothing else.
PRECEDENCE = [
    # hand, player, decision, to_chips
    (("hnd_7", "ply_9", 1, -5), "unknown_hand"),
    (("hnd_1", "ply_9", 1, -5), "not_seated"),
    (("hnd_1", "ply_5", 1, -5), "not_dealt_in"),
    (("hnd_1", "ply_2", 1, -5), "decision_passed"),
    (("hnd_1", "ply_2", 3, -5), "decision_not_open"),
    (("hnd_1", "ply_2", 2, -5), "not_your_turn"),
    (("hnd_1", "ply_1", 2, -5), "amount_must_be_positive"),
    (("hnd_1", "ply_1", 2, 0), "amount_must_be_positive"),
    (("hnd_1", "ply_1", 2, 1_001), "not_enough_chips"),
    (("hnd_1", "ply_1", 2, 2**70), "not_enough_chips"),
    (("hnd_1", "ply_1", 2, 19), "raise_below_minimum"),
    (("hnd_1", "ply_1", 2, 1), "raise_below_minimum"),
]


@pytest.mark.parametrize(("fields", "reason"), PRECEDENCE)
def test_the_first_fault_names_the_refusal(fields, reason):
    hand, player, decision, to = fields
    command = RaiseTo(hand=hand, player=player, decision=decision, to_chips=to)
    assert at_second_decision().refused(command) == reason


def test_the_smallest_legal_raise_is_accepted_after_all_that():
    play = at_second_decision()
    play.tell(RaiseTo(hand="hnd_1", player="ply_1", decision=2, to_chips=20))
    assert legal_actions(play.table).call_chips == 10


@pytest.mark.parametrize(
    ("to", "reason"),
    [(-1, "amount_must_be_positive"), (9_999, "raise_not_allowed"), (131, "raise_not_allowed")],
)
def test_raise_not_allowed_goes_before_the_amount(to, reason):
    play = Play({1: 1_000, 2: 1_000, 3: 130}, button=3)
    play.start(big=10)
    play.play("call", 100, "call", 130, "call")  # 3 calls, 1 to 100, 2 calls, 3 all-in, 1 calls.
    assert legal_actions(play.table).player == "ply_2"
    assert play.refused(play.action(RaiseTo, to=to)) == reason


@pytest.mark.parametrize(
    ("moves", "kind", "reason"),
    [
        ((), Check, "cannot_check"),
        (("call", "call"), Call, "nothing_to_call"),
    ],
)
def test_checks_and_calls_that_are_none(moves, kind, reason):
    play = Play(STACKS, button=3)
    play.start()
    play.play(*moves)
    assert play.refused(play.action(kind)) == reason


@pytest.mark.parametrize("kind", [Fold, Check, Call])
def test_every_action_is_fenced_by_its_decision(kind):
    play = at_second_decision()
    late = kind(hand="hnd_1", player="ply_1", decision=1)
    early = kind(hand="hnd_1", player="ply_1", decision=3)
    other = kind(hand="hnd_1", player="ply_2", decision=2)
    assert [play.refused(action) for action in (late, early, other)] == [
        "decision_passed",
        "decision_not_open",
        "not_your_turn",
    ]


def test_no_action_is_legal_while_a_question_is_open():
    play = Play(STACKS, button=3)
    play.begin()
    assert play.refused(Fold(hand="hnd_1", player="ply_3", decision=1)) == "decision_not_open"
    play.answer()
    play.play("call", "call")
    last = play.action(Check)
    play.tell(last)
    assert play.refused(last) == "decision_passed"
    ahead = Check(hand="hnd_1", player="ply_1", decision=4)
    assert play.refused(ahead) == "decision_not_open"
    play.answer()
    play.tell(ahead)


def test_there_is_no_hand_before_the_first_and_after_the_last():
    play = Play(STACKS, button=3)
    fold = Fold(hand="hnd_1", player="ply_3", decision=1)
    assert play.refused(fold) == "unknown_hand"
    play.tell(play.cleared())
    assert play.refused(fold) == "unknown_hand"
    play.at_ms += 1_000
    play.tell(HAND)
    play.answer()
    play.play("fold", "fold")
    assert play.refused(fold) == "unknown_hand"


# --- a hand, event by event -----------------------------------------------------------------


def test_decisions_count_from_1_in_every_hand():
    play = Play(STACKS, button=3)
    play.start()
    play.play("fold", "fold")
    play.start()
    assert legal_actions(play.table).decision == 1


def test_one_hand_is_told_in_this_order():
    play = Play(STACKS, button=3)
    assert kinds(play.log) == [TableOpened]
    assert kinds(play.tell(play.cleared(ante=1))) == [HandScheduled]
    play.at_ms += 1_000
    started, *posts, question = play.tell(HAND)
    assert (started.button_seat, started.small_blind_seat, started.big_blind_seat) == (3, 1, 2)
    assert [taken.seat for taken in started.seats] == [1, 2, 3]
    assert [(post.seat, post.by_chips) for post in posts] == [
        (1, 1),
        (2, 1),
        (3, 1),
        (1, 5),
        (2, 10),
    ]
    assert type(question) is DealAwaited
    assert kinds(play.answer()) == [HandsDealt, TurnStarted]
    turn = play.log[-1]
    assert (turn.seat, turn.decision, turn.act_by_ms) == (3, 1, play.at_ms + ACTION_MS)


def test_who_wins_because_all_fold_shows_nothing():
    play = Play(STACKS, button=3)
    play.start()
    events = play.play(30, "fold", "fold")
    assert [type(event).__name__ for event in events[-4:]] == [
        "PlayerFolded",
        "UncalledReturned",
        "PotAwarded",
        "HandEnded",
    ]
    assert play.stacks == {1: 995, 2: 990, 3: 1_015}


def test_a_walk_without_small_blind_pays_no_pot():
    """Nobody paid anything but the big blind, which returns."""
    play = Play({1: 500, 2: 10, 3: 500, 4: 500}, button=4)
    play.deck = ("2c", "3d", "As", "Ah", "7c", "8d", "Ad", "Ac", "Ks", "Qs", "Js", "9h", "4h")
    play.start()
    play.play("call", "fold", "fold")  # The big blind is all-in and loses to seat 3.
    assert sorted(play.stacks) == [1, 3, 4]
    play.start()
    started = next(event for event in reversed(play.log) if type(event) is HandStarted)
    assert (started.button_seat, started.small_blind_seat, started.big_blind_seat) == (1, None, 3)
    events = play.play("fold", "fold")
    assert [type(event).__name__ for event in events[-2:]] == ["UncalledReturned", "HandEnded"]


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


@pytest.mark.parametrize("command", [GoOut(player="ply_9"), ComeBack(player="ply_9")])
def test_pp_out_is_for_those_who_sit_here(command):
    assert Play(STACKS).refused(command) == "not_seated"


# --- secrets --------------------------------------------------------------------------------


def test_what_is_seen_of_one_seat_is_never_printed():
    assert "As" not in repr(SeatSeen("hnd_1", 2, ("As", "Kd")))
