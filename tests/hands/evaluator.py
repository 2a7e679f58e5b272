"""`python -m tests.hands.evaluator`: our hand ranks, counted whole and beside another evaluator.

All 2,598,960 five-card hands must fall into the ten kinds as often as combinatorics says; and on
random seven-card hands `phevaluator`, which shares no code with ours, must see the same order.
"""

import sys
import time
from collections import Counter
from collections.abc import Iterable, Iterator
from itertools import combinations, pairwise
from random import Random
from typing import Annotated

import cyclopts
from phevaluator import evaluate_cards

from shared.poker.deck import CARDS
from shared.poker.hand_rank import hand_rank

# Kind, different ranks, hands: the best first.
KINDS = (
    ("royal flush", 1, 4),
    ("straight flush", 9, 36),
    ("four of a kind", 156, 624),
    ("full house", 156, 3_744),
    ("flush", 1_277, 5_108),
    ("straight", 10, 10_200),
    ("three of a kind", 858, 54_912),
    ("two pair", 858, 123_552),
    ("pair", 2_860, 1_098_240),
    ("high card", 1_277, 1_302_540),
)
RANKS = sum(ranks for _, ranks, _ in KINDS)


def five_card_ranks() -> Counter[int]:
    """Count how many five-card hands have each rank."""
    return Counter(hand_rank(cards) for cards in combinations(CARDS, 5))


def kinds(counted: Counter[int]) -> Iterator[tuple[str, int]]:
    """Add the hands up by kind; the ranks of a kind lie together."""
    best_first = sorted(counted, reverse=True)
    start = 0
    for kind, ranks, _ in KINDS:
        yield kind, sum(counted[rank] for rank in best_first[start : start + ranks])
        start += ranks


def wrong_counts(counted: Counter[int]) -> list[str]:
    """Say what five-card hands are counted wrongly."""
    wrong = [] if len(counted) == RANKS else [f"{len(counted)} ranks, not {RANKS}"]
    for (kind, hands), (_, _, expected) in zip(kinds(counted), KINDS, strict=True):
        if hands != expected:
            wrong.append(f"{kind}: {hands} hands, not {expected}")
    return wrong


def random_hands(number: int, seed: int, cards: int = 7) -> Iterator[tuple[str, ...]]:
    random = Random(seed)
    for _ in range(number):
        yield tuple(random.sample(CARDS, cards))


def disagreements(hands: Iterable[tuple[str, ...]]) -> list[str]:
    """Rank hands twice: equal where the other is equal, better where the other is better."""
    ours: dict[int, tuple[int, tuple[str, ...]]] = {}
    wrong = []
    for cards in hands:
        rank, place = hand_rank(cards), evaluate_cards(*cards)
        known, like = ours.setdefault(place, (rank, cards))
        if known != rank:
            wrong.append(f"{' '.join(cards)} and {' '.join(like)} tie, we rank them apart")
    for (place, (better, cards)), (below, (worse, others)) in pairwise(sorted(ours.items())):
        if better <= worse:
            wrong.append(f"{' '.join(cards)} ({place}) beats {' '.join(others)} ({below})")
    return wrong


def main(
    *,
    hands: Annotated[int, cyclopts.Parameter(help="random seven-card hands")] = 1_000_000,
    seed: Annotated[int, cyclopts.Parameter(help="of the random hands")] = 1,
) -> int:
    """Check the evaluator whole."""
    began = time.monotonic()
    counted = five_card_ranks()
    wrong = wrong_counts(counted)
    for kind, number in kinds(counted):
        print(f"{number:>9,} {kind}")
    print(f"{counted.total():,} five-card hands, {len(counted):,} ranks")
    differing = disagreements(random_hands(hands, seed))
    print(f"{hands:,} seven-card hands beside phevaluator, {time.monotonic() - began:.0f} s")
    print(*wrong, *differing, sep="\n", end="\n" if wrong or differing else "")
    print(f"{len(wrong)} counts wrong, {len(differing)} hands ranked otherwise")
    return 1 if wrong or differing else 0


if __name__ == "__main__":
    sys.exit(cyclopts.run(main))
