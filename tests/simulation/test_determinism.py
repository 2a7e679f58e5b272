"""The same seed is the same world: to the last byte, in any process, whatever Python hashes."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

from tests.simulation.world import World

ROOT = Path(__file__).resolve().parents[2]
SEEDS = (2, 3, 5, 8)
TRACES = f"""
from tests.simulation.world import World
for seed in {SEEDS}:
    print(World(seed).play())
"""


@pytest.mark.parametrize("seed", SEEDS)
def test_the_same_seed_is_the_same_world_twice(seed: int):
    assert World(seed).play() == World(seed).play()


def test_the_same_seed_is_the_same_world_in_another_process():
    here = [World(seed).play() for seed in SEEDS]
    for hash_seed in ("1", "4242"):
        environ = {**os.environ, "PYTHONHASHSEED": hash_seed, "PYTHONPATH": str(ROOT)}
        there = subprocess.run(
            [sys.executable, "-c", TRACES],
            cwd=ROOT,
            env=environ,
            check=True,
            capture_output=True,
            text=True,
        )
        assert there.stdout.split() == here


def test_different_seeds_are_different_worlds():
    assert len({World(seed).play() for seed in SEEDS}) == len(SEEDS)
