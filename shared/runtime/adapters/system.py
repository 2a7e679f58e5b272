"""Clock and entropy of the operating system."""

import asyncio
import secrets
import time

entropy = secrets.token_bytes


class SystemClock:
    """The `Clock` port."""

    def now_ms(self) -> int:
        return time.time_ns() // 1_000_000

    async def sleep(self, seconds: float) -> None:
        await asyncio.sleep(seconds)
