"""What the bench can see: exact chances of a wrong bound, and how many decks it takes.

The first byte that is accepted puts card c on top with (bytes that give c)/(bytes accepted): with
the printed bound of 209 that is 5/210 = 1/42 for cards 0 and 1 and 4/210 = 2/105 for the others.
A *finished* deck is a little less unfair: a buffer may run out before the last card, and one that
began with a frequent card does so more often. Both are computed exactly, by counting buffers.
"""

from collections import Counter
from fractions import Fraction
from math import comb

from scipy import optimize, stats

from services.dealer.core.shuffle import BUFFER_BYTES
from shared.poker.deck import DECK_SIZE

BYTES = 256
POWER = 0.999


def bytes_by_card(bound: int) -> tuple[int, ...]:
    """Count the byte values up to the bound that stand for each card."""
    counted = Counter(byte % DECK_SIZE for byte in range(bound + 1))
    return tuple(counted[card] for card in range(DECK_SIZE))


def accepted_chances(bound: int) -> tuple[Fraction, ...]:
    """The chances of each card by the first accepted byte."""
    return tuple(Fraction(ways, bound + 1) for ways in bytes_by_card(bound))


def first_card_chances(bound: int) -> tuple[Fraction, ...]:
    """The chances of each card to lie on top of a finished deck."""
    by_card = bytes_by_card(bound)
    tops = {ways: buffers_topped(by_card, bound, ways) for ways in set(by_card)}
    total = sum(tops[ways] for ways in by_card)
    return tuple(Fraction(tops[ways], total) for ways in by_card)


def buffers_topped(by_card: tuple[int, ...], bound: int, ways: int) -> int:
    """Count the buffers that make a deck with one given card, of that many bytes, on top.

    Some bytes are skipped, then comes one of the card's, and the rest holds all other cards.
    """
    others = list(by_card)
    others.remove(ways)
    skipped = BYTES - bound - 1
    return sum(
        skipped**at * ways * holding(BUFFER_BYTES - at - 1, Counter(others))
        for at in range(BUFFER_BYTES)
    )


def holding(length: int, cards: Counter[int]) -> int:
    """Count the byte strings that hold all these cards, given as bytes a card → cards.

    By inclusion and exclusion: all strings, less those without one card, and so on.
    """
    weighed = Counter({0: 1})
    for ways, cards_so in cards.items():
        wider: Counter[int] = Counter()
        for absent, weight in weighed.items():
            for k in range(cards_so + 1):
                wider[absent + k * ways] += weight * (-1) ** k * comb(cards_so, k)
        weighed = wider
    return sum(weight * (BYTES - absent) ** length for absent, weight in weighed.items())


def first_card_power(decks: int, chances: tuple[Fraction, ...], alpha: float) -> float:
    """How likely the first-card test alone rejects a dealer with these chances."""
    even = Fraction(1, DECK_SIZE)
    distance = decks * float(sum((chance - even) ** 2 for chance in chances) / even)
    return seen(distance, alpha)


def seen(distance: float, alpha: float) -> float:
    """The power of the first-card test against a fault of this size (non-central chi-square)."""
    bar = stats.chi2.isf(alpha / 2, DECK_SIZE - 1)
    return float(stats.ncx2.sf(bar, DECK_SIZE - 1, distance))


def decks_needed(chances: tuple[Fraction, ...], alpha: float) -> int:
    """How many decks it takes until the first-card test alone has a power of 99.9 %."""
    return round(
        optimize.brentq(lambda n: first_card_power(n, chances, alpha) - POWER, 1_000, 10_000_000)
    )


def least_seen(decks: int, alpha: float) -> float:
    """By how much one card must be likelier on top to be seen with 99.9 %, as a share of 1/52."""
    distance = optimize.brentq(lambda size: seen(size, alpha) - POWER, 1, 1_000)
    return float((distance * (DECK_SIZE - 1) / decks) ** 0.5)
