"""Prizes in cents: BH-WINNERS, BH-STANDARD, and the decision on what cannot be split."""

from services.director.core.standard_prizes import STANDARD_ROWS, shares_of
from shared.contracts.director import StandardPrizes, WinnersPrizes

WHOLE = 10_000


def prizes_in_cents(
    prizes: WinnersPrizes | StandardPrizes, entries: int, pool_cents: int
) -> tuple[int, ...]:
    """Return the prize of each paid place, the best first; they sum to the pool."""
    shares = prizes.shares if isinstance(prizes, WinnersPrizes) else standard_shares(entries)
    return split(pool_cents, shares)


def standard_shares(entries: int) -> tuple[int, ...]:
    """Read the published table (BH-STANDARD): hundredths of a percent, the best place first."""
    return shares_of(next(row for up_to, row in STANDARD_ROWS if entries <= up_to))


def split(pool_cents: int, shares: tuple[int, ...]) -> tuple[int, ...]:
    """Split to the cent; cents that cannot be split go to better places first (BH-WINNERS)."""
    whole = [pool_cents * share // WHOLE for share in shares]
    odd = pool_cents - sum(whole)
    return tuple(cents + (place < odd) for place, cents in enumerate(whole))


def shared_cents(prizes_cents: tuple[int, ...], best_place: int, players: int) -> tuple[int, ...]:
    """Share the prizes of places that tie (PP-TIES); odd cents to whom was drawn first."""
    cents = sum(prizes_cents[best_place - 1 : best_place - 1 + players])
    each, odd = divmod(cents, players)
    return tuple(each + (drawn < odd) for drawn in range(players))
