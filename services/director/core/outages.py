"""Time that an outage took from a level, a break or a rebuy offer is given back.

Of an outage counts what lies after it began, up to now, and has not been given back yet.
An entry's deadline is no player's clock: an entry that the wallet did not answer for in time
has expired, whoever was away, and nobody has paid for it.
"""

from collections.abc import Iterator
from typing import Any

from services.director.core import deals
from services.director.core.state import Tournament
from shared.contracts.director import (
    BreakExtended,
    ClockExtended,
    DirectorEvent,
    RebuyOfferExtended,
)
from shared.contracts.message import OutageOver
from shared.kernel.outages import Stretch, left_of


def has_clock(tournament: Tournament) -> bool:
    """Tell whether anything here lasts by time that players play, rest or decide in."""
    by_time = tournament.level_ends_ms is not None or deals.is_waiting(tournament)
    return tournament.phase == "running" and (by_time or len(tournament.offers) > 0)


def outage_over(
    tournament: Tournament, outage: OutageOver, at_ms: int
) -> tuple[DirectorEvent, ...]:
    """Give an outage back to whatever lasts by time."""
    lasting = level_extended(tournament, outage, at_ms)
    deal = deals.outage_over(tournament, outage, at_ms)
    return (*lasting, *deal, *offers_extended(tournament, outage, at_ms))


def offers_extended(
    tournament: Tournament, outage: OutageOver, at_ms: int
) -> Iterator[RebuyOfferExtended]:
    for player, offer in tournament.offers.items():
        since_ms = max(outage.down_from_ms, offer.began_ms)
        stood_still = Stretch(since_ms, min(outage.up_at_ms, at_ms))
        deadline_ms = offer.deadline_ms
        for stretch in left_of(stood_still, offer.credited):
            deadline_ms += stretch.length_ms
            yield RebuyOfferExtended(
                tournament=tournament.tournament,
                player=player,
                down_from_ms=stretch.from_ms,
                up_at_ms=stretch.to_ms,
                by_ms=stretch.length_ms,
                deadline_ms=deadline_ms,
            )


def level_extended(
    tournament: Tournament, outage: OutageOver, at_ms: int
) -> tuple[ClockExtended | BreakExtended, ...]:
    """Put off the end of level or break, also one that has passed and was not acted on yet."""
    ends_ms = tournament.level_ends_ms
    if tournament.phase != "running" or ends_ms is None:
        return ()
    since_ms = max(outage.down_from_ms, level_began_ms(tournament, ends_ms))
    stood_still = Stretch(since_ms, min(outage.up_at_ms, at_ms))
    given: list[ClockExtended | BreakExtended] = []
    for stretch in left_of(stood_still, tournament.level_credited):
        ends_ms += stretch.length_ms
        given.append(extended(tournament, stretch, ends_ms))
    return tuple(given)


def extended(
    tournament: Tournament, stretch: Stretch, ends_ms: int
) -> ClockExtended | BreakExtended:
    """Write down what is given back, and to which of the two."""
    common: dict[str, Any] = {
        "tournament": tournament.tournament,
        "down_from_ms": stretch.from_ms,
        "up_at_ms": stretch.to_ms,
        "by_ms": stretch.length_ms,
        "ends_at_ms": ends_ms,
    }
    if tournament.resting:
        return BreakExtended(after_level=tournament.level, **common)
    return ClockExtended(level_number=tournament.level, **common)


def level_began_ms(tournament: Tournament, ends_ms: int) -> int:
    """Return when the level or break began that ends then, with all that has been given back."""
    credited_ms = sum(stretch.length_ms for stretch in tournament.level_credited)
    return ends_ms - credited_ms - length_ms(tournament)


def length_ms(tournament: Tournament) -> int:
    """Return how long the level or the break lasts by the terms."""
    terms = tournament.agreed
    if not tournament.resting:
        return terms.level_ms
    return next(rest.ms for rest in terms.breaks if rest.after_level == tournament.level)
