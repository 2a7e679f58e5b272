"""What each of the last players would get of the prizes that are left, exact to the cent.

By the independent chip model (Malmuth and Harville): the chance to win a place is the share of the
chips that those still have who have not won a better one. By chips: everybody gets the prize
of the next place to fall, the rest goes in proportion to chips.
"""

from collections.abc import Sequence
from fractions import Fraction
from math import floor

from shared.contracts.director import Method


def shares_in_cents(
    method: Method, prizes_cents: Sequence[int], chips: Sequence[int]
) -> tuple[int, ...]:
    """Share as many prizes as there are stacks, the most chips first; they sum to the prizes.

    Each share is floored; cents left over go one at a time by chips, most first.
    """
    exact = icm(prizes_cents, chips) if method == "icm" else by_chips(prizes_cents, chips)
    cents = [floor(share) for share in exact]
    left_over = sum(prizes_cents) - sum(cents)
    return tuple(share + (place < left_over) for place, share in enumerate(cents))


def by_chips(prizes_cents: Sequence[int], chips: Sequence[int]) -> tuple[Fraction, ...]:
    """Secure the least prize for everybody, and share the rest by chips."""
    secured = min(prizes_cents)
    rest, total = sum(prizes_cents) - secured * len(chips), sum(chips)
    return tuple(secured + Fraction(rest * stack, total) for stack in chips)


def icm(prizes_cents: Sequence[int], chips: Sequence[int]) -> tuple[Fraction, ...]:
    """Walk over all sets of players who have won the best places, with their chances."""
    players, total = range(len(chips)), sum(chips)
    chance = {0: Fraction(1)}
    shares = [Fraction(0)] * len(chips)
    for prize in prizes_cents:
        after: dict[int, Fraction] = {}
        for placed, likely in chance.items():
            left = total - sum(chips[player] for player in players if placed >> player & 1)
            for player in players:
                if not placed >> player & 1:
                    wins = likely * chips[player] / left
                    shares[player] += wins * prize
                    also = placed | 1 << player
                    after[also] = after.get(also, Fraction(0)) + wins
        chance = after
    return tuple(shares)
