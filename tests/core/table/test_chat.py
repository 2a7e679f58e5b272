"""Chat: who is heard, what is a message, and that it means nothing for play."""

import msgspec
import pytest
from msgspec.structs import replace

from services.table.core import DECIDER, awaiting, legal_actions, timers
from shared.contracts.director import TableBroken
from shared.contracts.table import Said, Say
from tests.core.table.table_play import TABLE, TOURNAMENT, Play, assigned, move

STACKS = {1: 1_000, 2: 1_000, 3: 1_000}
BROKEN = TableBroken(tournament=TOURNAMENT, table=TABLE)
HELLO = Say(player="ply_1", text="hello")


def seated():
    return Play(STACKS, button=3)


def test_what_is_said_is_told_to_the_table_word_for_word():
    play = seated()
    (said,) = play.tell(HELLO)
    assert said == Said(player="ply_1", seat=1, text="hello", at_ms=play.at_ms)


# Each row mends what the row before was refused for, and nothing else.
PRECEDENCE = [
    # player, text, milliseconds since the last message of ply_1
    (("ply_9", "", 0), "not_seated"),
    (("ply_1", "", 0), "text_invalid"),
    (("ply_1", "again", 0), "too_many_messages"),
    (("ply_1", "again", 999), "too_many_messages"),
]


@pytest.mark.parametrize(("said", "reason"), PRECEDENCE)
def test_the_first_fault_names_the_refusal(said, reason):
    player, text, later_ms = said
    play = seated()
    play.tell(HELLO)
    play.at_ms += later_ms
    assert play.refused(Say(player=player, text=text)) == reason


def test_a_second_later_and_from_others_at_once_there_may_be_more():
    play = seated()
    play.tell(HELLO)
    play.tell(replace(HELLO, player="ply_2"))
    play.at_ms += 1_000
    play.tell(HELLO)
    assert [said.player for said in play.log[-3:]] == ["ply_1", "ply_2", "ply_1"]


@pytest.mark.parametrize("text", ["", "   ", "x" * 201, "a\nb", "\x00", "a\u202eb", "\ud800"])
def test_what_is_no_line_to_read_is_no_message(text):
    assert seated().refused(replace(HELLO, text=text)) == "text_invalid"


@pytest.mark.parametrize("text", ["x" * 200, "è vero", "🂡🂱", "{}", "<b>"])
def test_any_line_that_can_be_read_is_a_message(text):
    (said,) = seated().tell(replace(HELLO, text=text))
    assert said.text == text


def test_who_is_out_of_the_hand_or_not_dealt_in_may_talk():
    play = seated()
    play.start()
    play.tell(assigned("ply_5", 5, 400))
    play.play("fold")
    for player in ("ply_3", "ply_5"):
        play.tell(Say(player=player, text="hello"))


def test_who_leaves_or_stays_at_a_closed_table_is_not_heard():
    play = seated()
    play.tell(HELLO)
    play.tell(move("ply_1"))
    assert play.refused(HELLO) == "not_seated"
    assert play.table.spoke == ()
    play.tell(BROKEN)
    assert play.refused(replace(HELLO, player="ply_2")) == "not_seated"


def test_nothing_about_play_changes_whatever_is_asked_or_open():
    play = seated()
    play.begin()
    for _ in range(12):
        before = play.table
        facts = (awaiting(before), legal_actions(before), timers(before))
        play.tell(HELLO)
        after = play.table
        assert (awaiting(after), legal_actions(after), timers(after)) == facts
        assert replace(after, spoke=before.spoke) == before
        play.at_ms += 1_000
        if awaiting(after) is not None:
            play.tell(play.reply())
        else:
            play.play("call" if legal_actions(after).call_chips else "check")


def test_the_state_does_not_grow_with_what_is_said():
    play = seated()
    play.tell(HELLO)
    size = len(msgspec.json.encode(play.table))
    for _ in range(50):
        play.at_ms += 1_000
        play.tell(replace(HELLO, text="x" * 200))
    assert len(msgspec.json.encode(play.table)) == size
    assert DECIDER.fold(play.log) == play.table
