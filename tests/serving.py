"""For tests whose players need no gateway: owners hear one, so that clocks run and hands start."""

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager, suppress

from shared.runtime.adapters.attendance import NatsAttendance
from shared.runtime.adapters.nats import Client
from shared.runtime.ports import BrokerUnavailable

BEAT_SECONDS = 0.5


@asynccontextmanager
async def players_served(client: Client) -> AsyncIterator[None]:
    """Say that players are served here, as a gateway does, while the block runs."""
    beating = asyncio.create_task(beat(NatsAttendance(client, life="test")))
    try:
        yield
    finally:
        beating.cancel()
        await asyncio.gather(beating, return_exceptions=True)


async def beat(attendance: NatsAttendance) -> None:
    while True:
        with suppress(BrokerUnavailable):
            await attendance.beat()
        await asyncio.sleep(BEAT_SECONDS)
