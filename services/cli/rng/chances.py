"""How sure a finding is: p-values, and what becomes of them when many are looked at.

`ALPHA` is the chance that a whole bench raises a false alarm. It is shared evenly among the
lines that ought to pass; within a line, Holm's step-down rule keeps the chance of any false
rejection at the line's share, however the tests depend on each other.
"""

from collections.abc import Sequence
from typing import Final, NamedTuple

import numpy as np
import numpy.typing as npt
from scipy import stats

ALPHA: Final = 0.001
EXPECTED_LEAST: Final = 25.0
CLASSES: Final = 20

Orders = npt.NDArray[np.uint8]
Counts = npt.NDArray[np.int64]
Reals = npt.NDArray[np.float64]


class Finding(NamedTuple):
    """One test of one line: how likely something this odd is if all is well."""

    name: str
    p: float


def rejected(tests: Sequence[Finding], alpha: float) -> tuple[Finding, ...]:
    """Return what Holm's rule rejects, the surest first; none means that the line passes."""
    ranked = sorted(tests, key=lambda test: test.p)
    kept = next(
        (at for at, test in enumerate(ranked) if test.p > alpha / (len(ranked) - at)), len(ranked)
    )
    return tuple(ranked[:kept])


def chi_square(name: str, value: float, freedom: int) -> Finding:
    """Too even counts are as suspicious as too uneven ones, so both tails count."""
    tails = stats.chi2.sf(value, freedom), stats.chi2.cdf(value, freedom)
    return Finding(name, min(1.0, 2 * float(min(tails))))


def evenly(name: str, counts: Counts) -> Finding:
    """Independent outcomes that ought to be equally likely."""
    expected = counts.sum() / counts.size
    value = float(((counts - expected) ** 2).sum() / expected)
    return chi_square(name, value, counts.size - 1)


def by_law(name: str, values: npt.NDArray[np.integer], law: Sequence[int]) -> Finding:
    """Independent whole numbers whose chances are in the ratio of `law`.

    Neighbouring values are put together into some twenty classes: a shift of them all shows best
    in a few large ones.
    """
    due = np.array([weight / sum(law) for weight in law]) * len(values)
    starts = class_starts(due, max(EXPECTED_LEAST, len(values) / CLASSES))
    expected = np.add.reduceat(due, starts)
    seen = np.add.reduceat(np.bincount(values, minlength=len(law)), starts)
    value = float(((seen - expected) ** 2 / expected).sum())
    return chi_square(name, value, len(starts) - 1)


def class_starts(due: Reals, least: float) -> list[int]:
    """Return where each class begins, so that at least so many are expected in each."""
    starts, inside = [0], 0.0
    for at, more in enumerate(due):
        if inside >= least and due[at:].sum() >= least:
            starts.append(at)
            inside = 0.0
        inside += more
    return starts


def oddest(name: str, counts: Counts, trials: int, chance: float) -> Finding:
    """The oddest of many counts, each by its exact binomial law; their dependence is no matter.

    The p-value is a bound (Bonferroni): true for counts that hang together in any way.
    """
    law = stats.binom(trials, chance)
    tails = np.minimum(law.sf(counts - 1), law.cdf(counts))
    return Finding(name, min(1.0, 2 * float(tails.min()) * counts.size))
