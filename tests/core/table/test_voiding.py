"""A hand that the dealer does not deal on is void by an operator's word, said twice."""

import pytest

from services.table.core import DECIDER, awaiting
from services.table.core.voiding import DOUBTED_MS
from shared.contracts.director import TableHalting
from shared.contracts.hand import HandStarted
from shared.contracts.message import TimerFired
from shared.contracts.table import HandDoubted, HandVoided, SeatVacated, TableHalted, VoidHand
from shared.kernel.decider import Refused
from tests.core.table.table_play import TABLE, TOURNAMENT, Play, kinds, move

STACKS = {1: 1_000, 2: 1_000, 3: 1_000}
HAND = TimerFired(name="hand")


def waiting():
    """A hand that has begun and has no cards yet."""
    play = Play(STACKS, button=3)
    play.tell(play.cleared())
    play.at_ms += 1_000
    (started, *_) = play.tell(HAND)
    assert isinstance(started, HandStarted)
    return play, VoidHand(hand=started.hand, author="opr_1", reason="the key is lost")


def refused(play, request, at_ms=None):
    answer = DECIDER.step(play.table, request, play.at_ms if at_ms is None else at_ms)
    assert isinstance(answer, Refused), answer
    return answer.reason


def test_the_first_word_is_written_down_and_the_second_one_gives_the_hand_up():
    play, request = waiting()
    (doubted,) = play.tell(request)
    assert (type(doubted), doubted.author, doubted.at_ms) == (HandDoubted, "opr_1", play.at_ms)
    assert refused(play, request, play.at_ms + DOUBTED_MS - 1) == "too_soon"
    (void,) = play.tell(request, play.at_ms + DOUBTED_MS)
    assert (type(void), void.author, void.reason) == (HandVoided, "opr_1", "the key is lost")
    assert awaiting(play.table) is None
    assert [seat.stack_chips for seat in play.table.seats] == [1_000] * 3
    assert refused(play, request) == "unknown_hand"


def test_the_next_hand_has_the_same_button_and_is_played():
    play, request = waiting()
    before = play.table.positions
    play.tell(request)
    play.tell(request, play.at_ms + DOUBTED_MS)
    assert play.table.positions == before
    play.start()
    assert play.table.hand is not None


def test_an_answer_that_came_meanwhile_ends_the_doubt():
    play, request = waiting()
    play.tell(request)
    play.answer()
    assert refused(play, request, play.at_ms + DOUBTED_MS) == "not_waiting"


def test_who_was_to_leave_after_the_hand_leaves_now():
    play, request = waiting()
    play.tell(move("ply_2"))
    play.tell(request)
    assert kinds(play.tell(request, play.at_ms + DOUBTED_MS)) == [HandVoided, SeatVacated]


def test_a_hand_that_a_halt_voids_has_no_author():
    play, _ = waiting()
    void, halted = play.tell(TableHalting(tournament=TOURNAMENT, table=TABLE))
    assert (void.author, type(halted), halted.hand) == ("", TableHalted, void.hand)


@pytest.mark.parametrize(
    ("changes", "reason"),
    [
        ({"hand": "hnd_other"}, "unknown_hand"),
        ({"reason": ""}, "reason_invalid"),
        ({"reason": "x" * 1_001}, "reason_invalid"),
    ],
)
def test_refusals(changes, reason):
    play, request = waiting()
    said = {"hand": request.hand, "author": "opr_1", "reason": "the key is lost", **changes}
    assert refused(play, VoidHand(**said)) == reason
