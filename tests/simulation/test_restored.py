"""A database that was restored alone, in calm weather: who has read further stops and says so.

The operator restores all to one moment then, and the tournament is played to its end from there.
"""

from typing import Any

import pytest

from shared.runtime.follow import Follower
from tests.simulation.backups import LAW, Backups
from tests.simulation.faults import NONE, Weather
from tests.simulation.guards import trusted
from tests.simulation.loop import Broken
from tests.simulation.world import World

SEEDS = range(1, 16)
CALM = Weather(faults=NONE, accidents=("restored_alone",), pause_s=1.5, skew_ms=0, shuffle=False)


class Seen:
    """How restores went in some worlds: which lines had stopped, and what was kept."""

    def __init__(self) -> None:
        self.stopped: set[str] = set()
        self.restored = 0

    def restore_all(self, backups: Backups) -> None:
        """Restore, and see that nothing but what the backup has is left."""
        world, backup = backups._world, backups._used
        self.stopped |= {
            why.split(": ", 1)[1].split(" (", 1)[0]
            for node in world.nodes
            if not node.dead
            for what, why in node.health.reasons().items()
            if what.startswith("follow ") and why.startswith("stopped:")
        }
        RESTORE_ALL(backups)
        self.restored += 1
        for line, disk in world.disks.items():
            assert disk.rows == backup.disks[line].rows
            assert disk.positions == backup.disks[line].positions
        assert world.used_decks.decks == backup.used_decks.decks


RESTORE_ALL = Backups._restore_all


@pytest.fixture
def seen(monkeypatch: pytest.MonkeyPatch) -> Seen:
    seen = Seen()

    def restore_all(backups: Backups) -> None:
        seen.restore_all(backups)

    monkeypatch.setattr(Backups, "_restore_all", restore_all)
    return seen


def test_who_has_read_further_stops_and_after_the_restore_all_is_played_to_its_end(seen):
    for seed in SEEDS:
        assert World(seed, weather=CALM).play()
    assert seen.restored > 5
    assert any("which was read before" in why for why in seen.stopped), seen.stopped


def test_who_does_not_look_reads_on_from_another_log(monkeypatch):
    monkeypatch.setattr(Follower, "_verify", trusted)
    laws: list[Any] = []
    for seed in range(1, 100):
        try:
            World(seed, weather=CALM).play()
        except Broken as broken:
            laws.append(broken.law)
        if LAW in laws:
            return
    pytest.fail(f"only {laws} were broken")
