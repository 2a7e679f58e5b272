"""Tests of orders: decks of 52 and draws of any n, one order a row.

All reference laws are exact for uniform orders, or their exact covariance goes into a chi-square:

- a table *thing × place*, X² · (n − 1)/n has (n − 1)² degrees of freedom, since the counts are
  bound in rows and in columns;
- the table *who stands before whom* splits into mean places, which the first table holds, and a
  rest with variance 1/3 per order and (n − 1)(n − 2)/2 dimensions: cycles of the kind that a
  comes before b, b before c and c before a;
- an order read through the one before it (where has the thing at place i gone?) is itself
  uniform and independent of the others, so neighbouring orders get the same tests.
"""

from collections.abc import Iterator

import numpy as np

from services.cli.rng import laws
from services.cli.rng.chances import (
    Counts,
    Finding,
    Orders,
    Reals,
    by_law,
    chi_square,
    evenly,
    oddest,
)

ROWS_AT_ONCE = 20_000


def order_tests(orders: Orders) -> tuple[Finding, ...]:
    """Every test of whole orders; needs some 10,000 of them."""
    n = orders.shape[1]
    places = places_of(orders)
    moved = np.take_along_axis(places[1:], orders[:-1], axis=1)
    before, inverted = pairs(places)
    return (
        table_test("card by place", table_of(orders)),
        evenly("first card", np.bincount(orders[:, 0], minlength=n)),
        first_pair(orders),
        cyclic_test("order of pairs", before, len(orders)),
        neighbours(orders),
        by_law("inversions", inverted, laws.inversions(n)),
        by_law("runs", down_steps(orders), laws.descents(n)),
        by_law("rising sequences", down_steps(places), laws.descents(n)),
        by_law("cycles", cycles_of(orders), laws.cycles(n)),
        table_test("place by next place", table_of(moved)),
        by_law("same place in the next", kept_places(moved), laws.matches(n)),
    )


def whole_orders(orders: Orders) -> Finding:
    """Every order as a class of its own, for few things."""
    n = orders.shape[1]
    index = np.zeros(len(orders), dtype=np.int64)
    for at in range(n):
        smaller = (orders[:, at + 1 :] < orders[:, at : at + 1]).sum(axis=1)
        index = index * (n - at) + smaller
    return evenly(f"whole order of {n}", np.bincount(index, minlength=laws.orders(n)))


def places_of(orders: Orders) -> Orders:
    """Return at which place each thing lies."""
    places = np.empty_like(orders)
    row = np.broadcast_to(np.arange(orders.shape[1], dtype=np.uint8), orders.shape)
    np.put_along_axis(places, orders, row, axis=1)
    return places


def table_of(orders: Orders) -> Counts:
    """Count how often each thing (column) is at each place (row)."""
    n = orders.shape[1]
    return np.stack([np.bincount(orders[:, place], minlength=n) for place in range(n)])


def deviations(table: Counts) -> Reals:
    """Return each cell's distance from its expectation, in standard deviations."""
    n, total = len(table), table[0].sum()
    deviation: Reals = (table - total / n) / np.sqrt(total / n * (1 - 1 / n))
    return deviation


def table_test(name: str, table: Counts) -> Finding:
    return chi_square(name, table_value(table), (len(table) - 1) ** 2)


def table_value(table: Counts) -> float:
    """Return X² · (n − 1)/n; its mean over all orders is (n − 1)²."""
    n, expected = len(table), table[0].sum() / len(table)
    return float(((table - expected) ** 2).sum() / expected) * (n - 1) / n


def first_pair(orders: Orders) -> Finding:
    """The two things on top, in their order."""
    n = orders.shape[1]
    codes = orders[:, 0].astype(np.int64) * n + orders[:, 1]
    counts = np.bincount(codes, minlength=n * n).reshape(n, n)
    return evenly("first pair", counts[~np.eye(n, dtype=bool)])


def pairs(places: Orders) -> tuple[Counts, Counts]:
    """Return how often a lies before b, for all a and b, and the inversions of each order."""
    total, n = places.shape
    before = np.zeros((n, n), dtype=np.int64)
    inverted = np.zeros(total, dtype=np.int64)
    for start in range(0, total, ROWS_AT_ONCE):
        rows = places[start : start + ROWS_AT_ONCE]
        for a in range(n - 1):
            behind = rows[:, a + 1 :] < rows[:, a : a + 1]
            inverted[start : start + len(rows)] += behind.sum(axis=1)
            before[a + 1 :, a] += behind.sum(axis=0)
    upper = np.triu_indices(n, 1)
    before[upper] = total - before.T[upper]
    return before, inverted


def cyclic_test(name: str, before: Counts, total: int) -> Finding:
    n = len(before)
    return chi_square(name, cyclic_value(before, total), (n - 1) * (n - 2) // 2)


def cyclic_value(before: Counts, total: int) -> float:
    """Return what is left of *who before whom* once each thing's mean place is taken out."""
    n = len(before)
    lead: Reals = (before - before.T).astype(np.float64)
    mean = lead.mean(axis=1)
    rest = lead - (mean[:, None] - mean[None, :])
    return float((rest[np.triu_indices(n, 1)] ** 2).sum()) * 3 / total


def neighbours(orders: Orders) -> Finding:
    """How often b lies directly after a: 1/n for each pair in each order."""
    n = orders.shape[1]
    codes = orders[:, :-1].astype(np.int64) * n + orders[:, 1:]
    counts = np.bincount(codes.ravel(), minlength=n * n).reshape(n, n)
    return oddest("neighbours", counts[~np.eye(n, dtype=bool)], len(orders), 1 / n)


def down_steps(orders: Orders) -> Counts:
    steps: Counts = (orders[:, 1:] < orders[:, :-1]).sum(axis=1)
    return steps


def kept_places(moved: Orders) -> Counts:
    kept: Counts = (moved == np.arange(moved.shape[1])).sum(axis=1)
    return kept


def cycles_of(orders: Orders) -> Counts:
    """Count the cycles: each has one thing that is its smallest."""
    return np.concatenate([cycles_in(rows) for rows in in_parts(orders)])


def cycles_in(orders: Orders) -> Counts:
    """Let the smallest number spread along each cycle, over 1, 2, 4 … steps."""
    n = orders.shape[1]
    smallest = np.broadcast_to(np.arange(n, dtype=np.uint8), orders.shape)
    step = orders
    for _ in range(n.bit_length()):
        smallest = np.minimum(smallest, np.take_along_axis(smallest, step, axis=1))
        step = np.take_along_axis(step, step, axis=1)
    counted: Counts = (smallest == np.arange(n)).sum(axis=1)
    return counted


def in_parts(orders: Orders) -> Iterator[Orders]:
    """Cut a long run so that what is made from it fits the cache."""
    for start in range(0, len(orders), ROWS_AT_ONCE):
        yield orders[start : start + ROWS_AT_ONCE]
