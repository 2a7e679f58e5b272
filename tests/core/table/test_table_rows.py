"""One hand told event by event, as given / when / then."""

from services.table.core import SeatSeen, legal_actions
from shared.contracts.hand import DealAwaited, HandScheduled, HandsDealt, HandStarted, TurnStarted
from shared.contracts.message import TimerFired
from shared.contracts.table import TableOpened
from tests.core.table.table_play import ACTION_MS, Play, kinds

STACKS = {1: 1_000, 2: 1_000, 3: 1_000}
HAND = TimerFired(name="hand")


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


def test_what_is_seen_of_one_seat_is_never_printed():
    assert "As" not in repr(SeatSeen("hnd_1", 2, ("As", "Kd")))
