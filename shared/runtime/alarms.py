"""Timers in the owner's memory: armed from state after every commit, a firing is a hint."""

import asyncio
import heapq
from collections.abc import Awaitable, Callable

from shared.runtime.aggregate import Timers
from shared.runtime.ports import Clock

AGAIN_MS = 1_000
TOGETHER_MAX = 256

Fire = Callable[[str, str], Awaitable[None]]


class Alarms:
    """Fires `(stream, name)` when due; what is not due any more by then is dropped."""

    def __init__(self, clock: Clock) -> None:
        self._clock = clock
        self._armed: dict[str, Timers] = {}
        self._due: list[tuple[int, str, str]] = []
        self._changed = asyncio.Event()

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

    def due(self) -> list[tuple[str, str]]:
        """Take out what is due and still armed, each once, as much as one group holds."""
        taken: dict[tuple[str, str], None] = {}
        now = self._clock.now_ms()
        while self._due and self._due[0][0] <= now and len(taken) < TOGETHER_MAX:
            due_ms, stream, name = heapq.heappop(self._due)
            if any(armed == name and at <= due_ms for armed, at in self._armed.get(stream, ())):
                taken[stream, name] = None
        return list(taken)

    def _again(self, stream: str, name: str) -> None:
        """A timer that is still armed after it fired was a hint too early: hint again later."""
        if any(armed == name for armed, _ in self._armed.get(stream, ())):
            heapq.heappush(self._due, (self._clock.now_ms() + AGAIN_MS, stream, name))

    async def run(self, fire: Fire) -> None:
        """Fire for ever; what is due together is fired together, so that it shares a commit."""
        while True:
            self._changed.clear()
            while due := self.due():
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
        try:
            async with asyncio.timeout(seconds):
                await self._changed.wait()
        except TimeoutError:
            return
