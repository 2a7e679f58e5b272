"""Satellites (BH-SATELLITE): the play stops when only winners are left; prizes may be tickets.

So does a stage of a Big Shoot before the final, whose winners go on (BH-BIGSHOOT).
"""

from services.director.core.prizes import full_prizes
from services.director.core.state import Tournament
from shared.contracts.director import QualifyingPrizes, SatellitePrizes


def winners_at_the_end(tournament: Tournament) -> int:
    """Return how many are left when the play stops: one, or all who win a prize or go on."""
    return max(full_prizes_of(tournament), 1)


def ticket_for(tournament: Tournament, place: int, amount_cents: int) -> str:
    """Return the tournament that a prize is a ticket for, "" for money.

    A whole prize is a ticket where the terms name a target; what ties have shared is money.
    """
    prizes = tournament.agreed.prizes
    if not isinstance(prizes, SatellitePrizes) or place > full_prizes_of(tournament):
        return ""
    return prizes.target if amount_cents == tournament.prizes_cents[place - 1] else ""


def due_cents(tournament: Tournament) -> tuple[int, ...]:
    """Return what the places are paid: nothing where the pool goes on with the winners."""
    prizes = tournament.prizes_cents
    qualifying = isinstance(tournament.agreed.prizes, QualifyingPrizes)
    return (0,) * len(prizes) if qualifying else prizes


def full_prizes_of(tournament: Tournament) -> int:
    """Count the whole prizes, once they are fixed; other forms have none of these."""
    prizes = tournament.agreed.prizes
    if isinstance(prizes, QualifyingPrizes):
        return len(tournament.prizes_cents)
    if not isinstance(prizes, SatellitePrizes) or not tournament.prizes_cents:
        return 0
    return full_prizes(
        prizes,
        tournament.sold.entries,
        sum(tournament.prizes_cents),
        len(tournament.registered),
    )
