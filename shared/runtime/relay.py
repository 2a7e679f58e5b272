"""The relay of one line: the log's commits into its stream, same bytes, same numbers.

The position is the end of the stream itself. Before the first batch after any doubt, and every
second when idle, the end is compared with the log: behind is published, a stream ahead of the
log or with other bytes stops the line, since one of the two is not what it says.

Nothing is decided on a log before the first comparison: it may be one that was restored.
"""

import asyncio
from collections.abc import Callable
from functools import partial

import structlog

from shared.contracts.edge import LogRow
from shared.runtime.bell import Bell
from shared.runtime.health import Health
from shared.runtime.metrics import PUBLISHED, RELAY_LAG
from shared.runtime.ports import (
    Broker,
    BrokerUnavailable,
    Clock,
    Line,
    Outgoing,
    Store,
    StoreUnavailable,
    StreamMoved,
)
from shared.runtime.supervisor import LineStopped

BATCH_MAX = 500
BATCH_BYTES_MAX = 8 * 1024 * 1024
LOOK_SECONDS = 1.0
RETRY_SECONDS = 0.2

log = structlog.get_logger()


class Relay:
    """Publishes one line; `committed` wakes it after every commit of the owner."""

    def __init__(
        self, line: Line, store: Store, broker: Broker, clock: Clock, committed: Bell
    ) -> None:
        self._line = line
        self._store = store
        self._broker = broker
        self._clock = clock
        self._committed = committed
        self._lag = RELAY_LAG.labels(str(line))
        self._published = PUBLISHED.labels(str(line))
        self.agreed = asyncio.Event()

    async def run(self, health: Health) -> None:
        """Relay for ever; raise LineStopped when log and stream contradict each other."""
        what = f"relay {self._line}"
        while True:
            try:
                last, rows = await self._compared()
                self.agreed.set()
                await self._publish(last, rows, partial(health.right, what))
            except StreamMoved:
                continue
            except (BrokerUnavailable, StoreUnavailable) as error:
                health.wrong(what, f"{type(error).__name__}: {error}")
                await self._clock.sleep(RETRY_SECONDS)

    async def _compared(self) -> tuple[int, list[LogRow]]:
        """Return the stream's end once the log is known to agree with it, and what is behind it."""
        tail = await self._broker.tail(self._line)
        self._committed.clear()
        if tail.sequence == 0:
            return 0, await self._store.read_log(0, BATCH_MAX)
        rows = await self._store.read_log(tail.sequence - 1, 1 + BATCH_MAX)
        if not rows:
            raise LineStopped(f"{self._line.stream} is ahead of the log, at {tail.sequence}")
        if tail.data is not None and tail.data != rows[0].data:
            raise LineStopped(f"{self._line.stream} has other bytes at {tail.sequence}")
        return tail.sequence, rows[1:]

    async def _publish(self, last: int, rows: list[LogRow], works: Callable[[], None]) -> None:
        """Publish these rows and what comes after, until nothing has come for a while."""
        previous_m: int | None = None
        while True:
            messages: list[Outgoing] = []
            if rows:
                self._lag.set(len(rows))
                if previous_m is None:
                    previous_m = await self._store.last_m(last)
                messages, previous_m = outgoing(self._line, rows, previous_m)
                last = await self._broker.publish(self._line, messages, last)
                self._published.inc(len(messages))
            works()
            if len(messages) == len(rows) < BATCH_MAX:
                self._lag.set(0)
                if not await self._committed.wait(LOOK_SECONDS):
                    return
            self._committed.clear()
            rows = await self._store.read_log(last, BATCH_MAX)


def outgoing(line: Line, rows: list[LogRow], previous_m: int) -> tuple[list[Outgoing], int]:
    """Address as many rows as one batch may hold; return them and the newest `m` among them."""
    messages: list[Outgoing] = []
    size = 0
    for row in rows:
        size += len(row.data)
        if messages and size > BATCH_BYTES_MAX:
            break
        messages.append(Outgoing(line.subject(row.klass, row.stream), row.data, previous_m))
        if row.klass == "m":
            previous_m = row.number
    return messages, previous_m
