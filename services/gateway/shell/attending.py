"""Who is connected with which gateway: our own sessions told to the others, and theirs read.

What a gateway has written outlives it. So the others know whose connections were lost when it
dies, and a player counts as present until that list has been worked off.
"""

import asyncio
from collections import defaultdict
from collections.abc import Iterable, Mapping
from typing import Any, Final

import structlog

from services.gateway.shell.sessions import Sessions
from shared.runtime.ports import Attendance, Attends, BrokerUnavailable, Clock

RETRY_SECONDS: Final = 0.2

log = structlog.get_logger()


class Attending:
    """The list of all gateways, and what of it is ours to write.

    `whole` says whether it is known what the others have written.
    """

    def __init__(self, life: str, attendance: Attendance, sessions: Sessions, clock: Clock) -> None:
        self.whole = False
        self._life = life
        self._attendance = attendance
        self._sessions = sessions
        self._clock = clock
        self._players: defaultdict[str, dict[str, None]] = defaultdict(dict)
        self._with: defaultdict[str, dict[str, int]] = defaultdict(dict)
        self._since_ms: dict[str, int] = {}
        self._due: dict[tuple[str, str], None] = {}
        self._some = asyncio.Event()
        self._closed = False

    def present(self, player: str) -> bool:
        """Tell whether a player has a session with any gateway, or lost it not long ago."""
        return self._sessions.present(player) or player in self._with

    def lives_of(self, player: str) -> Mapping[str, int]:
        """Return the lives of gateways with which a player is listed, and since when with each."""
        return self._with.get(player, {})

    def lives(self) -> tuple[str, ...]:
        """Return every life of a gateway that lists a player."""
        return tuple(self._players)

    def players(self, life: str) -> tuple[str, ...]:
        """Return the players listed with a life of a gateway."""
        return tuple(self._players.get(life, ()))

    def changed(self, player: str) -> None:
        """A session of this player has opened or closed here."""
        if not self._sessions.present(player):
            self._since_ms.pop(player, None)
        elif player not in self._since_ms:
            self._since_ms[player] = self._clock.now_ms()
        self._put_due(self._life, player)

    def forget(self, life: str, player: str) -> None:
        """Strike a player from the list of a gateway that is gone."""
        self._put_due(life, player)

    def insist(self) -> None:
        """Write again what the broker has lost of ours, or another gateway has struck off."""
        listed = self._players.get(self._life, {})
        for player in self._sessions.players():
            if player not in listed:
                self.changed(player)

    def close(self) -> None:
        """Write no more: whoever is listed now loses the connection by our end."""
        self._closed = True

    def _put_due(self, life: str, player: str) -> None:
        if not self._closed:
            self._due[life, player] = None
            self._some.set()

    async def write(self) -> None:
        """Write for ever what is due, each as it is by then."""
        while True:
            while self._due and not self._closed:
                await self._write_one(*next(iter(self._due)))
            self._some.clear()
            await self._some.wait()

    async def _write_one(self, life: str, player: str) -> None:
        here = self._is_here(life, player)
        try:
            since_ms = self._since_ms[player] if here else 0
            await self._attendance.note(Attends(life, player, here, since_ms))
        except BrokerUnavailable as error:
            log.warning("attendance_unwritten", error=str(error))
            await self._clock.sleep(RETRY_SECONDS)
            return
        if self._is_here(life, player) == here:
            del self._due[life, player]

    def _is_here(self, life: str, player: str) -> bool:
        """Only ours are anywhere; what we write of another gateway is its end."""
        return life == self._life and self._sessions.present(player)

    async def read(self) -> None:
        """Read for ever; after a loss of the place everything anew."""
        while True:
            try:
                async with self._attendance.noted() as groups:
                    async for group in groups:
                        self._take(group)
            except BrokerUnavailable as error:
                if self.whole:
                    log.warning("attendance_unread", error=str(error))
            self.whole = False
            await self._clock.sleep(RETRY_SECONDS)

    def _take(self, group: Iterable[Attends]) -> None:
        """Take in changes; the first group after an opening replaces what we had."""
        if not self.whole:
            self._players.clear()
            self._with.clear()
        for attends in group:
            self._fold(attends)
        self.whole = True

    def _fold(self, attends: Attends) -> None:
        life, player, here, since_ms = attends
        if here:
            self._players[life][player] = None
            self._with[player][life] = since_ms
            return
        lists: tuple[tuple[defaultdict[str, Any], str, str], ...]
        lists = (self._players, life, player), (self._with, player, life)
        for listed, key, what in lists:
            listed[key].pop(what, None)
            if not listed[key]:
                del listed[key]
