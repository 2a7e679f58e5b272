"""Satellites (BH-SATELLITE): the play stops when only winners are left; prizes may be tickets."""

from services.director.core.prizes import full_prizes
from services.director.core.state import Tournament
from shared.contracts.director import SatellitePrizes


def winners_at_the_end(tournament: Tournament) -> int:
    """Return how many are left when the play stops: one, or all who win a satellite's prize."""
    return max(full_prizes_of(tournament), 1)


def ticket_for(tournament: Tournament, place: int, amount_cents: int) -> str:
    """Return the tournament that a prize is a ticket for, "" for money.

    A whole prize is a ticket where the terms name a target; what ties have shared is money.
    """
    prizes = tournament.agreed.prizes
    if not isinstance(prizes, SatellitePrizes) or place > full_prizes_of(tournament):
        return ""
    return prizes.target if amount_cents == tournament.prizes_cents[place - 1] else ""


def full_prizes_of(tournament: Tournament) -> int:
    """Count the whole prizes, once they are fixed; other forms have none of these."""
    prizes = tournament.agreed.prizes
    if not isinstance(prizes, SatellitePrizes) or not tournament.prizes_cents:
        return 0
    return full_prizes(
        prizes,
        tournament.sold.entries,
        sum(tournament.prizes_cents),
        len(tournament.registered),
    )
