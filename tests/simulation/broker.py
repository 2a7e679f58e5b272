"""The delivering half of the `Broker` port in memory: streams with a fence, and their readers.

A stream may lose its end, messages from its middle, or itself, at any moment, whatever it has
acknowledged; a reader may miss deliveries, get them twice, late, or lose its place.
"""

import asyncio
from collections.abc import AsyncIterator, Container, Sequence
from typing import TYPE_CHECKING, NamedTuple, Self

from shared.runtime.ports import (
    BrokerUnavailable,
    Delivery,
    Line,
    NoStream,
    Outgoing,
    StreamMoved,
    Tail,
)
from tests.simulation.loop import wake

if TYPE_CHECKING:
    from tests.simulation.node import Node

WAIT_SECONDS = 2.0
SILENT_SECONDS = 3.5
LATE_SECONDS = 1.0
GROUP_MAX = 64
EVERY_CLASS = ("", "d", "m")


class Kept(NamedTuple):
    """One message of a stream."""

    subject: str
    klass: str
    prev_m: int
    data: bytes


class Stream:
    """One line's messages; sequence k stands at index k - 1, None where one was deleted."""

    def __init__(self, line: Line) -> None:
        self.line = line
        self.kept: list[Kept | None] = []
        self.broken_off = False
        self.waiting: list[tuple[str, asyncio.Future[None]]] = []

    def append(self, messages: Sequence[Outgoing], last: int) -> None:
        """Take a batch, all or nothing, behind the sequence that its sender expects."""
        if not self.ends_at(last):
            raise StreamMoved(self.line.stream)
        came = [Kept(subject, subject.split(".")[3], prev_m, d) for subject, d, prev_m in messages]
        self.kept += came
        self.wake({"", *[message.klass for message in came]})

    def ends_at(self, last: int) -> bool:
        """The fence."""
        return len(self.kept) == last

    def wake(self, klasses: Container[str]) -> None:
        """Tell the readers of these classes that there is something to see."""
        for klass, waiter in self.waiting:
            if klass in klasses:
                wake(waiter)
        self.waiting = [(klass, waiter) for klass, waiter in self.waiting if not waiter.done()]

    def break_off(self) -> None:
        """End every reader: the server's consumers are gone."""
        self.broken_off = True
        self.wake(EVERY_CLASS)

    def without_readers(self) -> "Stream":
        """The same messages, after a restart that no reader has survived."""
        self.break_off()
        again = Stream(self.line)
        again.kept = self.kept
        return again


class Streams:
    """All streams of the platform, and what can happen to them."""

    def __init__(self) -> None:
        self.by_line: dict[Line, Stream] = {}

    def lose_tail(self, line: Line, count: int) -> None:
        """What was acknowledged is gone: the server had not written it."""
        stream = self.by_line[line] = self.by_line[line].without_readers()
        del stream.kept[max(len(stream.kept) - count, 0) :]

    def delete_messages(self, line: Line, sequences: Sequence[int]) -> None:
        for sequence in sequences:
            self.by_line[line].kept[sequence - 1] = None

    def delete(self, line: Line) -> None:
        self.by_line.pop(line).break_off()

    def lose(self) -> None:
        """All of them are gone."""
        for line in list(self.by_line):
            self.delete(line)


class StreamsOfNode:
    """The streams as one node reaches them."""

    def __init__(self, node: "Node") -> None:
        self._node = node
        self._world = node.world
        self._streams = node.world.streams

    async def tail(self, line: Line) -> Tail:
        await self._there()
        stream = self._streams.by_line.get(line)
        if stream is None:
            stream = self._streams.by_line[line] = Stream(line)
        kept = stream.kept
        tail = Tail(len(kept), kept[-1].data if kept and kept[-1] else None)
        if self._node.stopped:
            await self._node.gate()
        return tail

    async def publish(self, line: Line, messages: Sequence[Outgoing], last: int) -> int:
        await self._there()
        world = self._world
        stream = self._streams.by_line.get(line)
        if stream is None or world.chance.random() < world.faults.publish_before:
            raise BrokerUnavailable(f"{line.stream} takes nothing")
        stream.append(messages, last)
        world.published(line, stream, len(messages))
        if self._node.stopped:
            await self._node.gate()
        if world.chance.random() < world.faults.publish_after:
            raise BrokerUnavailable("no acknowledgement")
        return last + len(messages)

    def deliveries(self, line: Line, klass: str, after: int) -> "Reader":
        return Reader(self._node, line, klass, after)

    async def _there(self) -> None:
        node, world = self._node, self._world
        if node.stopped:
            await node.gate()
        await world.loop.pause(0.0005 + 0.002 * world.chance.random())
        if node.dead and (node.ended or world.chance.random() < 0.5):
            await node.gate()
        if world.is_away("broker", node):
            raise BrokerUnavailable("away")


class Reader:
    """One ordered consumer of one node."""

    def __init__(self, node: "Node", line: Line, klass: str, after: int) -> None:
        self._node = node
        self._world = node.world
        self._line = line
        self._klass = klass
        self._after = after

    async def __aenter__(self) -> Self:
        if self._node.stopped:
            await self._node.gate()
        await self._world.loop.pause(0.002)
        if self._world.is_away("broker", self._node):
            raise BrokerUnavailable("away")
        found = self._world.streams.by_line.get(self._line)
        if found is None:
            raise NoStream(self._line.stream)
        self._stream = found
        return self

    async def __aexit__(self, *_: object) -> None:
        return None

    def __aiter__(self) -> AsyncIterator[list[Delivery]]:
        return self

    async def __anext__(self) -> list[Delivery]:
        """Return what is there, or nothing after a while; stop when the place is lost."""
        if self._node.stopped:
            await self._node.gate()
        world, stream = self._world, self._stream
        if len(stream.kept) <= self._after and not stream.broken_off:
            await self._wait()
        faults, chance = world.faults, world.chance
        late = faults.delivery_late and chance.random() < faults.delivery_late
        delay_s = chance.uniform(0, LATE_SECONDS) if late else 0.002 * chance.random()
        await world.loop.pause(delay_s)
        if self._node.stopped:
            await self._node.gate()
        away = world.is_away("broker", self._node)
        if away or stream.broken_off or chance.random() < faults.consumer_lost:
            await world.loop.pause(chance.uniform(0.1, SILENT_SECONDS))
            raise StopAsyncIteration
        return self._came()

    async def _wait(self) -> None:
        waiter = self._world.loop.pause(WAIT_SECONDS)
        self._stream.waiting.append((self._klass, waiter))
        await waiter

    def _came(self) -> list[Delivery]:
        """Read on; some of it comes twice, and some not at all."""
        faults, chance = self._world.faults, self._world.chance
        kept = self._stream.kept
        group: list[Delivery] = []
        while self._after < len(kept) and len(group) < GROUP_MAX:
            self._after += 1
            message = kept[self._after - 1]
            if message is None or (self._klass and message.klass != self._klass):
                continue
            if faults.delivery_dropped and chance.random() < faults.delivery_dropped:
                continue
            delivery = Delivery(self._after, message.prev_m, message.data)
            group.append(delivery)
            if faults.delivery_doubled and chance.random() < faults.delivery_doubled:
                group.append(delivery)
        return group
