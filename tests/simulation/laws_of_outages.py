"""The law that players never pay for downtime, as only the simulator can judge it.

It sees from outside when somebody could act at a table: when a process that lives, is awake, has
the line and its lease, reaches the store, and is reached by the gateway. Whenever the clock ends
a turn, the player must have had the whole time to act beside all outages.

An outage of up to GAP_MS may go by unseen: a pulse beats once a second, and a process that was
frozen, or an engine that was away between two beats, looks like one that was slow. It counts as
time in which one could act. The moments of commits are those of their owners' clocks: each of
the four that meet in one credit may be off, and so may those between which the law counts.
"""

from typing import TYPE_CHECKING, Any

from shared.contracts import hand as hands
from shared.runtime.ports import Line
from shared.runtime.pulse import GAP_MS

if TYPE_CHECKING:
    from tests.simulation.node import Node
    from tests.simulation.world import World

LAW = "the clock acts for nobody who could not act"
LOOK_SECONDS = 0.1
INEXACT_MS = 2 * round(LOOK_SECONDS * 1000)
CLOCKS = 4


class OutageLaws:
    """When each table line was out of everybody's reach, and who had to decide meanwhile."""

    def __init__(self, world: "World") -> None:
        self._world = world
        self._lines = [line for line in world.disks if line.service == "table"]
        self._down: dict[Line, int] = {}
        self._outages: dict[Line, list[tuple[int, int]]] = {line: [] for line in self._lines}
        self._turns: dict[str, tuple[int, int]] = {}
        self._inexact_ms = INEXACT_MS + CLOCKS * 2 * world.weather.skew_ms

    def look(self) -> None:
        """Look, again and again, at which line nobody can act."""
        now_ms = self._world.true_ms
        for line in self._lines:
            if not any(self._serves(s.node, line) for s in self._servers(line)):
                self._down.setdefault(line, now_ms)
            elif line in self._down:
                self._outages[line].append((self._down.pop(line), now_ms))
        self._world.loop.call_later(LOOK_SECONDS, self.look)

    def _servers(self, line: Line) -> Any:
        return self._world.network.servers(line.request("fold"))

    def _serves(self, node: "Node", line: Line) -> bool:
        world = self._world
        if node.stopped or world.is_cut_off(node) or world.is_away("store", node):
            return False
        return node.leases is None or node.leases.fresh(line)

    def see(self, line: Line, stream: str, event: Any, at_ms: int) -> None:
        """Note whose turn it is, and judge the clock that ends one."""
        if type(event) is hands.TurnStarted:
            self._turns[stream] = (at_ms, event.act_by_ms - at_ms)
        elif getattr(event, "auto", "") == "clock" and stream in self._turns:
            began_ms, action_ms = self._turns.pop(stream)
            had_ms = at_ms - began_ms - self._lost(line, began_ms, at_ms)
            if had_ms < action_ms - self._inexact_ms:
                what = f"{stream}: {had_ms} of {action_ms} ms, {self._outages[line][-3:]}"
                self._world.loop.broken(LAW, what)

    def _lost(self, line: Line, from_ms: int, to_ms: int) -> int:
        """How long nobody could act between two moments."""
        outages = self._outages[line]
        if line in self._down:
            outages = [*outages, (self._down[line], self._world.true_ms)]
        return sum(
            max(min(up_ms, to_ms) - max(down_ms, from_ms), 0)
            for down_ms, up_ms in outages
            if up_ms - down_ms > GAP_MS
        )
