"""Follow one upstream line from a position of our own: in order, complete, without acks.

Every message names the last message of class `m` before it, so a hole shows at once and is
filled by asking the upstream's owner for its log. A lost last message shows no hole: after a
quiet while the owner is asked too. A stream that was deleted is being rebuilt with the same
numbers; what is at or below the position is dropped.
"""

from collections.abc import AsyncIterator, Awaitable, Callable, Sequence
from typing import NamedTuple

import structlog

from shared.contracts.commit import hash_of
from shared.contracts.edge import Declined, LogPage, ReadLog, decode_page, encode
from shared.runtime.health import Health
from shared.runtime.metrics import REFILLED
from shared.runtime.ports import Broker, BrokerUnavailable, Clock, Delivery, Line, Position
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
        self, line: Line, klass: str, position: Position, broker: Broker, clock: Clock
    ) -> None:
        self._line = line
        self._klass = klass
        self._start = position
        self._at = position.reached
        self._broker = broker
        self._clock = clock

    async def run(self, take: Take, health: Health) -> None:
        """Follow for ever; raise LineStopped when the upstream is not the one we read."""
        what = f"follow {self._line}"
        verified = False
        while True:
            try:
                if not verified:
                    await self._verify()
                    verified = True
                health.right(what)
                await self._follow(take)
            except BrokerUnavailable as error:
                health.wrong(what, f"{type(error).__name__}: {error}")
                await self._clock.sleep(RETRY_SECONDS)

    async def _verify(self) -> None:
        """Compare the commit at our position with the owner's: a restored backup shows here."""
        if self._at == 0:
            return
        page = await self._ask(self._at - 1, limit=1, klass="")
        if not page.rows or page.rows[0].number != self._at:
            raise LineStopped(f"{self._line} has no commit {self._at}, which was read before")
        if hash_of(page.rows[0].data) != self._start.last_hash:
            raise LineStopped(f"{self._line} has another commit {self._at} than was read before")

    async def _follow(self, take: Take) -> None:
        """Take deliveries until the consumer loses its place."""
        async with self._broker.deliveries(self._line, self._klass, self._at) as deliveries:
            async for group in self._quiet_too(deliveries):
                facts = await self._complete(group) if group else await self._refill(None)
                for start in range(0, len(facts), GROUP_MAX):
                    part = facts[start : start + GROUP_MAX]
                    await take(part)
                    self._at = part[-1].number

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

    async def _complete(self, group: Sequence[Delivery]) -> list[Fact]:
        """Return the new facts of a group, with what is missing between them asked for."""
        facts: list[Fact] = []
        at = self._at
        for delivery in group:
            if delivery.number <= at:
                continue
            if self._hole(delivery, at):
                facts += await self._refill(delivery.number - 1, after=at)
            facts.append(Fact(delivery.number, delivery.data))
            at = delivery.number
        return facts

    def _hole(self, delivery: Delivery, at: int) -> bool:
        if self._klass == "m":
            return delivery.prev_m > at
        return delivery.number > at + 1

    async def _refill(self, upto: int | None, after: int | None = None) -> list[Fact]:
        """Ask the owner for everything after a number, up to one, or to the end of its log."""
        facts: list[Fact] = []
        at = self._at if after is None else after
        while True:
            page = await self._ask(at, limit=GROUP_MAX, klass=self._klass)
            rows = [row for row in page.rows if upto is None or row.number <= upto]
            facts += [Fact(row.number, row.data) for row in rows]
            if not rows or len(rows) < len(page.rows):
                break
            at = rows[-1].number
        if facts:
            REFILLED.labels(str(self._line)).inc(len(facts))
            log.warning("refilled", line=str(self._line), after=after, count=len(facts))
        return facts

    async def _ask(self, after: int, limit: int, klass: str) -> LogPage:
        read = ReadLog(after=after, limit=limit, klass=klass)
        subject = self._line.request("log")
        data = await self._broker.request(subject, encode(read), REQUEST_SECONDS)
        page = decode_page.decode(data)
        if isinstance(page, Declined):
            raise BrokerUnavailable(f"{subject}: {page.reason} {page.detail}")
        return page
