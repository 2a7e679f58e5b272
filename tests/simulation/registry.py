"""The `Registry` port in memory: who of a service is there, and who has the lease of which line.

As on the real broker the bucket outlives nobody: what is not renewed vanishes, and a loss of
the broker's store takes all of it.
"""

from typing import TYPE_CHECKING, NamedTuple

from shared.runtime.ports import BrokerUnavailable, Deployment, LeaseTaken, Line

if TYPE_CHECKING:
    from tests.simulation.node import Node

TTL_SECONDS = 2.0
NEWS = 0.2
CALLS_WAIT = 0.5


class Lease(NamedTuple):
    """Who wrote a key, as which revision, and when it vanishes."""

    holder: str
    revision: int
    until: float


class Buckets:
    """The members and leases of all services."""

    def __init__(self) -> None:
        self.revision = 0
        self.members: dict[str, dict[str, float]] = {}
        self.leases: dict[Line, Lease] = {}

    def lose(self) -> None:
        self.members.clear()
        self.leases.clear()


class SimRegistry:
    """The registry as one node reaches it."""

    def __init__(self, node: "Node") -> None:
        self._node = node
        self._world = node.world
        self._buckets = node.world.buckets

    @property
    def me(self) -> str:
        return self._node.name

    @property
    def _members(self) -> dict[str, float]:
        return self._buckets.members.setdefault(self._node.service, {})

    async def open(self, deployment: Deployment) -> None:
        """There is one deployment here."""

    async def announce(self) -> None:
        await self._there()
        self._members[self.me] = self._world.loop.now + TTL_SECONDS

    async def members(self) -> tuple[str, ...]:
        await self._there()
        now = self._world.loop.now
        return tuple(name for name, until in self._members.items() if until > now)

    async def hold(self, line: Line, revision: int) -> int:
        await self._there()
        lease = self._buckets.leases.get(line)
        if lease is not None and lease.until > self._world.loop.now and lease.holder != self.me:
            raise LeaseTaken(lease.holder)
        self._buckets.revision += 1
        until = self._world.loop.now + TTL_SECONDS
        self._buckets.leases[line] = Lease(self.me, self._buckets.revision, until)
        return self._buckets.revision

    async def release(self, line: Line, revision: int) -> None:
        await self._there()
        lease = self._buckets.leases.get(line)
        if lease is not None and lease.revision <= revision:
            del self._buckets.leases[line]

    async def leave(self) -> None:
        await self._there()
        self._members.pop(self.me, None)

    async def changed(self, seconds: float) -> None:
        """Wait a while, or less: news of others may cut it short."""
        chance = self._world.chance
        early = chance.random() < NEWS
        await self._node.clock.sleep(chance.uniform(0, seconds) if early else seconds)

    async def _there(self) -> None:
        node, world = self._node, self._world
        if node.stopped:
            await node.gate()
        if world.chance.random() < CALLS_WAIT:
            await world.loop.pause(0.0005 + 0.002 * world.chance.random())
            if node.ended:
                await node.gate()
        if world.is_away("broker", node) or world.chance.random() < world.faults.publish_before:
            raise BrokerUnavailable("away")
