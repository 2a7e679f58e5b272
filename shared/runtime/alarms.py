"""Timers in the owner's memory: armed from state after every commit, a firing is a hint."""

import asyncio
import heapq
from collections.abc import Awaitable, Callable

from shared.runtime.aggregate import Timers
from shared.runtime.ports import Clock

AGAIN_MS = 1_000

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
        if not timers:
            self._armed.pop(stream, None)
            return
        if self._armed.get(stream) == timers:
            return
        self._armed[stream] = timers
        for name, due_ms in timers:
            heapq.heappush(self._due, (due_ms, stream, name))
        self._changed.set()

    def _take_due(self) -> tuple[str, str, int] | None:
        """Return the next timer that is due and still armed."""
        while self._due and self._due[0][0] <= self._clock.now_ms():
            due_ms, stream, name = heapq.heappop(self._due)
            if any(armed == name and at <= due_ms for armed, at in self._armed.get(stream, ())):
                return stream, name, due_ms
        return None

    def _again(self, stream: str, name: str) -> None:
        """A timer that is still armed after it fired was a hint too early: hint again later."""
        if any(armed == name for armed, _ in self._armed.get(stream, ())):
            heapq.heappush(self._due, (self._clock.now_ms() + AGAIN_MS, stream, name))

    async def run(self, fire: Fire) -> None:
        """Fire for ever, one at a time."""
        while True:
            self._changed.clear()
            while due := self._take_due():
                stream, name, _ = due
                await fire(stream, name)
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
