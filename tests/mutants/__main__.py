"""`python -m tests.mutants`: break the engine on purpose, and see its tests fail.

At least nine of ten mutants have to be killed; each that lives stands in `survivors.toml` with
the reason, and one that does not stand there fails the run.
"""

import os
import sys
import time
import tomllib
from collections import Counter
from collections.abc import Iterable
from pathlib import Path
from random import Random
from typing import Annotated

import cyclopts

from tests.mutants.mutate import Mutant, mutants
from tests.mutants.trial import Verdict, tests_pass, try_all

ROOT = Path(__file__).resolve().parents[2]
SURVIVORS = Path(__file__).parent / "survivors.toml"
KILLED_AT_LEAST = 0.9
TOLD_EVERY = 50
CORE = "services.table.core"
MODULES = tuple(
    f"{CORE}.{name}"
    for name in (
        *("hand.pots", "hand.limits", "hand.legal", "hand.betting", "hand.start"),
        *("hand.showdown", "hand.choice", "hand.closing", "hand.evolve", "positions"),
    )
)


def mutants_of(modules: Iterable[str]) -> list[Mutant]:
    """Return every mutant of these modules."""
    return [
        mutant
        for module in modules
        for mutant in mutants(module, (ROOT / f"{module.replace('.', '/')}.py").read_text())
    ]


def reasons() -> dict[str, str]:
    """Return the survivors that are known, by name."""
    return {
        name: group["reason"]
        for group in tomllib.loads(SURVIVORS.read_text())["survivors"]
        for name in group["names"]
    }


def main(
    *,
    module: Annotated[tuple[str, ...], cyclopts.Parameter(help="such as hand.pots")] = (),
    sample: Annotated[int, cyclopts.Parameter(help="try only so many, drawn by the seed")] = 0,
    seed: int = 1,
    jobs: int = os.cpu_count() or 1,
    seconds: Annotated[int, cyclopts.Parameter(help="for one mutant")] = 120,
) -> int:
    """Try the mutants of pots, betting, blinds and showdown."""
    chosen = mutants_of([f"{CORE}.{name}" for name in module] or MODULES)
    every = len(chosen)
    if 0 < sample < every:
        chosen = Random(seed).sample(chosen, sample)
    if not tests_pass():
        print("the tests fail without any mutant", file=sys.stderr)
        return 2
    print(f"{len(chosen)} of {every} mutants", flush=True)
    began, verdicts = time.monotonic(), []
    for verdict in try_all(chosen, jobs, seconds):
        verdicts.append(verdict)
        if len(verdicts) % TOLD_EVERY == 0:
            print(f"{len(verdicts)} tried, {time.monotonic() - began:.0f} s", flush=True)
        if not verdict.killed:
            known = reasons().get(verdict.mutant.name, "NO REASON KNOWN")
            print(f"survived: {verdict.mutant.name}: {known}", flush=True)
    return summary(verdicts, time.monotonic() - began)


def summary(verdicts: list[Verdict], seconds: float) -> int:
    """Say how many of each module were killed; the last line counts all."""
    tried = Counter(verdict.mutant.module for verdict in verdicts)
    killed = Counter(verdict.mutant.module for verdict in verdicts if verdict.killed)
    for name in sorted(tried):
        share = killed[name] / tried[name]
        print(f"{killed[name]:>4} of {tried[name]:>4} {share:6.1%} {name.removeprefix(CORE)[1:]}")
    known = reasons()
    living = [verdict.mutant.name for verdict in verdicts if not verdict.killed]
    open_ones = [name for name in living if name not in known]
    share = killed.total() / max(1, len(verdicts))
    slow = sum(verdict.how == "time" for verdict in verdicts)
    print(
        f"{len(verdicts)} mutants in {seconds:.0f} s: {killed.total()} killed ({share:.1%}, "
        f"{slow} by time), {len(living)} survived, {len(open_ones)} of them without a reason"
    )
    return 1 if share < KILLED_AT_LEAST or open_ones else 0


if __name__ == "__main__":
    sys.exit(cyclopts.run(main))
