"""Streams beside a snapshot of their logs, on a platform that may go on playing meanwhile."""

import asyncio
import time
from collections.abc import AsyncIterator, Mapping, Sequence
from contextlib import asynccontextmanager

from services.cli.verdicts.lines import LOOK_SECONDS, read_stream
from services.cli.verdicts.streams import LineCopy, Message
from shared.contracts.edge import LogRow
from shared.runtime.adapters.nats import Client, connect, disconnect
from shared.runtime.adapters.stream_care import end_of
from shared.runtime.adapters.whole_logs import read_logs
from shared.runtime.ports import BrokerUnavailable, Line

CONNECT_SECONDS = 5.0

Logs = Mapping[Line, Sequence[LogRow]]


@asynccontextmanager
async def connected(nats_url: str) -> AsyncIterator[Client]:
    """Connect for one command; raise BrokerUnavailable when nobody is there."""
    try:
        client = await asyncio.wait_for(connect(nats_url, "streams"), CONNECT_SECONDS)
    except (TimeoutError, OSError):
        raise BrokerUnavailable("NATS_URL: no NATS answers there") from None
    try:
        yield client
    finally:
        await disconnect(client)


async def read_copies(
    database_url: str, nats_url: str, snapshot: Logs, settle_seconds: float
) -> dict[Line, LineCopy]:
    """Read every stream whole, and of each log what came after the snapshot and is in the stream.

    The relays get some time to publish the snapshot. What a stream has and its log still has not
    afterwards, no log ever had, or has no more.
    """
    give_up = time.monotonic() + settle_seconds
    async with connected(nats_url) as client:
        streams = {
            line: await read_settled(client, line, last_of(rows), give_up)
            for line, rows in snapshot.items()
        }
    lasts = {line: last_of(rows) for line, rows in snapshot.items()}
    newer = read_logs(database_url, tuple(snapshot), lasts)
    copies: dict[Line, LineCopy] = {}
    for line, rows in snapshot.items():
        end = streams[line][-1].sequence if streams[line] else 0
        since = [row for row in newer[line] if row.number <= end]
        copies[line] = LineCopy([*rows, *since], streams[line])
    return copies


async def read_settled(client: Client, line: Line, upto: int, give_up: float) -> list[Message]:
    """Read a stream once it has reached a number, or as it is when time is up."""
    while True:
        end = await end_of(client, line) or 0
        if end >= upto or time.monotonic() > give_up:
            return await read_stream(line, client, end) if end else []
        await asyncio.sleep(LOOK_SECONDS)


def last_of(rows: Sequence[LogRow]) -> int:
    """Return a log's newest number."""
    return rows[-1].number if rows else 0
