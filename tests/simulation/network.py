"""The asking half of the `Broker` port in memory: requests that get lost, doubled or answered late.

Whoever serves a subject gets every request on it, and whoever asks takes the first answer. What
a node serves runs as a task of its own and ends with the node, in the middle of anything.
"""

import asyncio
from collections.abc import Mapping
from typing import TYPE_CHECKING, NamedTuple

from shared.contracts.edge import Declined, encode
from shared.runtime.log_reading import Serve
from shared.runtime.ports import BrokerUnavailable, Line, NoResponders
from tests.simulation.broker import StreamsOfNode

if TYPE_CHECKING:
    from tests.simulation.node import Node
    from tests.simulation.world import World

LATE_SECONDS = 4.0
AGAIN_SECONDS = 3.0


class Server(NamedTuple):
    """One who answers a verb of a line."""

    node: "Node"
    line: Line
    verb: str
    handler: Serve


class Network:
    """Who serves which subject."""

    def __init__(self, world: "World") -> None:
        self._world = world
        self._servers: dict[str, list[Server]] = {}
        self._serving: dict[Node, dict[Line, list[list[Server]]]] = {}
        self._restarts = 0

    def serve(self, node: "Node", line: Line, verbs: Mapping[str, Serve]) -> None:
        groups = [self._servers.setdefault(line.request(verb), []) for verb in verbs]
        for group, (verb, handler) in zip(groups, verbs.items(), strict=True):
            group.append(Server(node, line, verb, handler))
        self._serving.setdefault(node, {})[line] = groups

    def lose(self) -> None:
        """Nothing that is under way outlives the broker."""
        self._restarts += 1

    def leave(self, node: "Node", line: Line | None = None) -> None:
        """Serve a line no more, or nothing: the connection of a dead node is closed at once."""
        serving = self._serving.get(node, {})
        for left in list(serving) if line is None else [line]:
            for group in serving.pop(left, ()):
                group[:] = [server for server in group if server.node is not node]

    def servers(self, subject: str) -> list[Server]:
        """Return all who get a request now; a node cut off from the broker gets none."""
        servers = self._servers.get(subject, [])
        if not self._world.away:
            return servers
        away = self._world.is_away
        return [s for s in servers if not away("broker", s.node)]

    def hand_over(
        self, subject: str, data: bytes, answer: "asyncio.Future[bytes]", delay_s: float
    ) -> None:
        """Let every server have the request after a while."""
        self._world.loop.call_later(delay_s, self._start, subject, data, answer, self._restarts)

    def _start(
        self, subject: str, data: bytes, answer: "asyncio.Future[bytes]", restarts: int
    ) -> None:
        if restarts != self._restarts:
            return
        for server in self.servers(subject):
            server.node.answer(server.line, self._serve(server, data, answer))

    async def _serve(self, server: Server, data: bytes, answer: "asyncio.Future[bytes]") -> None:
        """Answer one request as the edge does; whoever asks is answered, whatever goes wrong."""
        world, node = self._world, server.node
        if node.stopped:
            await node.gate()
        arrived = world.arrived(server, data)
        try:
            reply = await server.handler(data)
        except Exception as error:  # noqa: BLE001 - the edge answers whatever a handler raises
            world.fell(f"{server.line} {server.verb}", error)
            reply = encode(Declined(reason="internal_error"))
        if node.dead:
            await node.gate()
        world.replied(server, arrived, reply)
        faults, chance = world.faults, world.chance
        if node.stopped or world.is_away("broker", node) or chance.random() < faults.reply_lost:
            return
        late = chance.random() < faults.reply_late
        delay_s = chance.uniform(0, LATE_SECONDS) if late else 0.001
        world.loop.call_later(delay_s, resolve, answer, reply)


def resolve(answer: "asyncio.Future[bytes]", reply: bytes) -> None:
    if not answer.done():
        answer.set_result(reply)


def give_up(answer: "asyncio.Future[bytes]", subject: str) -> None:
    if not answer.done():
        answer.set_exception(BrokerUnavailable(f"{subject}: no answer"))


class SimBroker(StreamsOfNode):
    """The whole `Broker` port of one node."""

    async def request(self, subject: str, data: bytes, timeout: float) -> bytes:
        node, world = self._node, self._world
        if node.stopped:
            await node.gate()
        faults, chance = world.faults, world.chance
        if world.is_away("broker", node):
            await world.loop.pause(0.05)
            raise BrokerUnavailable("away")
        answer: asyncio.Future[bytes] = world.loop.create_future()
        if not world.network.servers(subject):
            await world.loop.pause(0.002)
            raise NoResponders(subject)
        late = chance.random() < faults.request_late
        delay_s = chance.uniform(0, LATE_SECONDS) if late else 0.0005 + 0.001 * chance.random()
        if chance.random() >= faults.request_lost:
            world.network.hand_over(subject, data, answer, delay_s)
        if faults.request_doubled and chance.random() < faults.request_doubled:
            again_s = chance.uniform(0, AGAIN_SECONDS)
            world.network.hand_over(subject, data, answer, delay_s + again_s)
        timer = world.loop.call_later(timeout, give_up, answer, subject)
        reply = await answer
        timer.cancel()
        if node.stopped:
            await node.gate()
        return reply
