"""The simulation sees: without a guard, some world breaks a law, the very law where it is direct.

`make sim-guards` looks through a thousand worlds for each guard; here are those that show soon.
"""

import pytest

from tests.simulation.faults import NONE, Weather
from tests.simulation.guards import GUARDS, first_found, without
from tests.simulation.laws_of_outages import LAW
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
}
RARE = {"re-check before parking", "outage credit"}
OUTAGES = Weather(
    faults=NONE,
    accidents=("crash", "freeze", "store_away", "broker_away"),
    pause_s=1.5,
    skew_ms=0,
    shuffle=False,
    thoughtful=True,
)


@pytest.mark.parametrize("guard", [g for g in GUARDS if g.name not in RARE], ids=lambda g: g.name)
def test_a_guard_that_is_gone_is_seen(guard):
    found = first_found(guard, range(1, SOON))
    assert found is not None, f"{SOON} worlds do not see that {guard.name} is gone"
    assert found.law in LAWS.get(guard.name, {found.law})
    World(found.seed).play()


def test_an_outage_that_is_not_given_back_is_seen_where_players_think():
    """Of all worlds one in a hundred has a long outage, a clock in it, and clocks that agree."""
    credit = next(guard for guard in GUARDS if guard.name == "outage credit")
    found = next(filter(None, (law_broken(seed, credit) for seed in range(1, 41))), "nothing")
    assert found == LAW


def law_broken(seed, guard):
    """What a world breaks without a guard; with it, it must break nothing."""
    World(seed, weather=OUTAGES).play()
    try:
        with without(guard):
            World(seed, weather=OUTAGES).play()
    except Broken as broken:
        return broken.law
    return ""
