"""How a deal comes and goes."""

from msgspec.structs import replace

from services.director.core.evolve.rows import Rows
from services.director.core.state import Deal, Tournament
from shared.contracts.director import (
    DealAccepted,
    DealAgreed,
    DealExtended,
    DealFailed,
    DealOffered,
    DealProposed,
)
from shared.kernel.outages import with_credit


def offered(tournament: Tournament, event: DealOffered) -> Tournament:
    return replace(tournament, deal=Deal(event.method))


def proposed(tournament: Tournament, event: DealProposed) -> Tournament:
    deal = Deal(event.method, event.shares, event.answer_by_ms)
    return replace(tournament, deal=deal)


def extended(tournament: Tournament, event: DealExtended) -> Tournament:
    deal = tournament.deal
    if deal is None:
        return tournament
    credited = with_credit(deal.credited, event.down_from_ms, event.up_at_ms)
    longer = replace(deal, answer_by_ms=event.answer_by_ms, credited=credited)
    return replace(tournament, deal=longer)


def accepted(tournament: Tournament, event: DealAccepted) -> Tournament:
    deal = tournament.deal
    if deal is None:
        return tournament
    return replace(tournament, deal=replace(deal, agreed=(*deal.agreed, event.player)))


def failed(tournament: Tournament, _: DealFailed) -> Tournament:
    return replace(
        tournament,
        deal=None,
        no_deal_in_level=tournament.level,
        deal_failed_after=tournament.hands_digested,
    )


def agreed(tournament: Tournament, event: DealAgreed) -> Tournament:
    """The places that are open have these prizes, in the order of the chips."""
    won = tournament.prizes_cents[len(event.prizes_cents) :]
    prizes = (*event.prizes_cents, *won)
    return replace(tournament, deal=None, deal_agreed=True, prizes_cents=prizes)


APPLY: Rows = {
    DealOffered: offered,
    DealProposed: proposed,
    DealExtended: extended,
    DealAccepted: accepted,
    DealFailed: failed,
    DealAgreed: agreed,
}
