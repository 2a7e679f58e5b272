"""Rebuys, late entries and deals in simulated worlds: paid once, whatever breaks meanwhile."""

from collections import Counter
from collections.abc import Iterator
from typing import Any

import pytest

from services.cli.verdicts.history import history_of
from shared.contracts.director import (
    ChipsAssigned,
    DealAccepted,
    DealAgreed,
    DealOffered,
    DealProposed,
    EntriesClosed,
    PlayerBusted,
    PlayerRegistered,
    RebuyGranted,
    RebuyLapsed,
    RebuyOffered,
    TournamentStarted,
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
    DealOffered,
    DealProposed,
    DealAccepted,
    DealAgreed,
    "late",
    "again",
)


def events_of(world: World) -> list[Any]:
    """Return what director and tables have recorded."""
    history = history_of({line: disk.rows for line, disk in world.disks.items()})
    return [fact.event for service in ("director", "table") for fact in history.of(service)]


def test_in_calm_weather_all_that_was_bought_is_won():
    """BH-REBUY."""
    world = lived(World(2, "rebuys", CALM))
    (places,) = world.ends.places.values()
    events = events_of(world)
    granted = [event for event in events if isinstance(event, RebuyGranted)]
    (entries,) = [event.entries for event in events if isinstance(event, EntriesClosed)]
    assert granted
    prizes = sum(placing.prize_cents for placing in places)
    assert prizes == entries * 1_000 + sum(event.fee_cents for event in granted)


@pytest.mark.parametrize("seed", SEEDS)
def test_in_any_weather_purchases_keep_every_law(seed: int):
    """BH-REBUY."""
    lived(World(seed, "rebuys"))


def test_these_worlds_see_everything_that_is_bought():
    seen: Counter[type | str] = Counter()
    for seed in SEEDS:
        events = events_of(lived(World(seed, "rebuys")))
        seen.update(type(event) for event in events)
        seen.update(late_entries(events))
    assert not [kind for kind in NEEDED if not seen[kind]]


def late_entries(events: list[Any]) -> Iterator[str]:
    """Say of everybody who came after the start whether it was for the first time."""
    started = False
    names: set[str] = set()
    for event in events:
        if isinstance(event, TournamentStarted):
            started = True
        elif isinstance(event, PlayerRegistered):
            if started:
                yield "again" if event.player in names else "late"
            names.add(event.player)
