"""Which process works on which line: leases shared out by rendezvous hashing.

A lease only makes double work rare: the log fences. So nothing here has to be certain; it has to
be quick, and a process that cannot renew has to stop before others begin.
"""

import asyncio
from collections.abc import Awaitable, Callable, Coroutine, Iterable, Sequence
from contextlib import suppress
from hashlib import blake2b
from typing import Any, NamedTuple, Protocol

import structlog

from shared.runtime.gate import Gate
from shared.runtime.health import Health
from shared.runtime.metrics import LEASES_HELD, LEASES_LOST, LEASES_RENEWED
from shared.runtime.ports import BrokerUnavailable, Clock, LeaseTaken, Line, Registry

TICKS_PER_TTL = 5
AGAIN_SECONDS = 0.1

log = structlog.get_logger()


def owner_of(line: Line | str, members: Iterable[str]) -> str:
    """Return the member whose line this is: who comes or goes moves only its own lines."""
    return max(members, key=lambda member: (weight(line, member), member))


def weight(line: Line | str, member: str) -> bytes:
    """Return a number that every process computes alike, whatever its hash seed."""
    return blake2b(f"{member}/{line}".encode(), digest_size=8).digest()


class Work(Protocol):
    """What owning a line means."""

    async def take(self, line: Line) -> None:
        """Begin to work on a line."""
        ...

    async def give(self, line: Line) -> None:
        """Take no more requests, finish what is under way, and stop."""
        ...

    async def drop(self, line: Line) -> None:
        """Stop at once."""
        ...


class Held(NamedTuple):
    """A lease of ours; from `until_ms` on others may have it."""

    revision: int
    until_ms: int


class Leases:
    """Holds the leases of our share of the lines, and works on a line while its lease is ours."""

    def __init__(
        self,
        registry: Registry,
        lines: Sequence[Line],
        work: Work,
        gate: Gate,
        clock: Clock,
        health: Health,
        ttl_s: float,
        store_reached: Callable[[], Awaitable[object]] | None = None,
    ) -> None:
        """`store_reached` waits until the store can be reached; without it we never stand aside."""
        self._registry = registry
        self._lines = lines
        self._work = work
        self._gate = gate
        self._clock = clock
        self._health = health
        self._ttl_s = ttl_s
        self._store_reached = store_reached
        self._held: dict[Line, Held] = {}
        self._others: set[str] = set()
        self._runs_out = False
        LEASES_HELD.set_function(lambda: len(self._held))

    def fresh(self, line: Line) -> bool:
        """Say whether a line is certainly ours at this moment; a frozen process wakes to a no."""
        held = self._held.get(line)
        return held is not None and self._clock.now_ms() < held.until_ms

    async def run(self) -> None:
        """Hold our share for ever; raise StartRefused when we may not."""
        while True:
            try:
                await self._stand_aside()
                await self._tick()
            except BrokerUnavailable as error:
                self._gate.let("leases", through=False)
                self._health.wrong("leases", f"{type(error).__name__}: {error}")
                await self._drop_overdue()
            else:
                self._gate.let("leases", through=True)
                self._health.right("leases")
                LEASES_RENEWED.set(self._clock.now_ms() / 1000)
            pause_s = AGAIN_SECONDS if self._runs_out else self._ttl_s / TICKS_PER_TTL
            await self._registry.changed(pause_s)

    async def _stand_aside(self) -> None:
        """Leave to others what we have not been able to write for as long as a lease lasts.

        Our way to the store may be the only one that is cut. Alone we stay: nobody would be
        served by our going.
        """
        waited_s = self._health.lasting_ms("store") / 1000
        if self._store_reached is None or not self._held or waited_s < self._ttl_s:
            return
        if {*await self._registry.members()} <= {self._registry.me}:
            return
        self._health.wrong("leases", "standing aside: the store cannot be reached")
        log.warning("stands_aside", waited_s=waited_s)
        await self._registry.leave()
        await all_of([self._leave(line) for line in list(self._held)])
        await self._store_reached()

    async def _tick(self) -> None:
        """Look who is there, hold what is ours, give back what is not any more.

        What is held is renewed together with our name: should we die, all of it runs out at one
        moment, and who comes after us waits for nothing when our name is gone.
        """
        self._runs_out = False
        self._others.clear()
        renewals = [self._hold(line) for line in self._held]
        await all_of([self._registry.announce(), *renewals])
        members = {*await self._registry.members(), self._registry.me}
        mine = [line for line in self._lines if owner_of(line, members) == self._registry.me]
        await all_of([self._hold(line) for line in mine if line not in self._held])
        self._runs_out = not self._others <= members
        others = [line for line in self._lines if line not in mine]
        await all_of([self._give(line) for line in others])

    async def _hold(self, line: Line) -> None:
        asked_ms = self._clock.now_ms()
        held = self._held.get(line)
        try:
            revision = await self._registry.hold(line, held.revision if held else 0)
        except LeaseTaken as taken:
            self._health.wrong(waits_for(line), f"held by {taken}")
            self._others.add(str(taken))
            await self._drop(line)
            return
        self._held[line] = Held(revision, asked_ms + round(self._ttl_s * 1000))
        if held is None:
            log.info("lease_taken", line=str(line))
            await self._work.take(line)
        self._health.right(waits_for(line))

    async def _give(self, line: Line) -> None:
        """Let go of a line in good order; what cannot be given back runs out by itself."""
        self._health.right(waits_for(line))
        if line not in self._held:
            return
        log.info("lease_given_back", line=str(line))
        await self._work.give(line)
        with suppress(BrokerUnavailable):
            await self._registry.release(line, self._held.pop(line).revision)

    async def _leave(self, line: Line) -> None:
        """Let go of a line at once, since nothing can be finished."""
        with suppress(BrokerUnavailable):
            await self._registry.release(line, self._held[line].revision)
        await self._drop(line)

    async def _drop(self, line: Line) -> None:
        """Stop working on a line that may be another's by now."""
        if self._held.pop(line, None) is not None:
            log.warning("lease_lost", line=str(line))
            LEASES_LOST.labels(str(line)).inc()
            await self._work.drop(line)

    async def _drop_overdue(self) -> None:
        await all_of([self._drop(line) for line in list(self._held) if not self.fresh(line)])

    async def close(self) -> None:
        """Go in good order: others are told at once."""
        self._gate.let("leases", through=False)
        with suppress(BrokerUnavailable):
            await self._registry.leave()
        await all_of([self._give(line) for line in list(self._held)])


def waits_for(line: Line) -> str:
    """Name what is wrong while a line of our share is still held by another."""
    return f"lease {line}"


async def all_of(works: Sequence[Coroutine[Any, Any, None]]) -> None:
    """Do all together, and raise the first fault when all have ended."""
    faults = [
        fault
        for fault in await asyncio.gather(*works, return_exceptions=True)
        if isinstance(fault, BaseException)
    ]
    if faults:
        raise faults[0]
