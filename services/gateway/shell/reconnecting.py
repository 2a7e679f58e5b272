"""Players whose gateway is gone get their time back until they are with another one (PP-CLOCK).

A gateway that ends, killed or told to, leaves the list of its players behind; one of those that
are there works it off. The table gives the time back to the decision that is open, and nobody on
the list counts as absent. Who stays away longer than the limit is struck off and on their own; who
is back gets the last of it up to that moment, however late anybody looks.
"""

from typing import Final

from services.gateway.shell.attending import Attending
from services.gateway.shell.membership import Membership
from services.gateway.shell.requests import Requests
from services.gateway.shell.tables import Tables
from shared.contracts.table import CreditPlayer
from shared.runtime.ports import Attendance, BrokerUnavailable, Clock

LOOK_SECONDS: Final = 0.5
BEFORE_US_MS: Final = 5_000


class Reconnecting:
    """Works off the lists of gateways that are gone, twice a second."""

    def __init__(
        self,
        membership: Membership,
        attending: Attending,
        attendance: Attendance,
        tables: Tables,
        requests: Requests,
        clock: Clock,
        limit_ms: int,
    ) -> None:
        self._membership = membership
        self._attending = attending
        self._attendance = attendance
        self._tables = tables
        self._requests = requests
        self._clock = clock
        self._limit_ms = limit_ms
        self._lost_ms: dict[str, int] = {}

    async def run(self) -> None:
        """Look for ever."""
        while True:
            await self.look()
            await self._clock.sleep(LOOK_SECONDS)

    async def look(self) -> None:
        """Work off what falls to us; what falls to another gateway is not remembered here."""
        if not (self._membership.known and self._attending.whole):
            return
        self._attending.insist()
        gone = [life for life in self._attending.lives() if not self._membership.lives(life)]
        ours = [life for life in gone if self._membership.mine(life)]
        self._lost_ms = {life: at_ms for life, at_ms in self._lost_ms.items() if life in ours}
        for life in ours:
            try:
                self._work_off(life, await self._lost(life))
            except BrokerUnavailable:
                return

    async def _lost(self, life: str) -> int:
        """Return from when on its connections are lost, as far as it is for us to say.

        What lies long before we came, when perhaps nobody was there, is an outage of the whole
        platform: it is given back to everybody, and must not use up the limit of one player.
        """
        if life not in self._lost_ms:
            lasted_ms = await self._attendance.lasted_until(life) or 0
            self._lost_ms[life] = max(lasted_ms, self._membership.since_ms - BEFORE_US_MS)
        return self._lost_ms[life]

    def _work_off(self, life: str, lost_ms: int) -> None:
        now = self._clock.now_ms()
        for player in self._attending.players(life):
            if now - lost_ms >= self._limit_ms:
                self._attending.forget(life, player)
                continue
            back_ms = self._back(player, life, lost_ms)
            if back_ms is not None:
                self._attending.forget(life, player)
            self._credit(player, lost_ms, now if back_ms is None else min(back_ms, now))

    def _back(self, player: str, life: str, lost_ms: int) -> int | None:
        """Return when they were with a gateway again, even one that is gone by now, or None."""
        listed = self._attending.lives_of(player).items()
        return min(
            (
                since_ms
                for other, since_ms in listed
                if other != life and (since_ms > lost_ms or self._membership.lives(other))
            ),
            default=None,
        )

    def _credit(self, player: str, lost_ms: int, until_ms: int) -> None:
        if until_ms <= lost_ms:
            return
        for table in self._tables.of(player):
            if table.decides(player):
                credit = CreditPlayer(player=player, down_from_ms=lost_ms, up_at_ms=until_ms)
                self._requests.ask(table.table, credit)
