"""Prizes in cents: BH-WINNERS, BH-STANDARD, BH-SATELLITE, BH-BIGSHOOT; what cannot be split."""

from services.director.core.standard_prizes import STANDARD_ROWS, shares_of
from shared.contracts.director import (
    QualifyingPrizes,
    SatellitePrizes,
    StandardPrizes,
    WinnersPrizes,
)

WHOLE = 10_000
Form = WinnersPrizes | StandardPrizes | SatellitePrizes | QualifyingPrizes


def prizes_in_cents(
    prizes: Form, entries: int, pool_cents: int, players: int | None = None
) -> tuple[int, ...]:
    """Return the prize of each paid place, the best first; they sum to the pool."""
    match prizes:
        case WinnersPrizes(shares=shares):
            return split(pool_cents, shares)
        case StandardPrizes():
            return split(pool_cents, standard_shares(entries, players))
        case SatellitePrizes():
            return satellite_cents(prizes, entries, pool_cents, players)
        case QualifyingPrizes():
            return even(pool_cents, qualifiers(prizes, entries, players))


def full_prizes(
    prizes: SatellitePrizes, entries: int, pool_cents: int, players: int | None = None
) -> int:
    """Count the whole prizes; 0 when the pool is too small for one. Somebody always gets none.

    Of a percentage each is worth a cent at least, if there is any. Re-entries are entries, but it
    is players who win, each once.
    """
    if prizes.prize_cents:
        wanted = pool_cents // prizes.prize_cents
    else:
        share = max(entries * prizes.winners // WHOLE, 1)
        wanted = min(share, pool_cents or share)
    return min(wanted, (players or entries) - 1)


def satellite_cents(
    prizes: SatellitePrizes, entries: int, pool_cents: int, players: int | None = None
) -> tuple[int, ...]:
    """Return every place's prize; the rest, smaller than one, goes to the first without one.

    A pool that is too small for one goes to the first place. One that pays for
    more fixed prizes than there are players to win them makes them larger. Cents that so many
    winners cannot share may be more than a prize: then they are prizes of further places, and
    where there are not places enough, the first ones win a cent more.
    """
    winners = full_prizes(prizes, entries, pool_cents, players)
    if not winners:
        return (pool_cents,)
    prize = pool_cents // winners
    if prizes.prize_cents and pool_cents // prizes.prize_cents == winners:
        prize = prizes.prize_cents
    odd = pool_cents - prize * winners
    further, rest = divmod(odd, max(prize, 1))
    if winners + further + (rest > 0) > (players or entries):
        return tuple(prize + (place < odd) for place in range(winners))
    return (prize,) * (winners + further) + ((rest,) if rest else ())


def qualifiers(prizes: QualifyingPrizes, entries: int, players: int | None = None) -> int:
    """Count who goes on (BH-BIGSHOOT): at least one, and never everybody but who is alone."""
    share = entries * prizes.winners // WHOLE
    return max(min(share, (players or entries) - 1), 1)


def standard_shares(entries: int, players: int | None = None) -> tuple[int, ...]:
    """Read the published table (BH-STANDARD): hundredths of a percent, the best place first.

    Re-entries are entries, but no more places are paid than there are players, if these are fewer.
    """
    row = next(nth for nth, (up_to, _) in enumerate(STANDARD_ROWS) if entries <= up_to)
    while len(shares := shares_of(STANDARD_ROWS[row][1])) > (players or entries):
        row -= 1
    return shares


def split(pool_cents: int, shares: tuple[int, ...]) -> tuple[int, ...]:
    """Split to the cent; cents that cannot be split go to better places first (BH-WINNERS)."""
    whole = [pool_cents * share // WHOLE for share in shares]
    odd = pool_cents - sum(whole)
    return tuple(cents + (place < odd) for place, cents in enumerate(whole))


def even(cents: int, parts: int) -> tuple[int, ...]:
    """Split evenly; odd cents to the first."""
    each, odd = divmod(cents, parts)
    return tuple(each + (nth < odd) for nth in range(parts))


def shared_cents(prizes_cents: tuple[int, ...], best_place: int, players: int) -> tuple[int, ...]:
    """Share the prizes of places that tie (PP-TIES); odd cents to whom was drawn first."""
    cents = sum(prizes_cents[best_place - 1 : best_place - 1 + players])
    return even(cents, players)
