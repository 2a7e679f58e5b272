"""A bell: one task waits for it, others ring it. An event with a time limit that costs little."""

import asyncio


class Bell:
    """Stays rung until it is cleared; only one may wait at a time."""

    def __init__(self) -> None:
        self._rung = False
        self._waiter: asyncio.Future[None] | None = None

    def set(self) -> None:
        """Ring: whoever waits goes on."""
        self._rung = True
        if self._waiter is not None:
            release(self._waiter)

    def clear(self) -> None:
        """Be silent again."""
        self._rung = False

    def is_set(self) -> bool:
        """Say whether it has rung."""
        return self._rung

    async def wait(self, seconds: float | None = None) -> bool:
        """Wait until it rings, or for a while; say whether it has rung."""
        if self._rung:
            return True
        if self._waiter is not None:
            raise RuntimeError("somebody waits already")
        loop = asyncio.get_running_loop()
        waiter = self._waiter = loop.create_future()
        timer = None if seconds is None else loop.call_later(seconds, release, waiter)
        try:
            await waiter
        finally:
            self._waiter = None
            if timer is not None:
                timer.cancel()
        return self._rung


def release(waiter: asyncio.Future[None]) -> None:
    """Let the one go on who waits, unless that is done."""
    if not waiter.done():
        waiter.set_result(None)
