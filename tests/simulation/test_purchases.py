"""Rebuys and add-ons in simulated worlds: bought once, paid once, whatever breaks meanwhile."""

from collections import Counter
from typing import Any

import pytest

from services.cli.verdicts.history import history_of
from shared.contracts.director import (
    ChipsAssigned,
    EntriesClosed,
    PlayerBusted,
    RebuyGranted,
    RebuyLapsed,
    RebuyOffered,
)
from shared.contracts.table import ChipsAdded
from tests.simulation.test_tournament import CALM, lived
from tests.simulation.world import World

SEEDS = range(1, 31)
NEEDED = (
    RebuyOffered,
    RebuyGranted,
    RebuyLapsed,
    PlayerBusted,
    ChipsAssigned,
    ChipsAdded,
    EntriesClosed,
)


def events_of(world: World) -> list[Any]:
    """Return what director and tables have recorded."""
    history = history_of({line: disk.rows for line, disk in world.disks.items()})
    return [fact.event for service in ("director", "table") for fact in history.of(service)]


def test_in_calm_weather_all_that_was_bought_is_won():
    """BH-REBUY."""
    world = lived(World(2, "rebuys", CALM))
    (places,) = world.ends.places.values()
    granted = [event for event in events_of(world) if isinstance(event, RebuyGranted)]
    assert granted
    prizes = sum(placing.prize_cents for placing in places)
    assert prizes == 4 * 1_000 + sum(event.fee_cents for event in granted)


@pytest.mark.parametrize("seed", SEEDS)
def test_in_any_weather_purchases_keep_every_law(seed: int):
    """BH-REBUY."""
    lived(World(seed, "rebuys"))


def test_these_worlds_see_everything_that_is_bought():
    seen: Counter[type] = Counter()
    for seed in SEEDS[:12]:
        seen.update(type(event) for event in events_of(lived(World(seed, "rebuys"))))
    assert not [kind for kind in NEEDED if not seen[kind]]
