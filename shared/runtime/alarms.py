"""Timers in the owner's memory: armed from state after every commit, a firing is a hint.

One that may not fire yet, since players could not act, is tried again soon.
"""

import asyncio
import heapq
from collections.abc import Awaitable, Callable

from shared.runtime.aggregate import Timers
from shared.runtime.bell import Bell
from shared.runtime.ports import Clock

AGAIN_MS = 1_000
HELD_MS = 250
TOGETHER_MAX = 256

Fire = Callable[[str, str], Awaitable[None]]
May = Callable[[str, int], bool]


def always(_stream: str, _due_ms: int) -> bool:
    """Nothing speaks against a firing."""
    return True


class Alarms:
    """Fires `(stream, name)` when due; what is not due any more by then is dropped."""

    def __init__(self, clock: Clock) -> None:
        self._clock = clock
        self._armed: dict[str, Timers] = {}
        self._due: list[tuple[int, str, str]] = []
        self._changed = Bell()

    def arm(self, stream: str, timers: Timers) -> None:
        """Replace what this stream waits for."""
        before = self._armed.get(stream, ())
        if timers == before:
            return
        self._armed[stream] = timers
        if not timers:
            del self._armed[stream]
        for name, due_ms in timers:
            if (name, due_ms) not in before:
                heapq.heappush(self._due, (due_ms, stream, name))
                self._changed.set()

    def due(self, may: May = always) -> list[tuple[str, str]]:
        """Take out what is due, still armed and may fire, each once, as much as one group holds."""
        taken: dict[tuple[str, str], None] = {}
        now = self._clock.now_ms()
        while self._due and self._due[0][0] <= now and len(taken) < TOGETHER_MAX:
            due_ms, stream, name = heapq.heappop(self._due)
            since_ms = [at for a, at in self._armed.get(stream, ()) if a == name and at <= due_ms]
            if since_ms and may(stream, since_ms[0]):
                taken[stream, name] = None
            elif since_ms:
                heapq.heappush(self._due, (now + HELD_MS, stream, name))
        return list(taken)

    def _again(self, stream: str, name: str) -> None:
        """A timer that is still armed after it fired was a hint too early: hint again later."""
        if any(armed == name for armed, _ in self._armed.get(stream, ())):
            heapq.heappush(self._due, (self._clock.now_ms() + AGAIN_MS, stream, name))

    async def run(self, fire: Fire, may: May = always) -> None:
        """Fire for ever; what is due together is fired together, so that it shares a commit."""
        while True:
            self._changed.clear()
            while due := self.due(may):
                try:
                    await asyncio.gather(*[fire(stream, name) for stream, name in due])
                finally:
                    for stream, name in due:
                        self._again(stream, name)
            await self._wait()

    async def _wait(self) -> None:
        """Sleep until the next timer is due or another one is armed."""
        seconds = None
        if self._due:
            seconds = max(self._due[0][0] - self._clock.now_ms(), 0) / 1000
        await self._changed.wait(seconds)
