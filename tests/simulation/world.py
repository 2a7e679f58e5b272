"""The whole platform in one process: real services on simulated ports, one seed, no real time.

A world plays a tournament, or several, in bad weather, heals, and must then come to rest with
every law kept and every verdict true.
"""

import asyncio
from collections.abc import Iterable, Mapping, Sequence
from random import Random

from shared.contracts.commit import moment_ms
from shared.contracts.edge import LogRow
from shared.runtime.ports import Advance, Line, Position
from tests.person_keys import KeysInMemory
from tests.simulation import loop as loops, shortcuts
from tests.simulation.backups import Backups, Transaction
from tests.simulation.broker import Stream, Streams
from tests.simulation.customers import settle
from tests.simulation.ending import Ends, at_rest, judged, leaks, remembered
from tests.simulation.faults import NONE, Faults, Weather, drawn
from tests.simulation.flaws import mend
from tests.simulation.gateways import Gateways
from tests.simulation.hearing import heard
from tests.simulation.laws import Arrived, Committed, Laws, decode
from tests.simulation.laws_of_outages import OutageLaws
from tests.simulation.loop import START_MS, Broken, SimLoop
from tests.simulation.network import Network, Server
from tests.simulation.node import Node
from tests.simulation.players import Crowd
from tests.simulation.registry import Buckets
from tests.simulation.store import Disk
from tests.simulation.terms import Size, drawn_terms, for_beginners
from tests.simulation.trouble import DECIDING, Trouble
from tests.simulation.turns import Turns
from tests.used_decks import DecksInMemory

SHARDS = {"table": 2, "director": 1, "dealer": 1, "wallet": 1, "ranking": 1}
SHARDS_IN_SERIES = {**SHARDS, "director": 2}
TROUBLE_SECONDS = (1.5, 2.0, 2.5, 3.0, 3.0, 4.0, 4.0, 5.0, 6.0, 12.0)
SLOW_SECONDS = 20.0
NOTHING_NEW_SECONDS = 30.0
HEALING_SECONDS = {
    "small": 120.0,
    "staged": 180.0,
    "double": 240.0,
    "rebuys": 600.0,
    "series": 600.0,
    "whole": 10_000.0,
}
OF_THE_RUNTIME = {"log", "stream", "inbox", "inbox-retry"}
STOP_SECONDS = 12.0
NOWHERE: Mapping[str, Position] = {}
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
        self.deciding = (*DECIDING, "ranking") if self.weather.ranked else DECIDING
        shards = SHARDS_IN_SERIES if size == "series" else SHARDS
        self.shards = {name: count for name, count in shards.items() if name in self.deciding}
        self.disks = {
            Line(service, number): Disk(Line(service, number))
            for service, count in self.shards.items()
            for number in range(count)
        }
        self.used_decks = DecksInMemory()
        self.person_keys = KeysInMemory()
        self.streams = Streams()
        self.network = Network(self)
        self.buckets = Buckets()
        self.nodes: list[Node] = []
        self.away: set[tuple[str, Node | None]] = set()
        self.deleted: set[tuple[Line, int]] = set()
        self.replies: list[tuple[Line, bytes]] = []
        self.turns, self.laws, self.ends = self._nothing_seen()
        self.outages = OutageLaws(self)
        self.last_commit = 0.0
        self.healed = False
        self.excused = {"fact_parked"} if "flawed_build" in self.weather.accidents else set()
        self.backups = Backups(self, Random(f"{seed}/backups"))
        self.trouble = Trouble(self, Random(f"{seed}/trouble"))
        self.gateways = Gateways(self, Random(f"{seed}/gateways"))
        self.desk = Node(self, "gateway", "desk", self.drawn_skew())
        terms = drawn_terms(Random(f"{seed}/terms"), size, patient=self.weather.gateways > 1)
        if self.weather.ranked:
            terms = for_beginners(Random(f"{seed}/range"), terms)
        self.crowd = Crowd(self, self.desk.asking.command_id, terms)
        if not self.weather.strangers:
            settle(self)

    # --- from the first command to rest -------------------------------------------------------

    def play(self) -> str:
        """Live through it; return the trace, or raise Broken."""
        with heard(self.loop, self.excused), shortcuts.taken():
            return loops.run(self.loop, self._main())

    async def _main(self) -> str:
        self.start_all()
        self.outages.look()
        self.crowd.begin()
        self.backups.begin()
        self.trouble.begin()
        if "flawed_build" in self.weather.accidents:
            self.operator = self.loop.create_task(mend(self))
        slow = self.weather.thoughtful or self.weather.gateways > 1
        lasts_s = SLOW_SECONDS if slow else self.chance.choice(TROUBLE_SECONDS)
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
        self.healed = True
        self.faults = NONE
        self.backups.end()
        self.trouble.end()

    # --- processes ----------------------------------------------------------------------------

    def start_all(self) -> None:
        """Start one process of each service, and the gateways."""
        for service in self.deciding:
            self.spawn(service)
        self.gateways.open()

    def end_all(self) -> None:
        """Stop all processes, the gateways too, and wait until nothing of them is left."""
        for node in self.nodes:
            node.end()
        self.gateways.end_all()

    def lose_broker(self) -> None:
        """There is an empty one instead."""
        self.network.lose()
        self.streams.lose()
        self.buckets.lose()
        self.gateways.attended.lose()
        self.deleted.clear()

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

    # --- what is seen -------------------------------------------------------------------------

    def committed(
        self,
        line: Line,
        rows: Sequence[LogRow],
        advances: Sequence[Advance],
        before: Mapping[str, Position],
    ) -> None:
        """A transaction has become durable."""
        self.last_commit = self.loop.now if rows else self.last_commit
        name = str(line)
        for row in rows:
            self.loop.note("commit", name, row.number, data=row.data)
        if self.weather.gateways > 1:
            self.gateways.see(line, rows)
        if self.backups.restored is None:
            self.backups.note(line, rows)
            commits = self.see(line, rows, advances, before)
        else:
            self.backups.judge(advances, before)
            commits = [decode(row.data) for row in rows]
            self._show(commits)
        for commit in commits:
            self.crowd.act(commit.stream, commit.events)

    def see(
        self,
        line: Line,
        rows: Sequence[LogRow],
        advances: Sequence[Advance] = (),
        before: Mapping[str, Position] = NOWHERE,
    ) -> list[Committed]:
        """Let everybody see one transaction, the laws first; return its commits."""
        commits = self.laws.committed(line, rows, advances, before)
        self._show(commits)
        for commit in commits:
            self.ends.see(commit.events)
            if line.service == "table":
                self.outages.see(line, commit.stream, commit.events, moment_ms(commit.at))
        return commits

    def _show(self, commits: Sequence[Committed]) -> None:
        """Let players see commits."""
        for commit in commits:
            self.crowd.see(commit.stream, commit.events)
            self.turns.see(commit.stream, commit.events)

    def _nothing_seen(self) -> tuple[Turns, Laws, Ends]:
        turns = Turns()
        return turns, Laws(self.loop, self.disks, turns), Ends()

    def see_again(self, transactions: Iterable[Transaction]) -> None:
        """Forget what was seen, and see this instead: all that has happened."""
        self.turns, self.laws, self.ends = self._nothing_seen()
        self.replies.clear()
        self.outages.forget()
        for line, rows in transactions:
            self.see(line, rows)

    def show_again(self) -> None:
        """Let players forget what they saw, and see all that is in the logs now."""
        self.turns = Turns()
        for disk in self.disks.values():
            self._show([decode(row.data) for row in disk.rows])

    def published(self, line: Line, stream: Stream, count: int) -> None:
        first = len(stream.kept) - count + 1
        self.loop.note("published", str(line), first, count)
        if self.backups.restored is None:
            self.laws.published(line, first, stream.kept[first - 1 :])

    def arrived(self, server: Server, data: bytes) -> Arrived | None:
        """A request has reached a server."""
        if server.verb in OF_THE_RUNTIME or self.backups.restored is not None:
            return None
        return self.laws.arrived(server.line, data)

    def replied(self, server: Server, arrived: Arrived | None, reply: bytes) -> None:
        if arrived is None:
            self.loop.hash("reply", server.node.name, server.verb, data=reply)
        else:
            self.loop.note("reply", server.node.name, server.verb, data=reply)
            self.laws.replied(server.line, arrived, reply)
            self.replies.append((server.line, reply))

    def fell(self, who: str, error: BaseException) -> None:
        self.loop.broken("nothing falls", f"{who}: {error!r}")
