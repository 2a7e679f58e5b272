"""What the gateway asks of tables on its own account: one request at a time for each player."""

import asyncio
from typing import Final

import structlog

from shared.contracts.commit import Actor
from shared.contracts.edge import Declined
from shared.contracts.table import ComeBack, CreditPlayer, GoOut
from shared.runtime.asking import Asking

GATEWAY: Final = Actor("service", "gateway")

log = structlog.get_logger()


class Requests:
    """Requests under way; whoever asks looks again later, so that none has to be remembered."""

    def __init__(self, asking: Asking) -> None:
        self._asking = asking
        self._asked: dict[tuple[str, str], asyncio.Task[None]] = {}

    def ask(self, table: str, command: GoOut | ComeBack | CreditPlayer) -> None:
        """Ask, unless a request for this player is under way at this table."""
        key = (table, command.player)
        if key not in self._asked:
            self._asked[key] = asyncio.create_task(self._request(table, command))
            self._asked[key].add_done_callback(lambda _: self._asked.pop(key, None))

    async def _request(self, table: str, command: GoOut | ComeBack | CreditPlayer) -> None:
        answer = await self._asking.ask("table", table, command, by=GATEWAY)
        if isinstance(answer, Declined):
            asked = type(command).__name__
            log.info("table_declined", table=table, asked=asked, reason=answer.reason)

    async def close(self) -> None:
        """Stop asking."""
        tasks = list(self._asked.values())
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)
