"""The pulse of an owned line: who could act is written down every second, what was lost given back.

`alive_at` stands beside the log. It is written while everything works that a player needs: this
process, its lease, the broker, a gateway, the store. So what lies between it and now is the time
in which nobody could act, whoever was the owner then: a successor, a process that was frozen, and
one that lost an engine all find the same outage, and give it to every clock that runs before
they write on. Only then timers fire again, and only as long as the pulse is fresh: a clock may
run out for somebody who did not act, and for nobody who could not. So it does not run out before
a gateway was heard at its end, or later.

A stored moment is always read and never only remembered: another owner may have been here.
What is shorter than GAP_MS is no outage, unless it is known that something was wrong, or that
somebody was away before us.
"""

import asyncio
from collections.abc import Awaitable, Callable
from contextlib import suppress

import structlog

from shared.runtime.gate import Gate
from shared.runtime.health import Health
from shared.runtime.ports import CLOCK_OFF_MS, Alive, Clock, Line, Store, StoreUnavailable
from shared.runtime.reach import REACHED_MS, Reached

BEAT_SECONDS = 1.0
AGAIN_SECONDS = 0.25
GIVE_UP_SECONDS = 1.0
GAP_MS = 2_500
PULSE_OF_ANOTHER_MS = 1_500  # As old as the pulse of a second owner may be that is well.
REACHED_AGAIN_MS = 750

Credit = Callable[[int, int], Awaitable[None]]

log = structlog.get_logger()


class Pulse:
    """Beats for one line, credits outages, and says whether timers may fire."""

    def __init__(
        self,
        line: Line,
        credit: Credit,
        store: Store,
        clock: Clock,
        health: Health,
        gate: Gate,
        reached: Callable[[], Reached],
    ) -> None:
        """`reached` is the last stretch in which players are known to have reached us."""
        self._line = line
        self._credit = credit
        self._store = store
        self._clock = clock
        self._health = health
        self._gate = gate
        self._reached = reached
        self._may_miss_ms = 0  # Before us, any gap is an outage.
        self._beaten_ms = 0
        self._well_ms = 0
        self._held = True
        self._clock_right = True
        self._taken_up = False
        self._finished = False

    def begin(self) -> None:
        """All that is live was taken up and can be credited."""
        self._taken_up = True

    def steady(self, until_ms: int = 0) -> bool:
        """Say whether timers may fire: asked at every firing, since a process may have slept.

        With `until_ms` only once players are known to have reached us up to then.
        """
        now_ms = self._clock.now_ms()
        fresh = not self._held and now_ms - self._beaten_ms <= GAP_MS
        well = fresh and self._works(now_ms) and not self._was_silent()
        return well and self._reached().until_ms >= until_ms

    async def run(self) -> None:
        """Beat for ever."""
        while True:
            await self._beat()
            await self._clock.sleep(AGAIN_SECONDS if self._held else BEAT_SECONDS)

    async def finish(self) -> None:
        """Beat a last time, so that a successor finds no outage but its own delay."""
        now_ms = self._clock.now_ms()
        self._hold(now_ms)
        self._finished = True
        with suppress(StoreUnavailable, TimeoutError):
            await self._ask(self._well_ms, self._well_ms - GAP_MS)

    async def _beat(self) -> None:
        """Write that we are well, or find out since when we are not."""
        now_ms = self._clock.now_ms()
        at_ms = min(now_ms, self._reached().until_ms) if self._works(now_ms) else 0
        if not at_ms or self._was_silent():
            self._hold(now_ms)
        try:
            since_ms = (now_ms if self._held else at_ms) - self._may_miss_ms
            before = await self._ask(at_ms, since_ms)
            self._health.right(f"store {self._line}")
            self._compare(before.store_ms, now_ms)
            if not at_ms or not self._clock_right:
                return
            if before.at_ms < since_ms:
                await self._give_back(before.at_ms)
            else:
                self._go_on(now_ms)
        except (StoreUnavailable, TimeoutError) as error:
            self._hold(now_ms)
            self._health.wrong(f"store {self._line}", f"{type(error).__name__}: {error}")

    def _compare(self, store_ms: int, asked_ms: int) -> None:
        """Trust our clock as long as it is the store's, the way there and back aside."""
        off_ms = off_by(store_ms, asked_ms, self._clock.now_ms())
        self._clock_right = off_ms <= CLOCK_OFF_MS
        if self._clock_right:
            self._health.right(f"clock {self._line}")
        else:
            self._hold(asked_ms)
            self._health.wrong(f"clock {self._line}", f"{off_ms} ms off the store's clock")

    async def _ask(self, at_ms: int, since_ms: int) -> Alive:
        async with asyncio.timeout(GIVE_UP_SECONDS):
            return await self._store.beat(at_ms, since_ms)

    async def _give_back(self, down_ms: int) -> None:
        """Tell every clock what it lost; whoever is broken off begins again, which is harmless."""
        now_ms = self._clock.now_ms()
        self._hold(now_ms)
        if down_ms:
            self._health.wrong(f"clocks {self._line}", "an outage is being given back")
            log.info("outage_over", line=str(self._line), down_from_ms=down_ms, up_at_ms=now_ms)
            await self._credit(down_ms, now_ms)
            now_ms = self._clock.now_ms()
        if self._works(now_ms):
            await self._ask(min(now_ms, self._reached().until_ms), 0)
            self._go_on(now_ms)

    def _works(self, now_ms: int) -> bool:
        """Whether players can act here, as far as this process knows.

        An outage ends when all works at one moment: a gateway must be heard about then.
        """
        ready = self._taken_up and not self._finished and self._gate.is_open
        heard_ms = REACHED_AGAIN_MS if self._held else REACHED_MS
        return ready and self._clock_right and now_ms - self._reached().until_ms <= heard_ms

    def _was_silent(self) -> bool:
        """Whether no gateway was heard for a while between the last beat and now."""
        return self._reached().since_ms > self._beaten_ms

    def _go_on(self, now_ms: int) -> None:
        self._beaten_ms = self._well_ms = now_ms
        self._may_miss_ms = GAP_MS
        self._held = False
        self._health.right(f"clocks {self._line}")

    def _hold(self, now_ms: int) -> None:
        """No timer fires, and the next gap counts as an outage even when it is short."""
        if not self._held:
            log.info("timers_held", line=str(self._line))
            self._held = True
            if not self._was_silent():
                self._well_ms = min(now_ms, self._reached().until_ms)
            self._may_miss_ms = PULSE_OF_ANOTHER_MS


def off_by(store_ms: int, asked_ms: int, answered_ms: int) -> int:
    """Return how far the store's clock certainly is from ours, read between two moments of ours."""
    return max(asked_ms - store_ms, store_ms - answered_ms, 0)
