"""A clock that stands still until it is moved, and patience counted in turns, not in seconds."""

import asyncio
from collections.abc import Callable


class StandingClock:
    """The `Clock` port, moved by hand; sleeping moves it."""

    def __init__(self, now_ms: int = 1_800_000_000_000) -> None:
        self.ms = now_ms

    def now_ms(self) -> int:
        return self.ms

    async def sleep(self, seconds: float) -> None:
        self.ms += round(seconds * 1000)
        await asyncio.sleep(0)


async def settled(true: Callable[[], bool]) -> None:
    """Let other tasks run until something is true."""
    for _ in range(10_000):
        if true():
            return
        await asyncio.sleep(0)
    raise AssertionError("it has not come about")
