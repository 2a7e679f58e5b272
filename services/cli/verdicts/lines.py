"""Every line read twice, whole: its log from the store, and its stream from JetStream."""

import asyncio
import time
from collections.abc import Iterable
from contextlib import suppress
from typing import Any

from services.cli.verdicts.streams import LineCopy, Message
from shared.contracts.edge import LogRow
from shared.runtime.adapters.nats import NatsBroker, connect
from shared.runtime.adapters.postgres import PostgresStore
from shared.runtime.adapters.reading import patient_stores
from shared.runtime.ports import Line

PAGE = 1_000
LOOK_SECONDS = 0.1
QUIET_SECONDS = 2.0


async def read_lines(
    database_url: str, nats_url: str, lines: Iterable[Line], settle_seconds: float = 10.0
) -> dict[Line, LineCopy]:
    """Read all lines; the relays get that long to catch up with what is committed."""
    give_up = time.monotonic() + settle_seconds
    client = await connect(nats_url, "verdicts")
    try:
        with patient_stores(database_url, lines) as stores:
            return {
                line: await read_line(line, store, client, give_up)
                for line, store in stores.items()
            }
    finally:
        await client.close()


async def read_line(line: Line, store: PostgresStore, client: Any, give_up: float) -> LineCopy:
    """Read log and stream once they are equally long, or as they are when time is up."""
    broker = NatsBroker(client)
    while True:
        last = (await broker.tail(line)).sequence
        if last == await store.last_number() or time.monotonic() > give_up:
            return LineCopy(await read_log(store), await read_stream(line, client, last))
        await asyncio.sleep(LOOK_SECONDS)


async def read_log(store: PostgresStore) -> list[LogRow]:
    """Read the log page by page to its end."""
    rows: list[LogRow] = []
    while page := await store.read_log(rows[-1].number if rows else 0, PAGE):
        rows += page
    return rows


async def read_stream(line: Line, client: Any, last: int) -> list[Message]:
    """Read the stream up to a sequence; what does not come within a while is not there."""
    messages: list[Message] = []
    arrived: asyncio.Queue[Message] = asyncio.Queue()

    async def take(delivered: Any) -> None:
        arrived.put_nowait(message(delivered))

    subscription = await client.jetstream().subscribe(
        line.subjects, cb=take, stream=line.stream, ordered_consumer=True
    )
    with suppress(TimeoutError):
        while (messages[-1].sequence if messages else 0) < last:
            messages.append(await asyncio.wait_for(arrived.get(), QUIET_SECONDS))
            while not arrived.empty():
                messages.append(arrived.get_nowait())
    await subscription.unsubscribe()
    return messages


def message(delivered: Any) -> Message:
    """Read a message as it came, with its header as it stands."""
    previous_m = (delivered.headers or {}).get("Prev-M", "")
    sequence = delivered.metadata.sequence.stream
    return Message(sequence, delivered.subject, previous_m, delivered.data)
