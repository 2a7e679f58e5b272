"""The simulation sees: without a guard, some world breaks a law, the very law where it is direct.

`make sim-guards` looks through a thousand worlds for each guard; here are those that show soon, and
the later ones among them in `make long`.
"""

import pytest
from msgspec.structs import replace

from tests.simulation.backups import LAW as RESTORED
from tests.simulation.faults import NONE, Weather
from tests.simulation.guards import GUARDS, first_found, without
from tests.simulation.laws_of_outages import LAW, REACHED
from tests.simulation.loop import Broken
from tests.simulation.world import World

SOON = 200
LAWS = {
    "compare-and-set position": {"a position never goes back", "no fact is decided twice"},
    "version key": {"every stream is one chain"},
    "relay fence": {"log = stream"},
    "command ids": {"a repeated command gets its first answer"},
    "reply after commit": {"no reply before its commit"},
    "dealer key": {"one hand is one deck"},
    "trust in an upstream": {RESTORED},
    "used decks": {"no deck is dealt twice"},
    "one series, one entry": {"nobody is in two tournaments of a series"},
}
RARE = {
    "re-check before parking",
    "outage credit",
    "credit for a lost gateway",
    "a gateway at the clock's end",
    "steady before a clock runs out",
    "the answer's own question",
}
LATE = {
    "re-check before refusal",
    "taking up after a doubt",
    "trust in an upstream",
    "used decks",
    "dealer key",
}
CALM = Weather(faults=NONE, accidents=(), pause_s=1.5, skew_ms=0, shuffle=False, thoughtful=True)
OUTAGES = replace(CALM, accidents=("crash", "freeze", "store_away", "broker_away"))
ALONE = replace(CALM, accidents=("gateway_lost",))
IN_COMPANY = replace(ALONE, pause_s=3.0, gateways=2)


@pytest.mark.parametrize(
    "guard",
    [
        pytest.param(guard, id=guard.name, marks=[pytest.mark.long] * (guard.name in LATE))
        for guard in GUARDS
        if guard.name not in RARE
    ],
)
def test_a_guard_that_is_gone_is_seen(guard):
    found = first_found(guard, range(1, SOON))
    assert found is not None, f"{SOON} worlds do not see that {guard.name} is gone"
    assert found.law in LAWS.get(guard.name, {found.law})
    World(found.seed, guard.size).play()


@pytest.mark.parametrize(
    ("name", "weather", "law"),
    [
        ("outage credit", OUTAGES, LAW),
        ("credit for a lost gateway", IN_COMPANY, LAW),
        ("a gateway at the clock's end", ALONE, REACHED),
    ],
)
def test_a_clock_that_runs_when_it_must_not_is_seen_where_players_think(name, weather, law):
    """Of all worlds one in a hundred has a long outage, a clock in it, and clocks that agree."""
    guard = next(guard for guard in GUARDS if guard.name == name)
    broken = (law_broken(seed, guard, weather) for seed in range(1, 41))
    assert next(filter(None, broken), "nothing") == law


def law_broken(seed, guard, weather):
    """What a world breaks without a guard; with it, it must break nothing."""
    World(seed, weather=weather).play()
    try:
        with without(guard):
            World(seed, weather=weather).play()
    except Broken as broken:
        return broken.law
    return ""
