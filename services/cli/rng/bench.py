"""Every job of the bench, in the order in which they are printed.

The real dealer, its dice and its draws are made by the dealer's own code from the runtime's own
entropy; the bad ones from a seeded generator, so that only the real ones differ from run to run.
How much is made of each: the weakest fault is the printed bound of 209. Its first card alone
shows it with a power of 99.9 % from 61,000 decks on (`power`), the table card by place from far
fewer; 200,000 decks are the rule.
"""

import sys
from collections.abc import Callable, Iterable, Iterator
from functools import partial
from pathlib import Path
from typing import NamedTuple

import numpy as np

from services.cli.rng import dealers, dice
from services.cli.rng.chances import Finding, Orders
from services.cli.rng.collisions import (
    SEEDS,
    STARTS,
    STARTS_IN_WINDOW,
    WINDOW_MS,
    repeat_test,
)
from services.cli.rng.lines import Job, Line, Measured, line
from services.cli.rng.orders import deviations, order_tests, table_of, whole_orders
from services.cli.rng.plot import draw
from services.cli.rng.report import closing, row
from services.cli.rng.seeded import SeededDealer, first_decks
from services.cli.rng.source_check import dealer_sources, seeded_sources, source_complaints
from shared.runtime.adapters.system import entropy
from shared.runtime.ports import Entropy

SOME_DAY_MS = 1_800_000_000_000
FEW = (2, 3, 4, 5)
SEATS = (9, 10)
MANY = 1_000

Draws = Callable[[int, int], Orders]


class Sizes(NamedTuple):
    """How much is made of each; `seeds` is from how many short seeds one is picked."""

    decks: int
    starts: int = STARTS
    seeds: int = SEEDS
    draws: int = 200_000
    throws: int = 300_000
    buffers: int = 65_536


def bench(decks: int, seed: int, plot: Path | None) -> int:
    """Run every job on the runtime's own entropy, and say what these many decks can show."""
    done = run(jobs(Sizes(decks), entropy, seed))
    sys.stdout.write("\n".join(closing(done, decks)) + "\n")
    if plot is not None:
        draw(done, plot)
    return 0 if all(judged.right for judged in done) else 1


def run(todo: Iterable[Job]) -> list[Line]:
    """Print a line for each job as soon as it is judged."""
    done: list[Line] = []
    for job in todo:
        done.append(line(job))
        sys.stdout.write(row(done[-1]) + "\n")
        sys.stdout.flush()
    return done


def jobs(sizes: Sizes, source: Entropy, seed: int) -> tuple[Job, ...]:
    """Everybody on the bench: `source` feeds the real ones, `seed` the bad ones."""
    return (
        *deck_jobs(sizes, source, seed),
        *seeded_jobs(sizes, seed),
        *dice_jobs(sizes, source, seed),
        *draw_jobs(sizes, source, seed),
        Job("generator's bytes", "passes", lambda: bytes_measured(sizes.buffers, source)),
        Job("dealer's source", "passes", lambda: source_measured(dealer_sources())),
        Job("seeded dealer's source", "flagged", lambda: source_measured(seeded_sources())),
    )


def deck_jobs(sizes: Sizes, source: Entropy, seed: int) -> Iterator[Job]:
    """The real dealer, and those that statistics have to flag."""
    real = partial(dealers.real_decks, sizes.decks, source)
    yield Job("PP-RNG, bound 207", "passes", partial(decks_measured, real))
    for name, shuffle in BAD_SHUFFLES.items():
        made = partial(shuffle, sizes.decks, np.random.default_rng(seed))
        yield Job(name, "biased", partial(decks_measured, made))


BAD_SHUFFLES: dict[str, dealers.Shuffle] = {
    "bound 209, as published": dealers.as_published,
    "bound 255": dealers.bound_255,
    "one byte modulo": dealers.byte_modulo,
    "swap with any place": dealers.swap_any,
    "sort by a random byte": dealers.sort_by_byte,
    "sort by a coin": dealers.sort_by_coin,
}


def decks_measured(make: Callable[[], Orders]) -> Measured:
    """Decks by the statistics of orders, and whether one came twice."""
    decks = make()
    tests = (*order_tests(decks), repeat_test(decks))
    return Measured(tests, len(decks), "decks", deviations(table_of(decks)))


def seeded_jobs(sizes: Sizes, seed: int) -> Iterator[Job]:
    """Those whose decks look perfect; only many starts show that there are few of them."""
    generator = np.random.default_rng(seed)
    moments = SOME_DAY_MS + generator.integers(WINDOW_MS, size=STARTS_IN_WINDOW)
    numbers = generator.integers(sizes.seeds, size=sizes.starts)
    for name, seeds in (("seeded by the time", moments), ("seeded with 32 bits", numbers)):
        yield Job(name, "repeats", partial(starts_measured, sizes.decks, seeds.tolist()))


def starts_measured(decks: int, seeds: list[int]) -> Measured:
    """One long run by the statistics of orders, and the first decks of many starts."""
    run = SeededDealer(seeds[0]).decks(decks)
    tests = order_tests(run)
    started = repeat_test(first_decks(seeds))
    unseen = f"{len(seeds):,} starts; its decks alone: p ≥ {min(test.p for test in tests):.1g}"
    return Measured((*tests, started), decks, "decks", deviations(table_of(run)), unseen)


def dice_jobs(sizes: Sizes, source: Entropy, seed: int) -> Iterator[Job]:
    thrown = partial(dice.throws, sizes.throws, source)
    yield Job("dice", "passes", lambda: dice_measured(thrown()))
    bad = partial(dice.byte_modulo_throws, sizes.throws, np.random.default_rng(seed))
    yield Job("dice, one byte modulo", "biased", lambda: dice_measured(bad()))


def draw_jobs(sizes: Sizes, source: Entropy, seed: int) -> Iterator[Job]:
    picked = partial(dice.picks_test, sizes.draws, MANY, source)
    real = partial(real_draws, source)
    yield Job("draws", "passes", lambda: draws_measured(sizes.draws, real, picked()))
    modulo = partial(modulo_draws, np.random.default_rng(seed))
    yield Job("draws, one byte modulo", "biased", lambda: draws_measured(sizes.draws, modulo))


def real_draws(source: Entropy, n: int, size: int) -> Orders:
    return dealers.real_draws(n, size, source)


def modulo_draws(generator: np.random.Generator, n: int, size: int) -> Orders:
    return dealers.byte_modulo_draws(n, size, generator)


def dice_measured(thrown: Orders) -> Measured:
    return Measured(dice.dice_tests(thrown), len(thrown), "throws")


def draws_measured(n: int, draws: Draws, *more: Finding) -> Measured:
    """Few candidates by their whole order, a table's seats as decks are."""
    few = [whole_orders(draws(n, size)) for size in FEW]
    seats = [
        Finding(f"{test.name} of {size}", test.p)
        for size in SEATS
        for test in order_tests(draws(n, size))
    ]
    return Measured((*few, *seats, *more), n * (len(FEW) + len(SEATS) + len(more)), "draws")


def bytes_measured(n: int, source: Entropy) -> Measured:
    return Measured(dice.byte_tests(dice.gathered(n, source)), n, "buffers")


def source_measured(sources: dict[str, str]) -> Measured:
    """Not a statistic: the note says what was found, and nothing is good."""
    complaints = source_complaints(sources)
    more = f" (and {len(complaints) - 1} more)" if len(complaints) > 1 else ""
    return Measured((), len(sources), "files", note=f"{complaints[0]}{more}" if complaints else "")
