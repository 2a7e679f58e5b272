"""`make sim` and `make sim-guards`: many worlds, one line when all is well.

A world that breaks a law is told with the one command that repeats it, and its last facts.
"""

import argparse
import gc
import os
import sys
import time
from collections.abc import Iterable, Iterator, Sequence
from concurrent.futures import ProcessPoolExecutor
from functools import partial
from typing import NamedTuple

from tests.simulation.guards import GUARDS, SEEDS_MAX, Guard, first_found
from tests.simulation.loop import Broken
from tests.simulation.seeds import SIZES, UnusableSeeds, past_failures
from tests.simulation.telling import told
from tests.simulation.terms import Size
from tests.simulation.world import World

FAILURES_MAX = 3
SEEDS = {"small": 300, "staged": 100, "double": 100, "rebuys": 100, "series": 100, "whole": 10}


class Played(NamedTuple):
    """One world: how long it took the processor, how much was played, and what broke, if any."""

    seed: int
    cpu_s: float
    virtual_s: float
    hands: int
    failure: tuple[str, ...]


def played(seed: int, size: Size) -> Played:
    """Play one world."""
    began = time.process_time()
    gc.collect()
    world = World(seed, size)
    failure: tuple[str, ...] = ()
    try:
        world.play()
    except Broken as broken:
        failure = (
            f"seed {seed} ({size}) breaks: {broken.law}: {broken.detail}",
            f"  repeat it: make sim SEED={seed} SEEDS=1 SIZE={size}",
            f"  weather: {world.weather}",
            *(f"  {line}" for line in told(world.loop.last_facts)),
        )
    cpu_s = time.process_time() - began
    return Played(seed, cpu_s, world.loop.now, world.laws.play.hands_played, failure)


def all_played(seeds: Sequence[int], size: Size, jobs: int) -> Iterator[Played]:
    """Play all worlds, on so many cores, in the order of their seeds."""
    if jobs == 1 or len(seeds) == 1:
        yield from map(partial(played, size=size), seeds)
        return
    with ProcessPoolExecutor(jobs) as pool:
        yield from pool.map(partial(played, size=size), seeds, chunksize=4)


def simulate(seeds: Sequence[int], size: Size, jobs: int) -> int:
    """Play worlds, tell of those that fail, and sum up."""
    gc.collect()
    gc.freeze()  # Then a collection looks at one world only, not at the whole program,
    gc.disable()  # and comes once it has ended.
    began = time.monotonic()
    worlds: list[Played] = []
    failures = 0
    for world in all_played(seeds, size, jobs):
        worlds.append(world)
        if world.failure:
            failures += 1
            print("\n".join(world.failure))
            if failures == FAILURES_MAX:
                break
    cpu_s = sum(world.cpu_s for world in worlds)
    print(
        f"{len(worlds)} {size} worlds, {sum(w.hands for w in worlds):,} hands,"
        f" {sum(w.virtual_s for w in worlds):,.0f} virtual seconds in"
        f" {time.monotonic() - began:.1f} s: {failures or 'no'} law broken,"
        f" {len(worlds) / cpu_s:.1f} seeds/s a core"
    )
    return 1 if failures else 0


def look_through_guards(guards: Iterable[Guard], seeds: Sequence[int]) -> int:
    """Take each guard away, and say which seed has seen it."""
    blind = 0
    for guard in guards:
        found = first_found(guard, seeds)
        blind += found is None
        seen = f"seed {found.seed}: {found.law}" if found else f"NOT SEEN in {len(seeds)} seeds"
        print(f"without {guard.name:32} {seen}")
    return 1 if blind else 0


def main() -> int:
    parser = argparse.ArgumentParser(prog="python -m tests.simulation")
    parser.add_argument("--seed", type=int, default=1, help="the first seed")
    parser.add_argument("--seeds", type=int, help="how many")
    parser.add_argument("--size", choices=SIZES, default="small")
    parser.add_argument("--jobs", type=int, default=os.cpu_count() or 1, help="cores")
    parser.add_argument("--guards", action="store_true", help="take the guards away, one by one")
    parser.add_argument("--past", action="store_true", help="play past failures only")
    given = parser.parse_args()
    try:
        if given.past:
            kept = past_failures()
            return max([simulate([past.seed], past.size, 1) for past in kept], default=0)
    except UnusableSeeds as error:
        print(error, file=sys.stderr)
        return 2
    if given.guards:
        return look_through_guards(
            GUARDS, range(given.seed, given.seed + (given.seeds or SEEDS_MAX))
        )
    count = given.seeds or SEEDS[given.size]
    return simulate(range(given.seed, given.seed + count), given.size, given.jobs)


if __name__ == "__main__":
    sys.exit(main())
