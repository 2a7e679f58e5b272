"""Rules of conduct: PP-CONDUCT, from the first warning to the authorities, and all chat logged."""

import pytest

from shared.contracts.director import EntryDeclined, PlayerRegistered, Register, Unregister
from shared.contracts.message import TimerFired
from shared.contracts.table import Said, Say
from shared.contracts.wallet import (
    AskForClosure,
    ChatResumed,
    ChatSuspended,
    ClosureAsked,
    MailWarning,
    PlayerWarned,
    PlaySuspended,
    ReportToAuthorities,
    SuspendChat,
    SuspendPlay,
    WarnPlayer,
)
from shared.kernel.decider import Refused
from tests.core.director.director_play import Play as Tournament, terms
from tests.core.table.table_play import Play as Table
from tests.core.wallet.given import ANN, BEA, DECIDER, after, person

DAY_MS = 86_400_000
SAID = {"player": ANN, "author": "carla", "reason": "insults in the chat"}
WARN = WarnPlayer(**SAID)
FURTHER_STEPS = [SuspendChat(**SAID), SuspendPlay(**SAID), AskForClosure(**SAID)]


@pytest.mark.parametrize("step", FURTHER_STEPS)
def test_pp_conduct_first_comes_a_warning(step):
    assert DECIDER.decide(after(*person(ANN)), step, 0) == Refused("not_warned")
    (event,) = DECIDER.decide(after(*person(ANN), WARN), step, 0)
    assert isinstance(event, ChatSuspended | PlaySuspended | ClosureAsked)


def test_pp_conduct_the_warning_is_an_e_mail():
    warned, batch = DECIDER.decide(after(*person(ANN)), WARN, 0)
    assert isinstance(warned, PlayerWarned)
    (mail,) = batch.errands
    assert isinstance(mail, MailWarning)
    assert (mail.player, mail.reason) == (ANN, "insults in the chat")


def test_pp_conduct_a_report_to_the_authorities_needs_no_warning():
    (event,) = DECIDER.decide(after(*person(ANN)), ReportToAuthorities(**SAID), 0)
    assert (event.author, event.reason) == ("carla", "insults in the chat")


@pytest.mark.parametrize("step", [WARN, *FURTHER_STEPS, ReportToAuthorities(**SAID)])
def test_pp_conduct_each_step_is_an_event_with_author_and_reason(step):
    event = DECIDER.decide(after(*person(ANN), WARN), step, 0)[0]
    assert (event.player, event.author, event.reason) == tuple(SAID.values())


def test_pp_conduct_what_has_an_end_ends_by_itself():
    wallet = after(*person(ANN), WARN, SuspendChat(**SAID, until_ms=DAY_MS))
    deadline = TimerFired(name="deadline")
    assert DECIDER.decide(wallet, deadline, DAY_MS - 1) == ()
    (ended,) = DECIDER.decide(wallet, deadline, DAY_MS)
    assert ended == ChatResumed(player=ANN, author="", reason="its time is over")
    for_good = after(*person(ANN), WARN, SuspendChat(**SAID))
    assert DECIDER.decide(for_good, deadline, 1_000 * DAY_MS) == ()


class Room:
    """A tournament and the journal, each with its real core; facts go back and forth at once."""

    def __init__(self, *given):
        self.tournament = Tournament(terms(entries=3))
        self.wallet = after(*given)

    def asks(self, request):
        """Ask the wallet."""
        _, self.wallet = DECIDER.step(self.wallet, request, 0)

    def enters(self, player):
        """Return what the director says of an entry when the wallet has answered."""
        requested, *_ = self.tournament.must(Register(player=player))
        (answer, *_), self.wallet = DECIDER.step(self.wallet, requested, 0)
        outcome, *_ = self.tournament.must(answer)
        self.asks(outcome)
        return outcome

    def leaves(self, player):
        for fact in self.tournament.must(Unregister(player=player)):
            self.asks(fact)


def test_pp_conduct_who_is_suspended_from_play_is_refused_the_next_entry():
    room = Room(*person(ANN, 10_000), *person(BEA, 10_000), WARN)
    assert isinstance(room.enters(ANN), PlayerRegistered)
    room.asks(SuspendPlay(**SAID, until_ms=DAY_MS))
    assert ANN in room.tournament.state.registered
    room.leaves(ANN)
    again = room.enters(ANN)
    assert isinstance(again, EntryDeclined)
    assert again.reason == "play_suspended"
    assert isinstance(room.enters(BEA), PlayerRegistered)


def test_pp_conduct_all_chat_is_logged():
    table = Table({1: 1_000, 2: 1_000})
    table.start()
    table.tell(Say(player="ply_2", text="nice hand"))
    assert table.log[-1] == Said(player="ply_2", seat=2, text="nice hand", at_ms=table.at_ms)
