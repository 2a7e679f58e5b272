"""What players go by: asked of the wallet, which alone can read it, and kept for whoever is shown.

A name is no fact that is published. Who was erased has none any more: an answer that was on its
way meanwhile changes nothing about that.
"""

import asyncio
from collections import OrderedDict
from collections.abc import Iterable, Sequence
from contextlib import suppress
from itertools import islice
from typing import Final

from services.gateway.shell.facts import Told
from shared.contracts.edge import Declined
from shared.contracts.wallet import NAMES_MAX, ErasureOrdered, NamesView, ReadNames
from shared.runtime.asking import Asking, reply_of

JOURNAL: Final = "journal"
KEPT_MAX: Final = 100_000
ANSWER_SECONDS: Final = 1.0


class Names:
    """The names that were asked for lately; where the wallet does not answer, ids are shown."""

    def __init__(self, asking: Asking) -> None:
        self._asking = asking
        self._known: OrderedDict[str, str] = OrderedDict()
        self._erased: set[str] = set()
        self._turn = asyncio.Lock()

    def fold(self, told: Told) -> None:
        """Take in one commit of the wallet."""
        for event, _ in told.facts:
            if isinstance(event, ErasureOrdered):
                self._erased.add(event.player)
                self._known.pop(event.player, None)

    async def of(self, players: Iterable[str]) -> dict[str, str]:
        """Return what each goes by: "" for who was erased, the id where it cannot be read now."""
        wanted = list(dict.fromkeys(players))
        with suppress(TimeoutError):
            async with asyncio.timeout(ANSWER_SECONDS), self._turn:
                await self._learn([player for player in wanted if not self._is_certain(player)])
        return {player: self._shown(player) for player in wanted}

    async def _learn(self, players: Sequence[str]) -> None:
        """Ask for some at a time, and keep what came even if the rest does not come."""
        rest = iter(players)
        while some := tuple(islice(rest, NAMES_MAX)):
            answer = await self._asking.ask("wallet", JOURNAL, ReadNames(players=some))
            if isinstance(answer, Declined):
                return
            view: NamesView = reply_of(answer, NamesView)
            self._known.update(
                {player: name for player, name in view.names.items() if player not in self._erased}
            )
            while len(self._known) > KEPT_MAX:
                self._known.popitem(last=False)

    def _is_certain(self, player: str) -> bool:
        return player in self._known or player in self._erased

    def _shown(self, player: str) -> str:
        return "" if player in self._erased else self._known.get(player, player)
