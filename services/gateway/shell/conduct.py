"""What was done about players' conduct, folded from the wallet's facts (PP-CONDUCT)."""

from collections import defaultdict
from typing import get_args

from services.gateway.shell.facts import Told
from services.gateway.shell.refusals import Refusal
from shared.contracts.commit import moment
from shared.contracts.wallet import ChatResumed, ChatSuspended, ConductEvent

STEPS = get_args(ConductEvent)


class Conducts:
    """Each player's history, and whose chat is suspended."""

    def __init__(self) -> None:
        self._history: defaultdict[str, list[str]] = defaultdict(list)
        self._silenced: dict[str, int | None] = {}

    def fold(self, told: Told) -> None:
        """Take in one commit of the wallet."""
        for event, text in told.facts:
            if isinstance(event, STEPS):
                self._history[event.player].append(text)
            if isinstance(event, ChatSuspended):
                self._silenced[event.player] = event.until_ms
            elif isinstance(event, ChatResumed):
                self._silenced.pop(event.player, None)

    def history(self, player: str) -> list[str]:
        """Return every step as it was recorded, the oldest first."""
        return self._history.get(player, [])

    def let_speak(self, player: str, now_ms: int) -> None:
        """Raise Refusal while the player's chat is suspended; what is over by time counts no more.

        The end of a suspension may be recorded a moment later than it comes.
        """
        if player not in self._silenced:
            return
        until_ms = self._silenced[player]
        if until_ms is None:
            raise Refusal("chat_suspended", "for good")
        if now_ms < until_ms:
            raise Refusal("chat_suspended", f"until {moment(until_ms)}")
