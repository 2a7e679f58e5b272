"""Connection lost is Out, connected again is back (PP-OUT): asked of the table, decided there.

Who set a player Out stands in the log, so any gateway brings back those whom another one set
out, and never those who chose to be Out. A player is present with a session at any gateway, and
while the end of a gateway is made up for; whom to set Out is for one gateway to say. Absence
counts from the moment this gateway could have seen the player.
"""

from typing import Final

from services.gateway.shell.attending import Attending
from services.gateway.shell.membership import Membership
from services.gateway.shell.requests import GATEWAY, Requests
from services.gateway.shell.sessions import Sessions
from services.gateway.shell.tables import Seat, Table, Tables
from shared.contracts.table import ComeBack, GoOut
from shared.runtime.ports import Clock

LOOK_SECONDS: Final = 0.5


class Presence:
    """Compares seats with sessions, twice a second."""

    def __init__(
        self,
        membership: Membership,
        attending: Attending,
        sessions: Sessions,
        tables: Tables,
        requests: Requests,
        clock: Clock,
        absent_ms: int,
    ) -> None:
        self._membership = membership
        self._attending = attending
        self._sessions = sessions
        self._tables = tables
        self._requests = requests
        self._clock = clock
        self._absent_ms = absent_ms
        self._absent_since: dict[str, int] = {}

    async def run(self) -> None:
        """Look for ever."""
        while True:
            self.look()
            await self._clock.sleep(LOOK_SECONDS)

    def look(self) -> None:
        """Ask for what every seat needs; who does not see all gateways calls nobody absent."""
        absent = self._absent_since
        self._absent_since = {}
        sees_all = self._membership.known and self._attending.whole
        now = self._clock.now_ms()
        for table in self._tables.open():
            for seat in table.seats.values():
                if self._sessions.present(seat.player):
                    self._returned(table, seat)
                elif sees_all and not self._attending.present(seat.player):
                    since = absent.get(seat.player, now)
                    self._absent_since[seat.player] = since
                    if now - since >= self._absent_ms:
                        self._gone(table, seat)

    def _gone(self, table: Table, seat: Seat) -> None:
        if not seat.out and self._membership.mine(seat.player):
            self._requests.ask(table.table, GoOut(player=seat.player))

    def returned(self, player: str) -> None:
        """A session has opened: do not wait for the next look."""
        for table in self._tables.of(player):
            seat = table.seat_of(player)
            if seat is not None:
                self._returned(table, seat)

    def _returned(self, table: Table, seat: Seat) -> None:
        if seat.out and self._tables.out_by(table, seat.player) == GATEWAY:
            self._requests.ask(table.table, ComeBack(player=seat.player))
