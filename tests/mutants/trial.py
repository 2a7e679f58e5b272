"""One mutant on trial: a child process in which one module is the faulty one runs the tests.

Nothing on disk changes. The parent has imported the libraries, not the engine, so that a child
starts fast and still imports the engine with its fault.
"""

import multiprocessing
import os
import resource
import sys
import time
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from importlib.abc import InspectLoader, MetaPathFinder
from importlib.machinery import ModuleSpec
from importlib.util import spec_from_loader
from multiprocessing.connection import wait
from multiprocessing.context import ForkProcess

import eval7  # noqa: F401
import hypothesis
import pokerkit  # noqa: F401
import pytest

from tests.mutants.mutate import Mutant

FORK = multiprocessing.get_context("fork")
PROFILE = "mutants"
MEMORY_MAX = 4 * 2**30
# The fast rows first; what plays whole hands, real or random, catches the rest.
TESTS = (
    "tests/rulebook/test_pot_rules.py",
    "tests/rulebook/test_limit_rules.py",
    "tests/rulebook/test_hand_rules.py",
    "tests/rulebook/test_showdown_rules.py",
    "tests/rulebook/test_button_rules.py",
    "tests/rulebook/test_clock_rules.py",
    "tests/core/table/test_table_rows.py",
    "tests/core/table/test_refusals.py",
    "tests/core/table/test_dealer_answers.py",
    "tests/core/table/test_known_cases.py",
    "tests/hands/test_cases.py",
    "tests/hands/test_gaps.py",
    "tests/core/table/test_table_laws.py",
    "tests/core/table/test_symmetry_laws.py",
    "tests/hands/test_differential.py",
    "tests/hands/test_sequences.py",
    "tests/hands/test_presets.py",
)
OPTIONS = (
    "-x",
    "-q",
    "--tb=no",
    "--assert=plain",
    f"--hypothesis-profile={PROFILE}",
    *("-p", "no:cacheprovider", "-p", "no:warnings"),
)


@dataclass(frozen=True)
class Verdict:
    """What became of a mutant; who lives is a hole in the tests, or no fault at all."""

    mutant: Mutant
    killed: bool
    how: str = ""


class Faulty(MetaPathFinder, InspectLoader):
    """Imports one module from the mutant's source."""

    def __init__(self, mutant: Mutant) -> None:
        self.mutant = mutant

    def find_spec(self, name: str, path: object = None, target: object = None) -> ModuleSpec | None:
        return spec_from_loader(name, self) if name == self.mutant.module else None

    def get_source(self, fullname: str) -> str:
        return self.mutant.source()


def run_tests(mutant: Mutant | None) -> None:
    """In the child: exit with pytest's code, and say nothing."""
    resource.setrlimit(resource.RLIMIT_AS, (MEMORY_MAX, MEMORY_MAX))
    nothing = os.open(os.devnull, os.O_WRONLY)
    os.dup2(nothing, 1)
    os.dup2(nothing, 2)
    if mutant is not None:
        sys.meta_path.insert(0, Faulty(mutant))
    phases = [hypothesis.Phase.explicit, hypothesis.Phase.generate]
    hypothesis.settings.register_profile(
        PROFILE, derandomize=True, database=None, deadline=None, phases=phases
    )
    os._exit(pytest.main([*OPTIONS, *TESTS]))


def tests_pass() -> bool:
    """Run the tests on the engine as it is: they have to pass, or nothing is told by them."""
    child = FORK.Process(target=run_tests, args=(None,), daemon=True)
    child.start()
    child.join()
    return child.exitcode == 0


def try_all(mutants: Sequence[Mutant], jobs: int, seconds: int) -> Iterator[Verdict]:
    """Try mutants side by side; one that takes too long is killed in both senses."""
    waiting = list(reversed(mutants))
    running: dict[ForkProcess, tuple[Mutant, float]] = {}
    while waiting or running:
        while waiting and len(running) < jobs:
            mutant = waiting.pop()
            child = FORK.Process(target=run_tests, args=(mutant,), daemon=True)
            child.start()
            running[child] = mutant, time.monotonic() + seconds
        wait([child.sentinel for child in running], timeout=1)
        for child, (mutant, deadline) in list(running.items()):
            if child.exitcode is not None:
                yield Verdict(mutant, killed=child.exitcode != 0, how="tests")
            elif time.monotonic() > deadline:
                child.kill()
                child.join()
                yield Verdict(mutant, killed=True, how="time")
            else:
                continue
            del running[child]
