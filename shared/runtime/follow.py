"""Follow one upstream line from a position of our own: in order, complete, without acks.

Every message names the last message of class `m` before it, so a hole shows at once and is
filled by asking the upstream's owner for its log. A lost last message shows no hole: after a
quiet while the owner is asked too. A stream that was deleted is being rebuilt with the same
numbers; what is at or below the position is dropped. One that its log contradicts is not read.
"""

from collections.abc import AsyncIterator, Awaitable, Callable, Sequence
from contextlib import suppress
from typing import NamedTuple

import structlog

from shared.contracts.commit import hash_of
from shared.contracts.edge import Declined, LogPage, ReadLog, decode_page, encode
from shared.runtime.health import Health
from shared.runtime.metrics import REFILLED
from shared.runtime.ports import (
    Broker,
    BrokerUnavailable,
    Clock,
    Delivery,
    Line,
    NoResponders,
    NoStream,
    Position,
)
from shared.runtime.supervisor import LineStopped

GROUP_MAX = 256
QUIET_SECONDS = 2.0
RETRY_SECONDS = 0.2
REQUEST_SECONDS = 2.0

log = structlog.get_logger()


class Fact(NamedTuple):
    """One upstream commit, in order."""

    number: int
    data: bytes


Take = Callable[[Sequence[Fact]], Awaitable[None]]
"""Takes facts in and makes the position durable with what follows from them."""


class Follower:
    """Reads one line for one reader; `klass` "m" skips details, "" takes everything."""

    def __init__(
        self,
        line: Line,
        klass: str,
        position: Position,
        broker: Broker,
        clock: Clock,
        reader: str = "",
    ) -> None:
        self._line = line
        self._klass = klass
        self._at = position.reached
        self._last_hash = position.last_hash
        self._last: bytes | None = None
        self._broker = broker
        self._clock = clock
        self._what = f"follow {line}" + (f" for {reader}" if reader else "")

    async def run(self, take: Take, health: Health) -> None:
        """Follow for ever; raise LineStopped when the upstream is not the one we read."""
        waiting = False
        while True:
            try:
                await self._verify()
                await self._follow(take, health)
                waiting = False
            except (NoResponders, NoStream) as absent:
                health.right(self._what)
                if not waiting:
                    log.info("follow_waits", what=self._what, why=repr(absent))
                waiting = True
                await self._clock.sleep(RETRY_SECONDS)
            except BrokerUnavailable as error:
                health.wrong(self._what, f"{type(error).__name__}: {error}")
                await self._clock.sleep(RETRY_SECONDS)

    async def _verify(self) -> None:
        """Compare the commit at our position with the owner's: a restored backup shows here."""
        if self._at == 0:
            return
        page = await self._ask(self._at - 1, limit=1, klass="")
        if not page.rows or page.rows[0].number != self._at:
            raise LineStopped(f"{self._line} has no commit {self._at}, which was read before")
        if self._last is not None:
            self._last_hash = hash_of(self._last)
        if hash_of(page.rows[0].data) != self._last_hash:
            raise LineStopped(f"{self._line} has another commit {self._at} than was read before")

    async def _follow(self, take: Take, health: Health) -> None:
        """Take deliveries until the consumer loses its place."""
        async with self._broker.deliveries(self._line, self._klass, self._at) as deliveries:
            await self._trust()
            health.right(self._what)
            async for group in self._quiet_too(deliveries):
                if group:
                    await self._take_in(group, take)
                else:
                    with suppress(NoResponders):
                        await self._catch_up(take)

    async def _trust(self) -> None:
        """Read no stream that its log contradicts: what it has beyond the log are facts no more.

        Such is the stream of a line whose database was restored, and which has stopped. We wait
        until the stream is made anew.
        """
        tail = await self._broker.tail(self._line)
        if tail.sequence <= self._at:
            return
        page = await self._ask(tail.sequence - 1, limit=1, klass="")
        if not page.rows or page.rows[0].number != tail.sequence:
            raise BrokerUnavailable(f"{self._line.stream} is ahead of the log, at {tail.sequence}")
        if tail.data is not None and page.rows[0].data != tail.data:
            raise BrokerUnavailable(f"{self._line.stream} has other bytes at {tail.sequence}")

    async def _quiet_too(
        self, deliveries: AsyncIterator[list[Delivery]]
    ) -> AsyncIterator[list[Delivery]]:
        """Pass deliveries on, and an empty group after every quiet while."""
        quiet_since = self._clock.now_ms()
        async for group in deliveries:
            now = self._clock.now_ms()
            if group or now - quiet_since >= QUIET_SECONDS * 1000:
                quiet_since = now
                yield group

    async def _take_in(self, group: Sequence[Delivery], take: Take) -> None:
        """Take the new facts of a group, asking first for what is missing before each."""
        facts: list[Fact] = []
        at = self._at
        for delivery in group:
            if delivery.number <= at:
                continue
            before = delivery.prev_m if self._klass == "m" else delivery.number - 1
            if before > at:
                await self._took(facts, take)
                facts = []
                await self._catch_up(take, before)
            facts.append(Fact(delivery.number, delivery.data))
            at = delivery.number
        await self._took(facts, take)

    async def _took(self, facts: Sequence[Fact], take: Take) -> None:
        for start in range(0, len(facts), GROUP_MAX):
            part = facts[start : start + GROUP_MAX]
            await take(part)
            self._at, self._last = part[-1]

    async def _catch_up(self, take: Take, upto: int | None = None) -> None:
        """Take what the owner's log has behind our position, up to a number or to its end."""
        after, count = self._at, 0
        while upto is None or self._at < upto:
            page = await self._ask(self._at, limit=GROUP_MAX, klass=self._klass)
            facts = [Fact(r.number, r.data) for r in page.rows if upto is None or r.number <= upto]
            if page.last < self._at or (upto is not None and not facts):
                raise LineStopped(f"{self._line} ends at {page.last}, more was read before")
            if not facts:
                break
            await self._took(facts, take)
            count += len(facts)
        if count:
            REFILLED.labels(str(self._line)).inc(count)
            log.warning("refilled", line=str(self._line), after=after, count=count)

    async def _ask(self, after: int, limit: int, klass: str) -> LogPage:
        read = ReadLog(after=after, limit=limit, klass=klass)
        subject = self._line.request("log")
        data = await self._broker.request(subject, encode(read), REQUEST_SECONDS)
        page = decode_page.decode(data)
        if isinstance(page, Declined):
            raise BrokerUnavailable(f"{subject}: {page.reason} {page.detail}")
        return page
