"""Past failures: worlds in which a law was once broken, kept for good in `seeds.txt`.

A seed means something only to the simulation that drew from it. Whoever changes what is drawn
raises VERSION, and finds the old failures again: the seeds that break a law without the guard that
each line names. A file of another version is refused rather than played as something else.
What a test of its own shows is not kept here.
"""

from pathlib import Path
from typing import NamedTuple, get_args

from tests.simulation.terms import Size

VERSION = 3
FILE = Path(__file__).with_name("seeds.txt")
SIZES = get_args(Size)


class UnusableSeeds(Exception):
    """The file cannot be played; the message is one line."""


class PastFailure(NamedTuple):
    """One world that broke a law, the guard that was missing, and what was wrong then."""

    seed: int
    size: Size
    guard: str
    what: str


def past_failures(path: Path = FILE) -> tuple[PastFailure, ...]:
    """Read the file: `version N`, then lines `seed size guard: what`; # begins a comment."""
    lines = path.read_text().splitlines()
    if not lines or lines[0] != f"version {VERSION}":
        said = lines[0] if lines else "an empty file"
        raise UnusableSeeds(f"{path.name}: {said!r}, but this simulation plays version {VERSION}")
    return tuple(
        failure(path, number, line)
        for number, line in enumerate(lines[1:], 2)
        if line and not line.startswith("#")
    )


def failure(path: Path, number: int, line: str) -> PastFailure:
    seed, _, rest = line.partition(" ")
    size, _, rest = rest.partition(" ")
    guard, _, what = rest.partition(": ")
    if not seed.isdecimal() or size not in SIZES:
        raise UnusableSeeds(f"{path.name}, line {number}: not a seed and a size: {line!r}")
    return PastFailure(int(seed), size, guard, what)
