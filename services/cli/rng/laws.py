"""In how many of all orders of n things a feature shows k times: exact laws, in whole numbers."""

from functools import cache
from math import comb, factorial


@cache
def inversions(n: int) -> tuple[int, ...]:
    """Pairs that stand in the wrong order (Mahonian numbers)."""
    ways = [1]
    for size in range(2, n + 1):
        ways = [sum(ways[max(0, k - size + 1) : k + 1]) for k in range(len(ways) + size - 1)]
    return tuple(ways)


@cache
def descents(n: int) -> tuple[int, ...]:
    """Steps down: one fewer than the ascending runs (Eulerian numbers)."""
    ways = [1]
    for size in range(2, n + 1):
        wider = [0, *ways, 0]
        ways = [(k + 1) * wider[k + 1] + (size - k) * wider[k] for k in range(size)]
    return tuple(ways)


@cache
def cycles(n: int) -> tuple[int, ...]:
    """Cycles (Stirling numbers of the first kind)."""
    ways = [1]
    for size in range(n):
        wider = [0, *ways, 0]
        ways = [wider[k] + size * wider[k + 1] for k in range(len(ways) + 1)]
    return tuple(ways)


@cache
def matches(n: int) -> tuple[int, ...]:
    """Things that stay where they were (rencontres numbers)."""
    deranged = [1, 0]
    for size in range(2, n + 1):
        deranged.append((size - 1) * (deranged[-1] + deranged[-2]))
    return tuple(comb(n, k) * deranged[n - k] for k in range(n + 1))


def orders(n: int) -> int:
    """All of them."""
    return factorial(n)
