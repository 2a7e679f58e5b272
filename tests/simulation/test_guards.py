"""The simulation sees: without a guard, some world breaks a law, the very law where it is direct.

`make sim-guards` looks through a thousand worlds for each guard; here are those that show soon.
"""

import pytest

from tests.simulation.guards import GUARDS, first_found
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
RARE = {"re-check before parking"}


@pytest.mark.parametrize("guard", [g for g in GUARDS if g.name not in RARE], ids=lambda g: g.name)
def test_a_guard_that_is_gone_is_seen(guard):
    found = first_found(guard, range(1, SOON))
    assert found is not None, f"{SOON} worlds do not see that {guard.name} is gone"
    assert found.law in LAWS.get(guard.name, {found.law})
    World(found.seed).play()
