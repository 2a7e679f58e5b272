"""The whole platform in one process: real services on simulated ports, one seed, no real time.

A world plays one tournament in bad weather, heals, and must then come to rest with every law
kept and every verdict true.
"""

import asyncio
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from functools import lru_cache
from random import Random
from unittest.mock import patch

import msgspec

from services.dealer.shell import dealing, sealing
from shared.contracts.commit import moment_ms
from shared.contracts.edge import LogRow
from shared.runtime.ports import Advance, Line, Position
from tests.simulation import loop as loops
from tests.simulation.broker import Stream, Streams
from tests.simulation.ending import Ends, at_rest, judged, leaks, remembered
from tests.simulation.faults import NONE, Faults, Weather, drawn
from tests.simulation.flaws import mend
from tests.simulation.gateways import Gateways
from tests.simulation.hearing import heard
from tests.simulation.laws import Arrived, Laws
from tests.simulation.laws_of_outages import OutageLaws
from tests.simulation.loop import START_MS, Broken, LastFact, SimLoop
from tests.simulation.network import Network, Server
from tests.simulation.node import Node
from tests.simulation.players import Crowd
from tests.simulation.registry import Buckets
from tests.simulation.store import Disk
from tests.simulation.terms import Size, drawn_terms
from tests.simulation.trouble import DECIDING, Trouble
from tests.used_decks import DecksInMemory

SHARDS = {"table": 2, "director": 1, "dealer": 1, "wallet": 1}
TROUBLE_SECONDS = (2.0, 3.0, 3.0, 4.0, 4.0, 5.0, 6.0, 6.0, 8.0, 25.0)
NOTHING_NEW_SECONDS = 30.0
HEALING_SECONDS = {"small": 120.0, "double": 240.0, "whole": 10_000.0}
OF_THE_RUNTIME = {"log", "stream", "inbox", "inbox-retry"}
STOP_SECONDS = 12.0
LOOK_SECONDS = 0.2
THOROUGH_EVERY = 15


class World:
    """Everything there is, and what happens to it."""

    def __init__(self, seed: int, size: Size = "small", weather: Weather | None = None) -> None:
        self.seed = seed
        self.size = size
        self.chance = Random(f"{seed}/world")
        self.weather = weather or drawn(Random(f"{seed}/weather"))
        self.faults: Faults = self.weather.faults
        self.loop = SimLoop(str(seed), shuffle=self.weather.shuffle)
        self.shards = SHARDS
        self.disks = {
            Line(service, number): Disk(Line(service, number))
            for service, count in SHARDS.items()
            for number in range(count)
        }
        self.used_decks = DecksInMemory()
        self.streams = Streams()
        self.network = Network(self)
        self.buckets = Buckets()
        self.nodes: list[Node] = []
        self.away: set[tuple[str, Node | None]] = set()
        self.deleted: set[tuple[Line, int]] = set()
        self.replies: list[tuple[Line, bytes]] = []
        self.laws = Laws(self.loop, {line: disk.rows for line, disk in self.disks.items()})
        self.outages = OutageLaws(self)
        self.ends = Ends()
        self.last_commit = 0.0
        self.trouble = Trouble(self, Random(f"{seed}/trouble"))
        self.gateways = Gateways(self, Random(f"{seed}/gateways"))
        self.desk = Node(self, "gateway", "desk", self.drawn_skew())
        terms = drawn_terms(Random(f"{seed}/terms"), size, patient=self.weather.gateways > 1)
        self.crowd = Crowd(self, self.desk.asking.command_id, terms)

    # --- from the first command to rest -------------------------------------------------------

    def play(self) -> str:
        """Live through it; return the trace, or raise Broken."""
        excused = {"fact_parked"} if "flawed_build" in self.weather.accidents else set()
        with heard(self.loop, excused), decks_remembered():
            return loops.run(self.loop, self._main())

    async def _main(self) -> str:
        for service in DECIDING:
            self.spawn(service)
        self.gateways.open()
        self.outages.look()
        self.crowd.begin()
        self.trouble.begin()
        if "flawed_build" in self.weather.accidents:
            self.operator = self.loop.create_task(mend(self))
        lasts_s = self.chance.choice(TROUBLE_SECONDS)
        if self.weather.thoughtful or self.weather.gateways > 1:
            lasts_s = TROUBLE_SECONDS[-1]
        healing_at = self.loop.now + lasts_s
        while self.loop.now < healing_at and at_rest(self):
            await self.loop.pause(LOOK_SECONDS)
        self.heal()
        self.last_commit = self.loop.now
        give_up_at = self.loop.now + HEALING_SECONDS[self.size]
        while waits := at_rest(self):
            if self.loop.now > min(self.last_commit + NOTHING_NEW_SECONDS, give_up_at):
                raise Broken("after healing everything ends", "; ".join(waits))
            await self.loop.pause(LOOK_SECONDS)
        judged(self)
        if self.seed % THOROUGH_EVERY == 0:
            remembered(self)
            leaks(self)
        return self.loop.trace

    def heal(self) -> None:
        self.loop.note("healing")
        self.faults = NONE
        self.trouble.end()

    # --- processes ----------------------------------------------------------------------------

    def spawn(self, service: str, *, flaw: Random | None = None) -> Node:
        """Start a process of a service, of a good build or of a flawed one."""
        name = f"{service}/{len(self.nodes)}"
        self.loop.note("started", name, "flawed" if flaw else "")
        node = Node(self, service, name, self.drawn_skew(), flaw=flaw)
        self.nodes.append(node)
        node.start()
        return node

    def kill(self, node: Node) -> None:
        self.loop.note("killed", node.name)
        node.crash()

    def stop(self, node: Node) -> None:
        """Tell a process to end; it must do so in time, whatever is away."""
        self.loop.note("told to stop", node.name)
        stopping = self.loop.create_task(node.drain())
        stopping.add_done_callback(self._stopped)
        self.loop.call_later(STOP_SECONDS, self._must_be_dead, node)

    def _stopped(self, stopping: "asyncio.Task[None]") -> None:
        if not stopping.cancelled() and (error := stopping.exception()) is not None:
            self.fell("a stopping process", error)

    def _must_be_dead(self, node: Node) -> None:
        if not node.dead:
            self.loop.broken("a process that is told to stop ends", node.name)

    def living(self, service: str) -> list[Node]:
        return [
            node
            for node in self.nodes
            if node.service == service and not (node.dead or node.draining)
        ]

    @property
    def true_ms(self) -> int:
        """What a clock that is right says."""
        return START_MS + int(self.loop.now * 1000)

    def drawn_skew(self) -> int:
        return self.chance.randint(-self.weather.skew_ms, self.weather.skew_ms)

    def is_away(self, what: str, node: Node) -> bool:
        """Whether this node cannot reach the store or the broker now."""
        return bool(self.away) and ((what, None) in self.away or (what, node) in self.away)

    def is_cut_off(self, node: Node) -> bool:
        """Whether no request of a gateway can come to this node now."""
        return self.is_away("broker", node) or not self.gateways.serve()

    # --- what is seen -------------------------------------------------------------------------

    def committed(
        self,
        line: Line,
        rows: Sequence[LogRow],
        advances: Sequence[Advance],
        before: Mapping[str, Position],
    ) -> None:
        """A transaction has become durable."""
        commits = self.laws.committed(line, rows, advances, before)
        self.last_commit = self.loop.now if rows else self.last_commit
        for row, commit in zip(rows, commits, strict=True):
            self.loop.note("commit", str(line), row.number, data=row.data)
            self.crowd.see(row.stream, commit.events)
            self.gateways.see(line, row)
            for event in commit.events:
                self.ends.see(event)
                if line.service == "table":
                    self.outages.see(line, row.stream, event, moment_ms(commit.at))

    def published(self, line: Line, stream: Stream, count: int) -> None:
        first = len(stream.kept) - count + 1
        self.loop.note("published", str(line), first, count)
        self.laws.published(line, first, stream.kept[first - 1 :])

    def arrived(self, server: Server, data: bytes) -> Arrived | None:
        """A request has reached a server."""
        return None if server.verb in OF_THE_RUNTIME else self.laws.arrived(server.line, data)

    def replied(self, server: Server, data: bytes, arrived: Arrived | None, reply: bytes) -> None:
        if arrived is None:
            self.loop.hash("reply", server.node.name, server.verb, data=reply)
        else:
            self.loop.note("reply", server.node.name, server.verb, data=reply)
            self.laws.replied(server.line, data, arrived, reply)
            self.replies.append((server.line, reply))

    def fell(self, who: str, error: BaseException) -> None:
        self.loop.broken("nothing falls", f"{who}: {error!r}")


@contextmanager
def decks_remembered() -> Iterator[None]:
    """Complete and unseal each deck once: the same bytes always make the same deck."""
    with (
        patch.object(sealing, "deck_of", lru_cache(sealing.deck_of)),
        patch.object(dealing, "unseal_deck", lru_cache(sealing.unseal_deck)),
    ):
        yield


def told(facts: Iterable[LastFact]) -> list[str]:
    """The last facts, one line each."""
    return [
        f"{now:9.3f}  {' '.join(map(str, what))}{'  ' + line_of(data) if data else ''}"
        for now, what, data in facts
    ]


def line_of(data: bytes) -> str:
    """A commit, or an answer, as what a reader wants to know of it."""
    said = msgspec.json.decode(data)
    if "answer" in said:
        return " ".join(str(said.get(key, "")) for key in ("reason", "detail", "stream", "n"))
    events = " ".join(event["type"].split(".")[1] for event in said["events"])
    cause = " ".join(f"{key} {value}" for key, value in said["cause"].items())
    return f"{said['stream']} {said['n']}: {events} ({cause})"
