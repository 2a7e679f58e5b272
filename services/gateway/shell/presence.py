"""Connection lost is Out, connected again is back (PP-OUT): asked of the table, decided there.

Who set a player Out stands in the log, so a gateway that starts anew brings back those whom one
before it set out, and never those who chose to be Out. Absence counts from the moment this
gateway could have seen the player.
"""

import asyncio
from typing import Final

from services.gateway.shell.sessions import Sessions
from services.gateway.shell.tables import Seat, Table, Tables
from shared.contracts.commit import Actor
from shared.contracts.table import ComeBack, GoOut
from shared.runtime.asking import Asking
from shared.runtime.ports import Clock

LOOK_SECONDS: Final = 0.5
GATEWAY: Final = Actor("service", "gateway")


class Presence:
    """Compares seats with sessions, twice a second."""

    def __init__(
        self, asking: Asking, clock: Clock, sessions: Sessions, tables: Tables, absent_ms: int
    ) -> None:
        self._asking = asking
        self._clock = clock
        self._sessions = sessions
        self._tables = tables
        self._absent_ms = absent_ms
        self._absent_since: dict[str, int] = {}
        self._asked: dict[tuple[str, str], asyncio.Task[None]] = {}

    async def run(self) -> None:
        """Look for ever."""
        while True:
            self.look()
            await self._clock.sleep(LOOK_SECONDS)

    def look(self) -> None:
        """Ask for what every seat needs."""
        absent = self._absent_since
        self._absent_since = {}
        now = self._clock.now_ms()
        for table in self._tables.open():
            for seat in table.seats.values():
                if self._sessions.present(seat.player):
                    self._returned(table, seat)
                    continue
                since = absent.get(seat.player, now)
                self._absent_since[seat.player] = since
                if now - since >= self._absent_ms and not seat.out:
                    self._ask(table, GoOut(player=seat.player))

    def returned(self, player: str) -> None:
        """A session has opened: do not wait for the next look."""
        for table in self._tables.of(player):
            seat = table.seat_of(player)
            if seat is not None:
                self._returned(table, seat)

    def _returned(self, table: Table, seat: Seat) -> None:
        if seat.out and self._tables.out_by(table, seat.player) == GATEWAY:
            self._ask(table, ComeBack(player=seat.player))

    def _ask(self, table: Table, command: GoOut | ComeBack) -> None:
        """Ask once at a time; what is lost or refused is asked again at a later look."""
        key = (table.table, command.player)
        if key not in self._asked:
            self._asked[key] = asyncio.create_task(self._request(table.table, command))
            self._asked[key].add_done_callback(lambda _: self._asked.pop(key, None))

    async def _request(self, table: str, command: GoOut | ComeBack) -> None:
        await self._asking.ask("table", table, command, by=GATEWAY)

    async def close(self) -> None:
        """Stop asking."""
        tasks = list(self._asked.values())
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)
