"""What holds of conduct after whatever operators do, in any order and at any moment."""

import msgspec
from hypothesis import given, strategies as st

from services.wallet.core import Wallet
from services.wallet.core.conduct.evolve import CHAT, PLAY
from services.wallet.core.conduct.standing import obstacle_to_play, runs
from services.wallet.core.deadlines import Deadline
from shared.contracts.message import TimerFired
from shared.contracts.wallet import (
    AskForClosure,
    ChatResumed,
    PlayerWarned,
    PlayResumed,
    ReportToAuthorities,
    ResumeChat,
    ResumePlay,
    SuspendChat,
    SuspendPlay,
    WalletEvent,
    WarnPlayer,
)
from shared.kernel.decider import Refused
from shared.kernel.pmap import dec_hook, enc_hook
from tests.core.wallet.given import ANN, BEA, DECIDER, after, person

DEADLINE = TimerFired(name="deadline")

players = st.sampled_from([ANN, BEA])
said = {
    "player": players,
    "author": st.sampled_from(["carla", "dario", ""]),
    "reason": st.sampled_from(["vulgar chat", "collusion"]),
}
untils = st.none() | st.integers(0, 300)
requests = st.one_of(
    *(
        st.builds(kind, **said)
        for kind in (WarnPlayer, ResumeChat, ResumePlay, AskForClosure, ReportToAuthorities)
    ),
    *(st.builds(kind, **said, until_ms=untils) for kind in (SuspendChat, SuspendPlay)),
    st.just(DEADLINE),
)
histories = st.lists(st.tuples(requests, st.integers(0, 20)), max_size=40)


def lived(history):
    """Yield the wallet after every command, with the moment and the events."""
    wallet, at_ms = after(*person(ANN), *person(BEA)), 0
    for command, pause_ms in history:
        at_ms += pause_ms
        stepped = DECIDER.step(wallet, command, at_ms)
        events, wallet = ((), wallet) if isinstance(stepped, Refused) else stepped
        yield wallet, at_ms, command, events


def due(wallet):
    """The deadlines that the suspensions ask for."""
    ends = [
        Deadline(suspension.until_ms, what, player)
        for player, conduct in wallet.conduct.items()
        for what, suspension in ((CHAT, conduct.chat), (PLAY, conduct.play))
        if suspension is not None and suspension.until_ms is not None
    ]
    return tuple(sorted(ends))


@given(histories)
def test_each_suspension_with_an_end_has_one_deadline_and_there_is_no_other(history):
    for wallet, *_ in lived(history):
        assert wallet.deadlines == due(wallet)


@given(histories)
def test_once_the_timer_has_fired_nothing_that_is_over_is_left(history):
    for wallet, at_ms, *_ in lived(history):
        _, later = DECIDER.step(wallet, DEADLINE, at_ms)
        for player, conduct in later.conduct.items():
            for suspension in (conduct.chat, conduct.play):
                assert suspension is None or runs(suspension, at_ms)
            assert obstacle_to_play(later, player, at_ms) == obstacle_to_play(wallet, player, at_ms)


@given(histories)
def test_nobody_is_suspended_who_was_not_warned_and_warnings_are_counted(history):
    warned = dict.fromkeys((ANN, BEA), 0)
    for wallet, _, command, events in lived(history):
        for event in events:
            if isinstance(event, PlayerWarned):
                warned[event.player] += 1
                assert event.number == warned[event.player]
            if isinstance(event, ChatResumed | PlayResumed):
                assert bool(event.author) == (command is not DEADLINE)
        for player, conduct in wallet.conduct.items():
            assert conduct.warnings == warned[player]
            assert conduct.warnings or not (conduct.chat or conduct.play or conduct.closure)


@given(histories)
def test_history_through_json_leads_to_the_state_that_step_returned(history):
    folded = wallet = after(*person(ANN), *person(BEA))
    for now, *_, events in lived(history):
        wallet = now
        for event in events:
            row = msgspec.json.encode(event)
            folded = DECIDER.evolve(folded, msgspec.json.decode(row, type=WalletEvent))
    assert folded == wallet
    kept = msgspec.json.encode(folded, enc_hook=enc_hook)
    assert msgspec.json.decode(kept, type=Wallet, dec_hook=dec_hook) == folded
