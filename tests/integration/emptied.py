"""The shared NATS server as if it were a new one."""

from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager
from functools import partial

from shared.runtime.adapters.nats import NatsBroker, connect, disconnect
from shared.runtime.ports import BrokerUnavailable, Line
from tests.integration.runtime.running import until


@asynccontextmanager
async def emptied(nats_url: str, lines: Sequence[Line]) -> AsyncIterator[NatsBroker]:
    """Connect, and leave no stream of an earlier test but empty ones of these lines."""
    client = await connect(nats_url, "test")
    js = client.jetstream()
    for info in await js.streams_info():
        await js.delete_stream(info.config.name)
    broker = NatsBroker(client, deny_deletes=False)
    for line in lines:
        await until(partial(made, broker, line))
    yield broker
    await disconnect(client)


async def made(broker: NatsBroker, line: Line) -> bool:
    """Make a stream; NATS may still be clearing away the last one of that name."""
    try:
        await broker.tail(line)
    except BrokerUnavailable:
        return False
    return True
