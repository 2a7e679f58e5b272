"""`make kill`: the script once in peace, then once for every commit with a kill at that commit.

A run that ends otherwise is told with its first differences and the one command that repeats it.
"""

import argparse
import asyncio
import os
import sys
import time
from collections.abc import Iterator, Sequence
from typing import get_args

from shared.runtime import logs
from shared.runtime.adapters.engines import postgres
from tests.kill.process import RUN, Mode, Point
from tests.kill.runs import Bench, Run, run, wrongs

MORE_THAN_CORES = 1  # A run waits for time-outs now and then.
WRONGS_TOLD = 3


def points_of(unkilled: Run, services: Sequence[str], modes: Sequence[Mode]) -> Iterator[Point]:
    """Return every moment at which to kill."""
    for service, commits in unkilled.commits.items():
        for k in range(1, len(commits) + 1):
            for mode in modes:
                if service in services:
                    yield Point(service, k, mode)


async def kill_at_all(bench: Bench, unkilled: Run, points: Sequence[Point], together: int) -> int:
    """Play the script once for each, several side by side; return how many ended otherwise."""
    slots = asyncio.Semaphore(together)
    failures = 0

    async def one(point: Point) -> None:
        nonlocal failures
        async with slots:
            killed = await run(bench, point)
        wrong = wrongs(unkilled, killed)
        failures += bool(wrong)
        print(line_of(point, unkilled, killed, bench.seed, wrong), flush=True)

    await asyncio.gather(*[one(point) for point in points])
    return failures


def line_of(point: Point, unkilled: Run, killed: Run, seed: str, wrong: Sequence[str]) -> str:
    """Tell one run in one line, and in some more when something is wrong."""
    said = "DIFFERS" if wrong else killed.story.hash if killed.story else ""
    what = unkilled.commits[point.service][point.k - 1]
    line = (
        f"{said:16}  {killed.seconds:4.1f} s  kill -9 {point.mode:6} {point.service} commit"
        f" {point.k:2}  {what}"
    )
    if not wrong:
        return line
    only = f"SEED={seed} ONLY={point.service}-{point.k}-{point.mode}"
    return "\n  ".join([line, f"repeat it: make kill {only}", *wrong[:WRONGS_TOLD]])


def point_in(text: str) -> Point:
    """Read `table-12-after`."""
    service, k, mode = text.split("-")
    if mode not in get_args(Mode):
        raise ValueError(text)
    return Point(service, int(k), mode)


async def killed(given: argparse.Namespace) -> int:
    """Do all that was asked for, and sum up."""
    began = time.monotonic()
    logs.configure("kill", "dev", "error")
    with postgres(durable=False) as url:
        bench = Bench(url, given.seed)
        unkilled = await run(bench)
        if unkilled.story is None or unkilled.wrong:
            print("the run without a kill fails:", *unkilled.wrong, sep="\n  ")
            return 1
        commits = sum(map(len, unkilled.commits.values()))
        print(f"{unkilled.story.hash}  {unkilled.seconds:4.1f} s  in peace, {commits} commits")
        points = given.only or [*points_of(unkilled, given.services, given.modes)]
        failures = await kill_at_all(bench, unkilled, points, given.together)
    took = time.monotonic() - began
    print(
        f"{len(points)} runs with a kill in {took:.0f} s:"
        f" {f'{failures} END OTHERWISE' if failures else 'all end as in peace'}"
    )
    return 1 if failures else 0


def main() -> int:
    services, modes = tuple(RUN), get_args(Mode)
    parser = argparse.ArgumentParser(prog="python -m tests.kill")
    parser.add_argument("--seed", default="20", help="which cards are dealt")
    parser.add_argument("--services", nargs="+", choices=services, default=services)
    parser.add_argument("--modes", nargs="+", choices=modes, default=modes)
    parser.add_argument("--only", nargs="+", type=point_in, help="such as table-12-after")
    together = (os.cpu_count() or 1) + MORE_THAN_CORES
    parser.add_argument("--together", type=int, default=together, help="runs side by side")
    return asyncio.run(killed(parser.parse_args()))


if __name__ == "__main__":
    sys.exit(main())
