"""One line of the bench: who is tested, what has to be found, and what was."""

import time
from collections.abc import Callable, Sequence
from typing import Final, Literal, NamedTuple

from services.cli.rng.chances import ALPHA, Finding, Reals, rejected
from services.cli.rng.collisions import REPEATED

Found = Literal["passes", "biased", "repeats", "flagged"]

LINES_THAT_MAY_ALARM: Final = 4
LINE_ALPHA: Final = ALPHA / LINES_THAT_MAY_ALARM


class Measured(NamedTuple):
    """What was tested, how much of it, and what there is to draw or to tell."""

    tests: Sequence[Finding]
    made: int
    unit: str
    table: Reals | None = None
    note: str = ""


class Job(NamedTuple):
    """Who is to be tested, what has to be found, and how."""

    name: str
    expected: Found
    measure: Callable[[], Measured]


class Line(NamedTuple):
    """One dealer, judged."""

    name: str
    expected: Found
    found: Found
    measured: Measured
    seconds: float

    @property
    def right(self) -> bool:
        return self.found == self.expected


def line(job: Job) -> Line:
    """Run the tests of one job and judge them."""
    began = time.perf_counter()
    measured = job.measure()
    seconds = time.perf_counter() - began
    return Line(job.name, job.expected, judged(measured), measured, seconds)


def judged(measured: Measured) -> Found:
    """A repeated deck says more than any bias; a line without tests has its note to say."""
    if not measured.tests:
        return "flagged" if measured.note else "passes"
    names = [test.name for test in rejected(measured.tests, LINE_ALPHA)]
    if REPEATED in names:
        return "repeats"
    return "biased" if names else "passes"
