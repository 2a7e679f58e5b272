"""The gateways among each other: this one is announced while it serves, and knows who else is.

What only one of them may do, such as setting a player Out, falls to one by rendezvous hashing; a
gateway that does not know who is there does nothing of that kind.
"""

from contextlib import suppress
from typing import Final, Protocol

from shared.runtime.health import Health
from shared.runtime.leases import TICKS_PER_TTL, owner_of
from shared.runtime.ports import Attendance, BrokerUnavailable, Clock, Deployment

WHAT: Final = "gateways"
HINDERING: Final = ("gateway", "nats", "platform")
BEAT_SECONDS: Final = 0.5  # Owners hold their clocks when they hear no gateway.
RETRY_SECONDS: Final = 0.2
SILENT_MS: Final = 1_500


class Members(Protocol):
    """What a gateway uses of its registry; it owns no lines."""

    @property
    def me(self) -> str: ...

    async def open(self, deployment: Deployment) -> None: ...

    async def announce(self) -> None: ...

    async def lives(self) -> dict[str, str]: ...

    async def leave(self) -> None: ...

    async def changed(self, seconds: float) -> None: ...


class Membership:
    """Announces us as long as nothing is wrong with us; `since_ms` says since when we are there."""

    def __init__(
        self,
        life: str,
        members: Members,
        attendance: Attendance,
        clock: Clock,
        health: Health,
        ttl_s: float,
    ) -> None:
        self.since_ms = 0
        self._life = life
        self._members = members
        self._attendance = attendance
        self._clock = clock
        self._health = health
        self._ttl_s = ttl_s
        self._lives: dict[str, str] = {}
        self._heard_ms: dict[str, int] = {}
        self._left = False
        health.wrong(WHAT, "not announced")

    @property
    def known(self) -> bool:
        """Tell whether we are there, and know who else is."""
        return bool(self._lives)

    def lives(self, life: str) -> bool:
        """Tell whether this life of a gateway lasts."""
        return life in self._lives.values()

    def mine(self, what: str) -> bool:
        """Tell whether this falls to us."""
        return self.known and owner_of(what, self._lives) == self._members.me

    async def beat(self) -> None:
        """Say for ever that players are served here, as long as that is so."""
        while True:
            if self.since_ms and self._serves():
                with suppress(BrokerUnavailable):
                    await self._attendance.beat()
            await self._clock.sleep(BEAT_SECONDS)

    def heard(self, life: str) -> None:
        """Another gateway, or we ourselves, have said so."""
        self._heard_ms[life] = self._clock.now_ms()

    async def run(self, deployment: Deployment) -> None:
        """Be there for ever; raise StartRefused when we may not."""
        await self._open(deployment)
        await self._attendance.listen(self.heard)
        while True:
            try:
                await self._tick()
            except BrokerUnavailable as error:
                self._lives = {}
                self._health.wrong(WHAT, f"{type(error).__name__}: {error}")
            await self._members.changed(min(self._ttl_s / TICKS_PER_TTL, BEAT_SECONDS))

    async def _open(self, deployment: Deployment) -> None:
        while True:
            try:
                return await self._members.open(deployment)
            except BrokerUnavailable as error:
                self._health.wrong(WHAT, f"{type(error).__name__}: {error}")
                await self._clock.sleep(RETRY_SECONDS)

    async def _tick(self) -> None:
        """Who cannot serve is not there: players are better off with the others."""
        if not self._serves():
            self._lives = {}
            return
        await self._members.announce()
        now = self._clock.now_ms()
        await self._attendance.lasts(now)
        lives = await self._members.lives()
        if not self._lives:
            self.since_ms = now
        self._lives = {**self._heard_lately(lives, now), self._members.me: self._life}
        self._health.right(WHAT)

    def _serves(self) -> bool:
        reasons = self._health.reasons()
        return not self._left and not any(hinders(what, why) for what, why in reasons.items())

    def _heard_lately(self, lives: dict[str, str], now: int) -> dict[str, str]:
        """Leave out who has fallen silent: its key vanishes seconds later only."""
        self._heard_ms = {life: self._heard_ms.get(life, now) for life in lives.values()}
        return {
            name: life for name, life in lives.items() if now - self._heard_ms[life] <= SILENT_MS
        }

    async def leave(self) -> None:
        """Go in good order: others are told at once."""
        self._left = True
        self._lives = {}
        if self.since_ms:
            await self._members.leave()


def hinders(what: str, why: str) -> bool:
    """Tell whether something that is wrong keeps players from playing through this gateway.

    An owner that does not answer a follower for a while does not: it is away for all gateways,
    and looks after the clocks of its line itself.
    """
    if what.startswith("follow "):
        return why.startswith("stopped")
    return what in HINDERING or what.startswith("catch up ")
