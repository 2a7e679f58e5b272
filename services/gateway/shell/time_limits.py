"""Who has a limit of session time (BP-RESPONSIBLE), from the wallet's line."""

from collections import defaultdict

from services.gateway.shell.facts import Told
from shared.contracts.wallet import LimitSet


class TimeLimits:
    """The windows that each player has limited; how much is used only the wallet knows."""

    def __init__(self) -> None:
        self._windows: defaultdict[str, set[str]] = defaultdict(set)

    def __contains__(self, player: str) -> bool:
        return player in self._windows

    def fold(self, told: Told) -> None:
        """Take in one commit of the wallet."""
        for event, _ in told.facts:
            if isinstance(event, LimitSet) and event.kind == "session":
                self._set(event)

    def _set(self, event: LimitSet) -> None:
        if event.amount is not None:
            self._windows[event.player].add(event.window)
            return
        self._windows[event.player].discard(event.window)
        if not self._windows[event.player]:
            del self._windows[event.player]
