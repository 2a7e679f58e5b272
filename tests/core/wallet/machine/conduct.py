"""Operators warn, suspend, resume, and report (PP-CONDUCT)."""

from hypothesis import strategies as st
from hypothesis.stateful import rule

from shared.contracts.wallet import (
    AskForClosure,
    EntryHeld,
    PlayResumed,
    PlaySuspended,
    ReportToAuthorities,
    ResumeChat,
    ResumePlay,
    SuspendChat,
    SuspendPlay,
    WarnPlayer,
)
from tests.core.wallet.machine.journal import OPERATOR, Journal, players

STEPS = (WarnPlayer, AskForClosure, ReportToAuthorities, ResumeChat, ResumePlay)


class Conduct(Journal):
    """Rules about conduct; who is suspended from play holds nothing new."""

    def __init__(self):
        super().__init__()
        self.suspended = {}

    def take(self, said, outcome, for_ever):
        for event in outcome[0]:
            match event:
                case PlaySuspended():
                    self.suspended[event.player] = event.until_ms or float("inf")
                case PlayResumed():
                    del self.suspended[event.player]
                case EntryHeld():
                    assert self.at_ms >= self.suspended.get(event.player, 0)
        return super().take(said, outcome, for_ever)

    @rule(player=players, step=st.sampled_from(STEPS))
    def take_a_step(self, player, step):
        said = step(player=player, author=OPERATOR, reason="vulgar chat")
        self.ask(said, for_ever=False, counts=step is WarnPlayer)

    @rule(
        player=players,
        kind=st.sampled_from([SuspendPlay, SuspendPlay, SuspendChat]),
        ms=st.sampled_from([1, 3_600_000, None]),
    )
    def suspend_from_something(self, player, kind, ms):
        until_ms = None if ms is None else self.at_ms + ms
        self.ask(WarnPlayer(player=player, author=OPERATOR, reason="first"), counts=True)
        said = kind(player=player, author=OPERATOR, reason="again", until_ms=until_ms)
        self.ask(said, for_ever=False)
