"""The time that players have to answer: what an outage takes of it is given back, once."""

from services.director.core.state import Tournament
from shared.contracts.director import DealExtended
from shared.contracts.message import OutageOver
from shared.kernel.outages import Stretch, left_of

ANSWER_MS = 60_000


def is_waiting(tournament: Tournament) -> bool:
    """Say whether shares are proposed and not everybody has answered."""
    return tournament.deal is not None and bool(tournament.deal.shares)


def outage_over(tournament: Tournament, outage: OutageOver, at_ms: int) -> tuple[DealExtended, ...]:
    """Count what lies after the proposal, up to now, and has not been given back yet."""
    deal = tournament.deal
    if deal is None or not deal.shares:
        return ()
    ends_ms = deal.answer_by_ms
    began_ms = ends_ms - ANSWER_MS - sum(stretch.length_ms for stretch in deal.credited)
    stood_still = Stretch(max(outage.down_from_ms, began_ms), min(outage.up_at_ms, at_ms))
    given: list[DealExtended] = []
    for stretch in left_of(stood_still, deal.credited):
        ends_ms += stretch.length_ms
        given.append(
            DealExtended(
                tournament=tournament.tournament,
                down_from_ms=stretch.from_ms,
                up_at_ms=stretch.to_ms,
                answer_by_ms=ends_ms,
            )
        )
    return tuple(given)
