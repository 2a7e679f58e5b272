"""Which commands were decided: by stream and id, for a quarter of an hour."""

from shared.contracts.commit import Cause, moment
from shared.runtime.answers import REMEMBERED_MS, Answers, Decided
from tests.core.runtime.clock import StandingClock


def test_a_command_is_found_on_its_own_stream_only():
    clock = StandingClock()
    answers = Answers(clock)
    answers.note("ctr_1", "cmd_1", Decided(3, 3, clock.ms))
    assert answers.find("ctr_1", "cmd_1") == Decided(3, 3, clock.ms)
    assert answers.find("ctr_2", "cmd_1") is None
    assert answers.find("ctr_1", "cmd_2") is None


def test_a_cut_decision_is_one_answer_in_whatever_order_it_is_learned():
    clock = StandingClock()
    answers = Answers(clock)
    for n in (4, 2, 3):
        answers.learn("ctr_1", n, moment(clock.ms), Cause(command="cmd_1"))
    answers.learn("ctr_1", 5, moment(clock.ms), Cause(timer="act"))
    found = answers.find("ctr_1", "cmd_1")
    assert found
    assert (found.first, found.last) == (2, 4)


def test_old_commands_are_forgotten_and_young_ones_kept():
    clock = StandingClock()
    answers = Answers(clock)
    answers.note("ctr_1", "cmd_1", Decided(1, 1, clock.ms))
    clock.ms += REMEMBERED_MS - 1
    answers.note("ctr_1", "cmd_2", Decided(2, 2, clock.ms))
    answers.forget_old()
    assert answers.find("ctr_1", "cmd_1")
    clock.ms += 1
    answers.forget_old()
    assert answers.find("ctr_1", "cmd_1") is None
    assert answers.find("ctr_1", "cmd_2")


def test_what_is_worth_learning_begins_a_quarter_of_an_hour_ago():
    clock = StandingClock()
    assert Answers(clock).oldest == moment(clock.ms - REMEMBERED_MS)
    assert Answers(StandingClock(0)).oldest == moment(0)
