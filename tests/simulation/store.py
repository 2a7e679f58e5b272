"""The `Store` port in memory: what is durable of a line, and one node's way to it.

A transaction is all or nothing and takes no time; the way there and back does, and may fail on
either side of the commit. A disk outlives every node.
"""

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, TypeVar

from shared.contracts.edge import LogRow
from shared.runtime.ports import (
    CLOCK_OFF_MS,
    Advance,
    Alive,
    Conflict,
    Line,
    Liveness,
    NewCommit,
    Parked,
    Position,
    StoreUnavailable,
)

if TYPE_CHECKING:
    from tests.simulation.node import Node

T = TypeVar("T")

READS_WAIT = 0.3
NOWHERE = Position(0, b"")


class Disk:
    """One line's log, read positions and live streams."""

    def __init__(self, line: Line) -> None:
        self.line = line
        self.rows: list[LogRow] = []
        self.streams: dict[str, list[LogRow]] = {}
        self.positions: dict[str, Position] = {}
        self.live: dict[str, None] = {}
        self.alive_ms = 0
        self.parked: dict[tuple[str, int], Parked] = {}
        self.snapshots: dict[tuple[str, int, int], bytes] = {}
        self.outdated: dict[str, list[bytes]] = {}

    def copied(self) -> "Disk":
        """All that is durable now, as a backup has it."""
        copy = Disk(self.line)
        copy.rows = self.rows[:]
        copy.streams = {stream: rows[:] for stream, rows in self.streams.items()}
        copy.positions = dict(self.positions)
        copy.live = dict(self.live)
        copy.alive_ms = self.alive_ms
        copy.parked = dict(self.parked)
        copy.snapshots = dict(self.snapshots)
        return copy

    def append(
        self,
        commits: Sequence[NewCommit],
        advances: Sequence[Advance],
        liveness: Sequence[Liveness],
        parked: Sequence[Parked],
        unparked: Sequence[Parked],
    ) -> list[LogRow]:
        """Write one transaction; raise Conflict and change nothing if anybody was here first."""
        if any(self.is_taken(c.stream, c.n) for c in commits):
            raise Conflict(str(self.line))
        if any(self.has_moved(advance) for advance in advances):
            raise Conflict(str(self.line))
        inbox = self.repacked(parked, unparked)
        first = len(self.rows) + 1
        written = [LogRow(first + k, c.stream, c.n, c.klass, c.data) for k, c in enumerate(commits)]
        self.rows += written
        for row in written:
            self.streams.setdefault(row.stream, []).append(row)
        self.parked = inbox
        for advance in advances:
            self.positions[advance.upstream] = Position(advance.reached, advance.last_hash)
        for stream, live in liveness:
            if live:
                self.live[stream] = None
            else:
                self.live.pop(stream, None)
        return written

    def repacked(
        self, parked: Sequence[Parked], unparked: Sequence[Parked]
    ) -> dict[tuple[str, int], Parked]:
        """The inbox without what goes and with what comes, each of which must be news."""
        if not parked and not unparked:
            return self.parked
        inbox = dict(self.parked)
        for row in unparked:
            if inbox.pop(row[:2], None) is None:
                raise Conflict(str(self.line))
        for row in parked:
            if inbox.setdefault(row[:2], row) is not row:
                raise Conflict(str(self.line))
        return inbox

    def is_taken(self, stream: str, n: int) -> bool:
        """The primary key: a stream has every version once."""
        rows = self.streams.get(stream)
        return rows is not None and rows[-1].n >= n

    def has_moved(self, advance: Advance) -> bool:
        """Compare-and-set: a position is moved only from where its reader believes it is."""
        return self.positions.get(advance.upstream, NOWHERE).reached != advance.expected

    def read_stream(self, stream: str, after: int, upto: int | None) -> list[LogRow]:
        return self.streams.get(stream, [])[after:upto]

    def read_log(self, after: int, limit: int, klass: str) -> list[LogRow]:
        if not klass:
            return self.rows[after : after + limit]
        found = []
        for row in self.rows[after:]:
            if row.klass == klass:
                found.append(row)
                if len(found) == limit:
                    break
        return found

    def last_m(self, upto: int) -> int:
        return next((r.number for r in reversed(self.rows[:upto]) if r.klass == "m"), 0)

    def parked_of(self, upstream: str, after: int) -> list[Parked]:
        rows = sorted(self.parked.values(), key=lambda row: row.number)
        return [row for row in rows if row.upstream == upstream and row.number > after]

    def parked_streams(self) -> dict[str, dict[str, int]]:
        counts: dict[str, dict[str, int]] = {}
        for row in self.parked.values():
            of_upstream = counts.setdefault(row.upstream, {})
            of_upstream[row.stream] = of_upstream.get(row.stream, 0) + 1
        return counts

    def keep_snapshot(self, stream: str, n: int, first: int, parts: Sequence[bytes]) -> None:
        """Put parts away; those of the snapshot before are remembered as what they are now."""
        if not first:
            others = [key for key in self.snapshots if key[0] == stream and key[1] != n]
            gone = {key: self.snapshots.pop(key) for key in others}
            newest = max((key[1] for key in others), default=0)
            old = [data for (_, of, part), data in gone.items() if of == newest and part]
            self.outdated[stream] = old
        for part, data in enumerate(parts, first):
            self.snapshots[stream, n, part] = data

    def snapshot_parts(self, stream: str, n: int, after: int, limit: int) -> list[bytes]:
        asked = [(stream, n, part) for part in range(after + 1, after + limit + 1)]
        return [self.snapshots[key] for key in asked if key in self.snapshots]

    def snapshot_label(self, stream: str) -> bytes | None:
        labels = [key for key in self.snapshots if key[0] == stream and not key[2]]
        return self.snapshots[max(labels)] if labels else None

    def position(self, upstream: str) -> Position:
        return self.positions.setdefault(upstream, NOWHERE)


class SimStore:
    """The store as one node reaches it."""

    def __init__(self, disk: Disk, node: "Node", fresh: Callable[[Line], bool]) -> None:
        self._disk = disk
        self._fresh = fresh
        self._node = node
        self._world = node.world

    async def append(
        self,
        commits: Sequence[NewCommit],
        advances: Sequence[Advance] = (),
        liveness: Sequence[Liveness] = (),
        parked: Sequence[Parked] = (),
        unparked: Sequence[Parked] = (),
    ) -> int:
        if not self._fresh(self._disk.line):
            raise StoreUnavailable("the lease has run out")
        await self._there(writes=True)
        before = dict(self._disk.positions) if advances else self._disk.positions
        rows = self._disk.append(commits, advances, liveness, parked, unparked)
        self._world.committed(self._disk.line, rows, advances, before)
        self._world.trouble.at_the_store(self._node)
        await self._back()
        return rows[-1].number if rows else 0

    async def read_stream(
        self, stream: str, after: int = 0, upto: int | None = None
    ) -> list[LogRow]:
        return await self._read(lambda: self._disk.read_stream(stream, after, upto))

    async def read_streams(self, streams: Sequence[str]) -> dict[str, list[LogRow]]:
        disk = self._disk.streams
        return await self._read(lambda: {s: list(disk[s]) for s in streams if s in disk})

    async def read_log(self, after: int, limit: int, klass: str = "") -> list[LogRow]:
        return await self._read(lambda: self._disk.read_log(after, limit, klass))

    async def last_number(self) -> int:
        return await self._read(lambda: len(self._disk.rows))

    async def last_m(self, upto: int) -> int:
        return await self._read(lambda: self._disk.last_m(upto))

    async def heads(self, streams: Sequence[str]) -> dict[str, int]:
        disk = self._disk.streams
        return await self._read(lambda: {s: disk[s][-1].n for s in streams if s in disk})

    async def position(self, upstream: str) -> Position:
        return await self._read(lambda: self._disk.position(upstream))

    async def parked(self, upstream: str, after: int, limit: int) -> list[Parked]:
        return await self._read(lambda: self._disk.parked_of(upstream, after)[:limit])

    async def parked_streams(self) -> dict[str, dict[str, int]]:
        return await self._read(self._disk.parked_streams)

    async def live_streams(self) -> list[str]:
        return await self._read(lambda: sorted(self._disk.live))

    async def beat(self, at_ms: int, since_ms: int) -> Alive:
        if at_ms and not self._fresh(self._disk.line):
            raise StoreUnavailable("the lease has run out")
        await self._there()
        alive = Alive(self._disk.alive_ms, self._world.true_ms)
        if since_ms <= alive.at_ms < at_ms <= alive.store_ms + CLOCK_OFF_MS:
            self._disk.alive_ms = at_ms
        await self._back()
        return alive

    async def first_missing(self) -> int | None:
        """None of these logs loses a commit: their numbers are their places."""
        return await self._read(lambda: None)

    async def keep_snapshot(self, stream: str, n: int, first: int, parts: Sequence[bytes]) -> None:
        await self._there(writes=True)
        self._disk.keep_snapshot(stream, n, first, parts)
        await self._back()

    async def snapshot_label(self, stream: str) -> bytes | None:
        return await self._read(lambda: self._disk.snapshot_label(stream))

    async def snapshot_parts(self, stream: str, n: int, after: int, limit: int) -> list[bytes]:
        return await self._read(lambda: self._disk.snapshot_parts(stream, n, after, limit))

    async def _read(self, work: Callable[[], T]) -> T:
        await self._there()
        result = work()
        if self._node.stopped or self._world.faults.store_fails:
            await self._back()
        return result

    async def _there(self, *, writes: bool = False) -> None:
        """Go to the store, which a read may reach at once.

        Of a node that dies on the way, the call may still arrive.
        """
        node, world = self._node, self._world
        faults, random = world.faults, world.chance.random
        if faults.dies or faults.freezes:
            world.trouble.at_the_store(node)
        if node.stopped:
            await node.gate()
        if faults.store_slow and random() < faults.store_slow:
            await world.loop.pause(world.chance.uniform(0.001, 0.4))
        elif writes or random() < READS_WAIT:
            await world.loop.pause(0.0005 + 0.002 * random())
        if node.dead and (node.ended or random() < 0.5):
            await node.gate()
        away = world.away and world.is_away("store", node)
        if away or (faults.store_before and random() < faults.store_before):
            raise StoreUnavailable("away")

    async def _back(self) -> None:
        """Come back, or not: then nobody knows whether the transaction stands."""
        node, world = self._node, self._world
        if world.faults.store_slow and world.chance.random() < world.faults.store_slow:
            await world.loop.pause(world.chance.uniform(0.0, 0.1))
        if node.stopped:
            await node.gate()
        if world.faults.store_after and world.chance.random() < world.faults.store_after:
            raise StoreUnavailable("went away before the answer")
