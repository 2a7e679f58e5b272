"""A database that is restored alone, from an older backup; and the operator who mends it.

All services stand still for it, but the databases of the others stay as they are. Whoever has
read further in that log than it goes now must notice, and take in nothing from there. What the
line decides until then contradicts the others, and no other law can hold. Then the operator does
what `deploy/runbooks/backup-and-restore.md` says: all databases to one moment, an empty NATS. What
was committed after that moment has never happened; from there on every law holds again.
"""

from collections import deque
from collections.abc import Sequence
from random import Random
from typing import TYPE_CHECKING, NamedTuple

from shared.contracts.commit import hash_of
from shared.contracts.edge import LogRow
from shared.runtime.ports import Advance, Line, Position
from tests.person_keys import KeysInMemory
from tests.simulation.store import Disk
from tests.used_decks import DecksInMemory

if TYPE_CHECKING:
    from collections.abc import Mapping

    from tests.simulation.world import World

Transaction = tuple[Line, Sequence[LogRow]]

LAW = "who has read what is no more takes in nothing from there"
KEPT = 3
EVERY_SECONDS = (0.1, 1.0)
FIRST_SECONDS = (0.3, 4.0)
LOOK_SECONDS = 0.5
STOPS_SECONDS = 10.0
REACTS_SECONDS = 3.0
CONTRADICTIONS = {"line_stopped", "fact_parked", "question_refused", "answer_declined"}
"""What services may say as long as one database contradicts the others."""


class Backup(NamedTuple):
    """All that is durable at one moment, and how many transactions had been made by then."""

    transactions: int
    disks: dict[Line, Disk]
    used_decks: DecksInMemory
    person_keys: KeysInMemory


class Backups:
    """Backups of all databases together, and what becomes of them."""

    def __init__(self, world: "World", chance: Random) -> None:
        self.restored: Line | None = None
        self.wanted = "restored_alone" in world.weather.accidents
        self._world = world
        self._chance = chance
        self._kept: deque[Backup] = deque(maxlen=KEPT)
        self._used = Backup(0, {}, world.used_decks, world.person_keys)
        self._made: list[Transaction] = []
        self._excusing: set[str] = set()

    def note(self, line: Line, rows: Sequence[LogRow]) -> None:
        """A transaction has become durable."""
        if self.wanted:
            self._made.append((line, rows))

    def begin(self) -> None:
        """Take backups from now on, where one will be needed: once at least."""
        if self.wanted:
            self._take()
            self._world.loop.call_later(self._chance.uniform(*FIRST_SECONDS), self.restore_alone)

    def end(self) -> None:
        """No more trouble: nobody will need another one."""
        self.wanted = False

    def _take(self) -> None:
        """Take a backup now and then."""
        if not self.wanted:
            return
        world = self._world
        if self.restored is None:
            disks = {line: disk.copied() for line, disk in world.disks.items()}
            beside = world.used_decks.copied(), world.person_keys.copied()
            self._kept.append(Backup(len(self._made), disks, *beside))
        world.loop.call_later(self._chance.uniform(*EVERY_SECONDS), self._take)

    # --- the accident -------------------------------------------------------------------------

    def restore_alone(self) -> None:
        """One line goes back, with an empty stream, while others have read further."""
        if self.restored is not None or not (self.wanted and self._kept):
            return
        self._used = self._chance.choice(self._kept)
        lines = [line for line in self._world.disks if self._was_read_beyond(line)]
        if lines:
            self._contradict(self._chance.choice(lines))

    def _was_read_beyond(self, line: Line) -> bool:
        end = len(self._used.disks[line].rows)
        reached = [disk.positions.get(str(line)) for disk in self._world.disks.values()]
        return any(position is not None and position.reached > end for position in reached)

    def _contradict(self, line: Line) -> None:
        world = self._world
        world.loop.note("restored alone", str(line), len(self._used.disks[line].rows))
        self.restored = line
        self._excusing = CONTRADICTIONS - world.excused
        world.excused |= self._excusing
        world.end_all()
        world.disks[line] = self._used.disks[line].copied()
        if line in world.streams.by_line:
            world.streams.delete(line)
        world.crowd.go()
        world.show_again()
        world.start_all()
        world.crowd.come_again()
        self.operator = world.loop.create_task(self._mend())

    def judge(self, advances: Sequence[Advance], before: "Mapping[str, Position]") -> None:
        """Nobody reads on in the restored log from where it does not reach, or is another."""
        for advance in advances:
            stood = before.get(advance.upstream)
            if advance.upstream != str(self.restored) or stood is None or not stood.reached:
                continue
            rows = self._world.disks[self.restored].rows[stood.reached - 1 : stood.reached]
            if not rows or hash_of(rows[0].data) != stood.last_hash:
                self._world.loop.broken(LAW, f"{advance}, the log has {len(rows)} of them")

    # --- the operator -------------------------------------------------------------------------

    async def _mend(self) -> None:
        """See that a line has stopped, look at the runbook, and restore all to one moment."""
        loop = self._world.loop
        give_up_at = loop.now + STOPS_SECONDS
        while not self._anything_stopped() and loop.now < give_up_at:
            await loop.pause(LOOK_SECONDS)
        await loop.pause(self._chance.uniform(0, REACTS_SECONDS))
        self._restore_all()

    def _anything_stopped(self) -> bool:
        return any(
            why.startswith("stopped:")
            for node in self._world.nodes
            if not node.dead
            for why in node.health.reasons().values()
        )

    def _restore_all(self) -> None:
        """Everything goes back to the moment of the backup, and all begins from there."""
        world = self._world
        world.loop.note("restored", self._used.transactions)
        world.end_all()
        world.disks = {line: disk.copied() for line, disk in self._used.disks.items()}
        world.used_decks = self._used.used_decks.copied()
        world.person_keys = self._used.person_keys.copied()
        world.lose_broker()
        world.crowd.go()
        del self._made[self._used.transactions :]
        self._kept.clear()
        self.restored = None
        world.excused -= self._excusing
        world.see_again(self._made)
        world.start_all()
        world.crowd.come_again()
