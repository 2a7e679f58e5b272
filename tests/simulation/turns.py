"""Whose turn it is at each table, and what the turn allows: all that players need to go on."""

from collections.abc import Callable, Iterable
from typing import Any

import msgspec

from shared.contracts import hand as hands
from shared.contracts.hand import HandStarted, TurnStarted
from shared.contracts.table import Action, Call, Check, Fold, HandVoided, RaiseTo

ENDS_A_TURN = {
    hands.PlayerFolded,
    hands.PlayerChecked,
    hands.PlayerCalled,
    hands.PlayerRaised,
    hands.HandEnded,
    HandVoided,
}

read_action: Callable[[Any], Any] = msgspec.json.Decoder(Fold | Check | Call | RaiseTo).decode


class OpenTurn(msgspec.Struct, frozen=True):
    """The decision that is open at a table."""

    hand: str
    player: str
    turn: TurnStarted


class Turns:
    """The turns that are open, by table."""

    def __init__(self) -> None:
        self.open: dict[str, OpenTurn] = {}
        self._hands: dict[str, HandStarted] = {}

    def see(self, table: str, events: Iterable[Any]) -> None:
        """Follow the events of a commit, whatever stream it is of."""
        for event in events:
            kind = type(event)
            if kind is HandStarted:
                self._hands[table] = event
            elif kind is TurnStarted:
                started = self._hands[table]
                player = next(s.player for s in started.seats if s.seat == event.seat)
                self.open[table] = OpenTurn(started.hand, player, event)
            elif kind in ENDS_A_TURN:
                self.open.pop(table, None)

    def is_legal(self, table: str, command: bytes) -> bool:
        """Say whether this is what the turn that is open now allows."""
        opened = self.open.get(table)
        if opened is None:
            return False
        try:
            action: Action = read_action(command)
        except msgspec.MsgspecError:
            return False
        turn = opened.turn
        mine = (action.hand, action.player, action.decision)
        if mine != (opened.hand, opened.player, turn.decision):
            return False
        if isinstance(action, RaiseTo):
            return 0 < turn.min_raise_to <= action.to_chips <= turn.max_raise_to
        return isinstance(action, Fold) or isinstance(action, Call) == bool(turn.call_chips)
