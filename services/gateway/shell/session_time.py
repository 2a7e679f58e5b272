"""How long players with a limit of session time are connected, told to the wallet (BP-RESPONSIBLE).

Every minute, when the time that is left is over, and after the last session. What cannot be told
waits as a few stretches of time; telling one twice is harmless, for the wallet counts every
minute once, whichever gateway tells it. A gateway that is killed takes along what it has not told.
"""

import asyncio
from contextlib import suppress
from typing import Final

import msgspec
import structlog

from services.gateway.shell.requests import GATEWAY
from services.gateway.shell.sessions import Sessions
from services.gateway.shell.time_limits import TimeLimits
from shared.contracts.edge import Accepted
from shared.contracts.wallet import CountSession, LimitsView, LimitView
from shared.kernel.outages import Stretch, Stretches
from shared.runtime.asking import Asking, is_unavailable, reply_of
from shared.runtime.ports import Clock

JOURNAL: Final = "journal"
LOOK_SECONDS: Final = 1.0
TELL_MS: Final = 60_000
STRETCH_MAX_MS: Final = 24 * 60 * 60 * 1000  # The wallet takes no longer one.
STRETCHES_MAX: Final = 16
AT_ONCE_MAX: Final = 32
LAST_SECONDS: Final = 2.0

log = structlog.get_logger()


class Watch(msgspec.Struct):
    """One player: connected since a moment (None: no longer), as far as it is not `untold`."""

    since_ms: int | None = None
    untold: Stretches = ()
    tell_at_ms: int = 0
    reached: frozenset[tuple[str, int]] = frozenset()

    def cut(self, now: int) -> None:
        """Put the time up to now among what is to be told."""
        if self.since_ms is not None and now > self.since_ms:
            self.untold = with_last(self.untold, Stretch(self.since_ms, now))
            self.since_ms = now

    def is_due(self, now: int) -> bool:
        """Tell whether there is something to tell: from who has gone at once."""
        if self.since_ms is None:
            return bool(self.untold)
        return now >= self.tell_at_ms and (bool(self.untold) or now > self.since_ms)


class SessionTime:
    """Watches the sessions of players with a limit of session time."""

    def __init__(
        self, limits: TimeLimits, sessions: Sessions, asking: Asking, clock: Clock
    ) -> None:
        self._limits = limits
        self._sessions = sessions
        self._asking = asking
        self._clock = clock
        self._watches: dict[str, Watch] = {}

    def opened(self, player: str) -> None:
        """A session has opened; it shall hear soon if the time is up."""
        if player in self._limits:
            self._watch(player)
            self._watches[player].reached = frozenset()
            self._watches[player].tell_at_ms = 0

    def closed(self, player: str) -> None:
        """A session has closed; with the last one the time stops."""
        watch = self._watches.get(player)
        if watch is not None and not self._sessions.present(player):
            watch.cut(self._clock.now_ms())
            watch.since_ms = None

    async def run(self) -> None:
        """Look, and tell, for ever."""
        while True:
            self.look()
            await self.tell()
            await self._clock.sleep(LOOK_SECONDS)

    def look(self) -> None:
        """Begin to watch who has a limit by now, and forget who no longer matters."""
        self._watches = {
            player: watch
            for player, watch in self._watches.items()
            if player in self._limits and (watch.since_ms is not None or watch.untold)
        }
        for player in self._sessions.players():
            if player in self._limits:
                self._watch(player)

    def _watch(self, player: str) -> None:
        """Let the time of a connected player run, if it does not yet."""
        watch = self._watches.setdefault(player, Watch())
        if watch.since_ms is None:
            watch.since_ms = self._clock.now_ms()

    async def tell(self) -> None:
        """Tell the wallet what is due, some players at a time."""
        now = self._clock.now_ms()
        due = [(player, watch) for player, watch in self._watches.items() if watch.is_due(now)]
        for first in range(0, len(due), AT_ONCE_MAX):
            some = due[first : first + AT_ONCE_MAX]
            await asyncio.gather(*[self._tell(player, watch) for player, watch in some])

    async def _tell(self, player: str, watch: Watch) -> None:
        """Tell one player's time; what nobody could take waits for the next look."""
        watch.cut(self._clock.now_ms())
        for stretch in watch.untold:
            said = CountSession(player=player, from_ms=stretch.from_ms, to_ms=stretch.to_ms)
            answer = await self._asking.ask("wallet", JOURNAL, said, by=GATEWAY)
            if is_unavailable(answer):
                return
            watch.untold = after(watch.untold, stretch.to_ms)
            watch.tell_at_ms = self._clock.now_ms() + TELL_MS
            if isinstance(answer, Accepted):
                self._learn(player, watch, reply_of(answer, LimitsView))
            else:
                log.warning("session_time_declined", player=player, reason=answer.reason)

    def _learn(self, player: str, watch: Watch, view: LimitsView) -> None:
        """Tell the player of a limit that is reached, and come back when the next one is."""
        limits = [limit for limit in view.limits if limit.kind == "session"]
        reached = [limit for limit in limits if limit.used >= limit.amount]
        for limit in reached:
            if (limit.window, limit.to_ms) not in watch.reached:
                self._sessions.push([player], [reached_text(limit)])
        watch.reached = frozenset((limit.window, limit.to_ms) for limit in reached)
        left = [limit.amount - limit.used for limit in limits if limit not in reached]
        watch.tell_at_ms = self._clock.now_ms() + min([TELL_MS, *left])

    async def close(self) -> None:
        """Tell what is left, if the wallet takes it at once."""
        now = self._clock.now_ms()
        for watch in self._watches.values():
            watch.cut(now)
            watch.since_ms = None
        with suppress(TimeoutError):
            async with asyncio.timeout(LAST_SECONDS):
                await self.tell()


def with_last(untold: Stretches, last: Stretch) -> Stretches:
    """Return the stretches with a later one, joined where they touch; the oldest may be dropped."""
    if untold and untold[-1].to_ms == last.from_ms:
        joined = Stretch(untold[-1].from_ms, last.to_ms)
        if joined.length_ms <= STRETCH_MAX_MS:
            return (*untold[:-1], joined)
    return (*untold, last)[-STRETCHES_MAX:]


def after(untold: Stretches, told_ms: int) -> Stretches:
    """Return what is left when everything before a moment was told."""
    return tuple(
        Stretch(max(stretch.from_ms, told_ms), stretch.to_ms)
        for stretch in untold
        if stretch.to_ms > told_ms
    )


def reached_text(limit: LimitView) -> str:
    """Write that the session time of a window is used up; seats already bought go on."""
    reached = {
        "kind": limit.kind,
        "window": limit.window,
        "amount": limit.amount,
        "until_ms": limit.to_ms,
    }
    return msgspec.json.encode({"limit_reached": reached}).decode()
