"""How many small worlds the simulation plays in a second of one core: as many as can be seen."""

import gc
import time

from tests.simulation.world import World

SEEDS = range(1, 151)
GOAL_PER_SECOND = 20

Figures = dict[str, dict[str, object]]


def run() -> Figures:
    """Play worlds on one core, and count their processor time."""
    World(SEEDS[0]).play()
    collecting = gc.isenabled()
    gc.collect()
    gc.freeze()
    gc.disable()
    began = time.process_time()
    for seed in SEEDS:
        World(seed).play()
        gc.collect()
    per_second = len(SEEDS) / (time.process_time() - began)
    gc.unfreeze()
    if collecting:
        gc.enable()
    return {
        "simulated small worlds a core": {
            "value": round(per_second, 1),
            "unit": "worlds/s",
            "peer": "goal",
            "peer_value": GOAL_PER_SECOND,
            "ratio": round(per_second / GOAL_PER_SECOND, 2),
        }
    }
