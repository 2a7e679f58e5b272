"""The inbox as operators see it: what is parked, and a retry once the cause is mended.

A retry goes through all that is parked, in order, and stops a stream at its first fact that still
cannot be taken in. Each row goes in the transaction of its commits, so a retry that is cut off
anywhere is simply made again.
"""

import asyncio
from collections.abc import Sequence

import msgspec

from shared.contracts.edge import (
    Declined,
    InboxPage,
    ParkedFact,
    Retried,
    decode_read_inbox,
    decode_retry,
    encode,
)
from shared.runtime.parking import BEHIND
from shared.runtime.ports import Conflict, Parked, StoreUnavailable
from shared.runtime.reacting import Reading
from shared.runtime.shard import Shard

GROUP_MAX = 64
PAGE_MAX = 200
STOPPED_MAX = 100


class Retrying:
    """Answers `inbox` and `inbox-retry` for one shard; both may be `malformed`, `unavailable`.

    A retry decides: where nothing is decided any more it is `line_stopped`.
    """

    def __init__(self, shard: Shard, shards: int) -> None:
        self._shard = shard
        self._shards = shards
        self._one_at_a_time = asyncio.Lock()

    async def read_inbox(self, data: bytes) -> bytes:
        """Return what is parked, a page at a time (`ReadInbox`, `InboxPage`)."""
        try:
            read = decode_read_inbox(data)
            return encode(await self._page(read.upstream, read.after, read.limit))
        except (msgspec.MsgspecError, RecursionError) as error:
            return encode(Declined(reason="malformed", detail=str(error)))
        except StoreUnavailable as error:
            return encode(Declined(reason="unavailable", detail=str(error)))

    async def _page(self, upstream: str, after: int, limit: int) -> InboxPage:
        room = max(1, min(limit, PAGE_MAX))
        store = self._shard.store
        counts = await store.parked_streams()
        found: list[Parked] = []
        for one in sorted(counts):
            if one >= upstream and len(found) < room:
                beyond = after if one == upstream else 0
                found += await store.parked(one, beyond, room - len(found))
        total = sum(sum(streams.values()) for streams in counts.values())
        return InboxPage(facts=tuple(map(told, found)), total=total)

    async def retry_inbox(self, data: bytes) -> bytes:
        """Feed what is parked again, in order (`RetryInbox`, `Retried`)."""
        try:
            decode_retry(data)
            if stopped := self._shard.stopped:
                return encode(Declined(reason="line_stopped", detail=stopped))
            async with self._one_at_a_time:
                return encode(await self._retry_all())
        except (msgspec.MsgspecError, RecursionError) as error:
            return encode(Declined(reason="malformed", detail=str(error)))
        except (StoreUnavailable, Conflict) as error:
            return encode(Declined(reason="unavailable", detail=str(error)))

    async def _retry_all(self) -> Retried:
        await self._shard.look_into_inbox()
        fed, waiting = 0, 0
        stopped: list[ParkedFact] = []
        for upstream in self._shard.inbox.upstreams:
            firsts: dict[str, ParkedFact] = {}
            after = 0
            while rows := await self._shard.store.parked(upstream, after, GROUP_MAX):
                waiting += await self._feed(upstream, rows, firsts)
                fed += len(rows)
                after = rows[-1].number
            stopped += firsts.values()
        taken = fed - waiting
        return Retried(taken=taken, waiting=waiting, stopped=tuple(stopped[:STOPPED_MAX]))

    async def _feed(
        self, upstream: str, rows: Sequence[Parked], stopped: dict[str, ParkedFact]
    ) -> int:
        """Feed one group; note the first fact of each stream that still waits, return how many."""
        shard = self._shard
        reading = Reading(upstream, shard.line, self._shards, shard.aggregate)
        facts = [reading.read(row.number, row.data) for row in rows]
        untaken = await shard.retry(rows, facts, stopped)
        by_number = {row.number: row for row in rows}
        for fact, reason in untaken:
            if reason != BEHIND:
                stopped[fact.stream] = told(by_number[fact.number]._replace(reason=reason))
        return len(untaken)


def told(row: Parked) -> ParkedFact:
    """Return what travels of a parked fact: all but its bytes."""
    return ParkedFact(*row[:5])
