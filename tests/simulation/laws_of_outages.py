"""The law that players never pay for downtime, as only the simulator can judge it.

It sees from outside when somebody could act at a table: when a process that lives, is awake and
whose clock is right has the line and its lease, reaches the store, and is reached by a gateway
with which the player is. Whenever the clock ends a turn, the player must have had the whole time
to act beside all outages; and there must have been a gateway at the end of it.

An outage of up to GAP_MS may go by unseen: a pulse beats once a second, and a process that was
frozen, or an engine that was away between two beats, looks like one that was slow. It counts as
time in which one could act. The moments of commits are those of their owners' clocks: each of
the four that meet in one credit may be off, and so may those between which the law counts.
"""

from collections.abc import Iterable
from typing import TYPE_CHECKING, Any

from shared.contracts import hand as hands
from shared.runtime.ports import Line
from shared.runtime.pulse import GAP_MS
from tests.simulation.faults import ATTENDANCE_LOST
from tests.simulation.network import LATE_SECONDS

if TYPE_CHECKING:
    from tests.simulation.node import Node
    from tests.simulation.world import World

LAW = "the clock acts for nobody who could not act"
REACHED = "no clock runs out while there is no gateway"
LOOK_SECONDS = 0.1
INEXACT_MS = 2 * round(LOOK_SECONDS * 1000)
CLOCKS = 4
ASKED_MS = 1_000  # Until a gateway asks for what a player of another one has lost since.
HEARD_MS = 500
Stretch = tuple[int, int]


class OutageLaws:
    """When each table line was out of everybody's reach, and who had to decide meanwhile."""

    def __init__(self, world: "World") -> None:
        self._world = world
        self._lines = [line for line in world.disks if line.service == "table"]
        self._subjects = {line: line.request("fold") for line in self._lines}
        self._down: dict[Line, int] = {}
        self._outages: dict[Line, list[Stretch]] = {line: [] for line in self._lines}
        self._unserved_since: int | None = None
        self._players: dict[tuple[str, int], str] = {}
        self._turns: dict[str, tuple[int, int, str]] = {}
        self._skews_ms = CLOCKS * 2 * world.weather.skew_ms
        self._inexact_ms = INEXACT_MS + self._skews_ms + self._help_takes_ms()

    def _help_takes_ms(self) -> int:
        """How late the last of what a player has lost may be asked for, where others play on."""
        weather, faults = self._world.weather, self._world.weather.faults
        if weather.gateways == 1:
            return 0
        slow = faults.request_lost or faults.request_late or faults.reply_lost or faults.store_slow
        return ASKED_MS + (2 * round(LATE_SECONDS * 1000) if slow else 0)

    def forget(self) -> None:
        """What was seen so far has not happened."""
        self._turns.clear()

    def look(self) -> None:
        """Look, again and again, at which line nobody can act."""
        now_ms = self._world.true_ms
        served = self._world.gateways.serve()
        if served:
            self._unserved_since = None
        elif self._unserved_since is None:
            self._unserved_since = now_ms
        for line in self._lines:
            if not (served and self._is_served(line)):
                self._down.setdefault(line, now_ms)
            elif line in self._down:
                self._outages[line].append((self._down.pop(line), now_ms))
        self._world.loop.call_later(LOOK_SECONDS, self.look)

    def _is_served(self, line: Line) -> bool:
        for server in self._world.network.servers(self._subjects[line]):
            if self._serves(server.node, line):
                return True
        return False

    def _serves(self, node: "Node", line: Line) -> bool:
        """Whether a node that requests reach can do anything for them."""
        if node.stopped or node.clock.off_ms or self._world.is_away("store", node):
            return False
        return node.leases is None or node.leases.fresh(line)

    def see(self, line: Line, stream: str, events: Iterable[Any], at_ms: int) -> None:
        """Note whose turn it is, and judge the clock that ends one."""
        for event in events:
            kind = type(event)
            if kind is hands.HandStarted:
                self._players |= {(stream, seat.seat): seat.player for seat in event.seats}
            elif kind is hands.TurnStarted:
                self._began(stream, event, at_ms)
            elif stream in self._turns and getattr(event, "auto", "") == "clock":
                self._judge(line, stream, at_ms)

    def _began(self, stream: str, event: hands.TurnStarted, at_ms: int) -> None:
        """A turn whose first moment is nobody's true time cannot be judged."""
        self._turns.pop(stream, None)
        if abs(at_ms - self._world.true_ms) <= INEXACT_MS + self._skews_ms:
            player = self._players[stream, event.seat]
            self._turns[stream] = (at_ms, event.act_by_ms - at_ms, player)

    def _judge(self, line: Line, stream: str, at_ms: int) -> None:
        began_ms, action_ms, player = self._turns.pop(stream)
        lost_ms = self._lost(line, player, began_ms, at_ms)
        had_ms = at_ms - began_ms - lost_ms
        if had_ms < action_ms - self._inexact_ms:
            what = f"{stream} {player}: {had_ms} of {action_ms} ms, {self._outages[line][-3:]}"
            self._world.loop.broken(LAW, what)
        since_ms = None if self._world.gateways.serve() else self._unserved_since
        if since_ms and since_ms + self._inexact_ms + HEARD_MS < began_ms + action_ms:
            self._world.loop.broken(REACHED, f"{stream} {player} at {at_ms}, none since {since_ms}")

    def _lost(self, line: Line, player: str, from_ms: int, to_ms: int) -> int:
        """How long somebody could not act between two moments."""
        lost = self._outages[line]
        if line in self._down:
            lost = [*lost, (self._down[line], self._world.true_ms)]
        if not ATTENDANCE_LOST.intersection(self._world.weather.accidents):
            lost = [*lost, *self._world.gateways.away(player)]
        within = [
            (max(down_ms, from_ms), min(up_ms, to_ms))
            for down_ms, up_ms in lost
            if up_ms - down_ms > GAP_MS and down_ms < to_ms and up_ms > from_ms
        ]
        return length(within)


def length(stretches: Iterable[Stretch]) -> int:
    """How long these stretches last together, each moment counted once."""
    total, reached = 0, 0
    for down_ms, up_ms in sorted(stretches):
        total += max(up_ms - max(down_ms, reached), 0)
        reached = max(reached, up_ms)
    return total
