"""Accidents: processes die, freeze or double, engines go away, streams lose what they had."""

from collections.abc import Callable
from random import Random
from typing import TYPE_CHECKING

from shared.runtime.ports import Line
from tests.simulation.spoiling import spoil

if TYPE_CHECKING:
    from tests.simulation.node import Node
    from tests.simulation.world import World

DECIDING = ("wallet", "dealer", "director", "table")
AWAY_SECONDS = 2.0
SOON_SECONDS = 1.0
LONG_SECONDS = 14.0
LONG = 0.06
GATEWAY_SECONDS = (0.5, 8.0)
OFF_MS = (2_000, 6_000)
OFF_SECONDS = 6.0
LONG_OFTEN = 0.3


class Trouble:
    """Strikes again and again until it is over; what it began, it ends."""

    def __init__(self, world: "World", chance: Random) -> None:
        self._world = world
        self._chance = chance
        self._over = False
        self._accidents: dict[str, Callable[[], None]] = {
            "crash": self.crash,
            "rolling": self.rolling,
            "flawed_build": self.flawed_build,
            "second_owner": self.second_owner,
            "freeze": self.freeze,
            "clock_jump": self.clock_jump,
            "clock_off": self.clock_off,
            "gateway_lost": self.gateway_lost,
            "store_away": self.store_away,
            "broker_away": self.broker_away,
            "cut_off": self.cut_off,
            "tail_lost": self.tail_lost,
            "messages_deleted": self.messages_deleted,
            "stream_deleted": self.stream_deleted,
            "everything_lost": self.everything_lost,
            "restored_alone": world.backups.restore_alone,
            "snapshot_spoilt": self.snapshot_spoilt,
            "generator_set_back": self.generator_set_back,
        }

    def begin(self) -> None:
        """Let the first accident come; where there are snapshots that may be spoilt, one is."""
        weather = self._world.weather
        if weather.accidents:
            self._go_on()
        if weather.snapshots and "snapshot_spoilt" in weather.accidents:
            self.snapshot_spoilt()

    def _go_on(self) -> None:
        self._later(self._chance.expovariate(1 / self._world.weather.pause_s), self._strike)

    def end(self) -> None:
        """No more trouble: everything is reachable, awake and owned by somebody."""
        self._over = True
        world = self._world
        world.away.clear()
        for node in world.nodes:
            node.thaw()
            node.clock.right_again()
        for node in world.nodes:
            if node.flaw is not None and not node.dead:
                world.kill(node)
        for service in world.deciding:
            if not world.living(service):
                world.spawn(service)
        world.gateways.open()

    def _later(self, seconds: float, then: Callable[[], None]) -> None:
        self._world.loop.call_later(seconds, self._unless_over, then)

    def _unless_over(self, then: Callable[[], None]) -> None:
        if not self._over:
            then()

    def _strike(self) -> None:
        name = self._chance.choice(self._world.weather.accidents)
        self._world.loop.note("accident", name)
        self._accidents[name]()
        self._go_on()

    # --- processes ----------------------------------------------------------------------------

    def _victim(self) -> "Node | None":
        living = self._world.living(self._chance.choice(self._world.deciding))
        return self._chance.choice(living) if living else None

    def at_the_store(self, node: "Node") -> None:
        """A process may end, or stand still, between any two steps of its work."""
        faults = self._world.faults
        if self._over or node.stopped or not (faults.dies or faults.freezes):
            return
        if self._chance.random() < faults.dies:
            self._crash(node)
        elif self._chance.random() < faults.freezes:
            self._freeze(node)

    def crash(self) -> None:
        node = self._victim()
        if node is not None:
            self._crash(node)

    def _crash(self, node: "Node") -> None:
        self._world.kill(node)
        self._later(self._chance.uniform(0, SOON_SECONDS), lambda: self._replace(node.service))

    def _replace(self, service: str) -> None:
        if not self._world.living(service):
            self._world.spawn(service)

    def rolling(self) -> None:
        """A process is told to stop, and another starts before, while or after it ends."""
        node = self._victim()
        if node is not None and not node.stopped:
            self._later(self._chance.uniform(0, 0.3), lambda: self._world.spawn(node.service))
            self._later(self._chance.uniform(0, 0.3), lambda: self._stop(node))

    def _stop(self, node: "Node") -> None:
        if not (node.dead or node.draining or node.stopped):
            self._world.stop(node)

    def flawed_build(self) -> None:
        """A build goes out that falls over some facts; a while later the old one is back."""
        node = self._victim()
        if node is not None:
            self._world.kill(node)
            flawed = self._world.spawn(node.service, flaw=self._chance)
            self._later(self._chance.uniform(1.0, AWAY_SECONDS), lambda: self._roll_back(flawed))

    def _roll_back(self, flawed: "Node") -> None:
        self._world.kill(flawed)
        self._replace(flawed.service)

    def second_owner(self) -> None:
        """Two processes own the same lines; after a while one of them dies."""
        service = self._chance.choice(self._world.deciding)
        if len(self._world.living(service)) < 2:
            self._world.spawn(service)
            self._later(self._chance.uniform(0.3, AWAY_SECONDS), lambda: self._one_less(service))

    def _one_less(self, service: str) -> None:
        living = self._world.living(service)
        if len(living) > 1:
            self._world.kill(self._chance.choice(living))

    def freeze(self) -> None:
        """A process stands still; somebody may take over before it wakes, believing the past."""
        node = self._victim()
        if node is not None and not node.stopped:
            self._freeze(node)

    def _freeze(self, node: "Node") -> None:
        self._world.loop.note("frozen", node.name)
        node.freeze()
        self._later(self._chance.uniform(0.1, AWAY_SECONDS), node.thaw)
        if self._chance.random() < 0.5 and len(self._world.living(node.service)) < 2:
            self._world.spawn(node.service)

    def clock_jump(self) -> None:
        node = self._victim()
        if node is not None:
            node.clock.skew(self._world.drawn_skew())

    def clock_off(self) -> None:
        """A clock is so wrong for a while that nobody may tell time by it."""
        node = self._victim()
        if node is not None:
            node.clock.set_off(self._chance.choice((-1, 1)) * self._chance.randint(*OFF_MS))
            self._later(self._chance.uniform(0.5, OFF_SECONDS), node.clock.right_again)

    def gateway_lost(self) -> None:
        """A gateway dies with all that goes through it; after a while another one is there."""
        gateways = self._world.gateways
        if gateways.living:
            gateways.kill_one()
            self._later(self._chance.uniform(*GATEWAY_SECONDS), gateways.open)

    # --- engines ------------------------------------------------------------------------------

    def _away(self, *whats: tuple[str, "Node | None"]) -> None:
        self._world.away.update(whats)
        self._later(self._a_while(), lambda: self._world.away.difference_update(whats))

    def store_away(self) -> None:
        self._away(("store", None))

    def broker_away(self) -> None:
        self._away(("broker", None))

    def cut_off(self) -> None:
        """One process loses the store, the broker, or both."""
        node = self._victim()
        if node is not None:
            whats = self._chance.choice((("store",), ("broker",), ("store", "broker")))
            self._away(*[(what, node) for what in whats])

    def _a_while(self) -> float:
        """Mostly shorter than anybody's patience; sometimes longer than an entry waits."""
        if self._chance.random() < (LONG_OFTEN if self._world.weather.thoughtful else LONG):
            return LONG_SECONDS
        return self._chance.uniform(0.1, AWAY_SECONDS)

    # --- streams ------------------------------------------------------------------------------

    def _line(self) -> Line | None:
        lines = list(self._world.streams.by_line)
        return self._chance.choice(lines) if lines else None

    def tail_lost(self) -> None:
        line = self._line()
        if line is not None:
            self._world.streams.lose_tail(line, self._chance.randint(1, 12))

    def messages_deleted(self) -> None:
        line = self._line()
        last = len(self._world.streams.by_line[line].kept) if line is not None else 0
        if line is not None and last:
            count = self._chance.randint(1, 3)
            first = max(last - 10, 1)
            sequences = [self._chance.randint(first, last) for _ in range(count)]
            self._world.streams.delete_messages(line, sequences)
            self._world.deleted.update((line, sequence) for sequence in sequences)

    def stream_deleted(self) -> None:
        line = self._line()
        if line is not None:
            self._world.streams.delete(line)

    def everything_lost(self) -> None:
        self._world.buckets.lose()
        self._world.streams.lose()

    # --- what is kept beside the logs ---------------------------------------------------------

    def snapshot_spoilt(self) -> None:
        """A host ends in the middle of something, and what it leaves behind is read soon.

        It waits for a snapshot that has an older one.
        """
        line = spoil(self._world.disks, self._chance)
        if line is None and self._world.weather.snapshots:
            self._later(SOON_SECONDS, self.snapshot_spoilt)
        for node in self._world.living(line.service) if line else ():
            self._crash(node)

    def generator_set_back(self) -> None:
        """The machine of a dealer was restored from an image: its chance repeats itself."""
        for node in self._world.living("dealer"):
            node.entropy.set_back()
