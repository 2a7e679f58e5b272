"""What an event of a freeze-out costs the director's core, by the size of the field.

Whole tournaments through the core alone, from the request that announces them to the winner:
tables end their hands in any order, and every hand is all-in between two. Only the core's own time
counts.
"""

from shared.poker.rule_sets import PRESETS
from tests.core.director.large_field import Field

FIELDS = (100, 1_000, 10_000)

Figures = dict[str, dict[str, object]]


def run() -> Figures:
    """Play a freeze-out of every size, and compare the cost of an event with the smallest's."""
    found: Figures = {}
    for rule_set in PRESETS:
        costs = {players: cost_us(players, rule_set) for players in FIELDS}
        least = costs[FIELDS[0]]
        for players, cost in costs.items():
            found[f"director, {rule_set}, an event of a freeze-out of {players:,}"] = {
                "value": round(cost, 1),
                "unit": "us",
                "peer": f"of {FIELDS[0]:,}",
                "peer_value": round(least, 1),
                "ratio": round(cost / least, 2),
            }
    return found


def cost_us(players: int, rule_set: str) -> float:
    """Return what an event costs in a tournament of that size, played to its end."""
    field = Field(players, rule_set=rule_set).enter()
    field.play()
    assert len(field.state.places) == players
    return 1e6 * field.core_s / field.events
