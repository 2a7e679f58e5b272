"""Reads of one shard's log, for followers and for those who export: whole, or one stream of it."""

from collections.abc import Awaitable, Callable, Sequence

import msgspec

from shared.contracts.edge import (
    Declined,
    LogPage,
    LogRow,
    decode_read,
    decode_read_stream,
    encode,
)
from shared.runtime.ports import StoreUnavailable
from shared.runtime.shard import Shard

PAGE_BYTES_MAX = 512 * 1024
ROWS_MAX = 500
NUMBER_MAX = 2**62

Serve = Callable[[bytes], Awaitable[bytes]]


class LogReading:
    """Answers with `LogPage`, as many rows as fit; a line that has stopped goes on answering."""

    def __init__(self, shard: Shard) -> None:
        self._shard = shard
        self._store = shard.store

    def verbs(self) -> dict[str, Serve]:
        """Return a handler per verb."""
        return {"log": self._answering(self._log), "stream": self._answering(self._stream)}

    def _answering(self, read: Callable[[bytes], Awaitable[LogPage | Declined]]) -> Serve:
        async def serve(data: bytes) -> bytes:
            try:
                return encode(await read(data))
            except (msgspec.MsgspecError, RecursionError) as error:
                return encode(Declined(reason="malformed", detail=str(error)))
            except StoreUnavailable as error:
                return encode(Declined(reason="unavailable", detail=str(error)))

        serve.__doc__ = read.__doc__
        return serve

    async def _log(self, data: bytes) -> LogPage:
        """Return rows of the log after a number (`ReadLog`)."""
        asked = decode_read(data)
        last = await self._store.last_number()
        rows = await self._store.read_log(max(asked.after, 0), limited(asked.limit), asked.klass)
        return LogPage(rows=fitting(rows), last=last)

    async def _stream(self, data: bytes) -> LogPage | Declined:
        """Return commits of one stream after one of them (`ReadStream`); `last` is its newest n."""
        asked = decode_read_stream(data)
        if not self._shard.aggregate.owns(asked.stream):
            return Declined(reason="stream_invalid", detail=asked.stream[:64])
        after = min(max(asked.after, 0), NUMBER_MAX)
        heads = await self._store.heads([asked.stream])
        rows = await self._store.read_stream(asked.stream, after, after + limited(asked.limit))
        return LogPage(rows=fitting(rows), last=heads.get(asked.stream, 0))


def limited(limit: int) -> int:
    """Return how many rows to read at most."""
    return max(1, min(limit, ROWS_MAX))


def fitting(rows: Sequence[LogRow]) -> tuple[LogRow, ...]:
    """Return as many rows as one answer may hold, and one at least."""
    size = 0
    for count, row in enumerate(rows):
        size += len(row.data) * 4 // 3
        if count and size > PAGE_BYTES_MAX:
            return tuple(rows[:count])
    return tuple(rows)
