"""A deal from its offer to its end: the play stops, all agree and it is over, or it goes on."""

from services.director.core.deals.shares import shares_in_cents
from services.director.core.deals.waiting import ANSWER_MS
from services.director.core.ranking import holders_by_chips
from services.director.core.stages import is_last_stage
from services.director.core.state import Tournament
from shared.contracts.director import (
    AnswerDeal,
    DealAccepted,
    DealAgreed,
    DealFailed,
    DealOffered,
    DealProposed,
    DealShare,
    DirectorEvent,
    OfferDeal,
)
from shared.kernel.decider import Refused

DEAL_TIMER = "deal"
HANDS_BETWEEN = 20

Decision = tuple[DirectorEvent, ...] | Refused


def offer(tournament: Tournament, request: OfferDeal, _at_ms: int) -> Decision:
    """Only where all who are left have a prize, at one table; one at once, and none too soon."""
    if tournament.phase == "unknown":
        return Refused("unknown_tournament")
    if tournament.phase != "running" or tournament.cancelling is not None:
        return Refused("not_running")
    if not tournament.agreed.deals:
        return Refused("no_deals")
    if not is_still_in(tournament, request.player):
        return Refused("not_still_in")
    if not is_final(tournament):
        return Refused("too_many_left", "all who are left have a prize, at one table")
    if tournament.deal is not None:
        return Refused("deal_open")
    if has_just_failed(tournament):
        detail = f"another may be offered in the next level, or {HANDS_BETWEEN} hands later"
        return Refused("deal_failed", detail)
    return (
        DealOffered(tournament=tournament.tournament, player=request.player, method=request.method),
    )


def has_just_failed(tournament: Tournament) -> bool:
    """Say whether a deal has failed in this level, not so many hands ago; the last never ends."""
    hands = tournament.hands_digested - tournament.deal_failed_after
    return tournament.no_deal_in_level == tournament.level and hands < HANDS_BETWEEN


def is_still_in(tournament: Tournament, player: str) -> bool:
    """Say whether a player has chips at a table."""
    return any(seat.player == player for seat in holders_by_chips(tournament))


def is_final(tournament: Tournament) -> bool:
    """Say whether two or more are left who all have a prize, at the last table there is."""
    paid = 2 <= tournament.left <= len(tournament.prizes_cents)
    return paid and len(tournament.tables) == 1 and is_last_stage(tournament)


def propose(tournament: Tournament, at_ms: int) -> tuple[DirectorEvent, ...]:
    """Compute the shares once the hand is over; nobody is dealt in meanwhile."""
    deal = tournament.deal
    if deal is None or deal.shares or tournament.tables.any_playing:
        return ()
    seats = holders_by_chips(tournament)
    cents = shares_in_cents(
        deal.method,
        tournament.prizes_cents[: len(seats)],
        [seat.stack_chips for seat in seats],
    )
    return (
        DealProposed(
            tournament=tournament.tournament,
            method=deal.method,
            shares=tuple(
                DealShare(seat.player, seat.stack_chips, share)
                for seat, share in zip(seats, cents, strict=True)
            ),
            answer_by_ms=at_ms + ANSWER_MS,
        ),
    )


def answer(tournament: Tournament, request: AnswerDeal, at_ms: int) -> Decision:
    """Who declines ends it at once; the last to agree ends the tournament."""
    if tournament.phase == "unknown":
        return Refused("unknown_tournament")
    deal = tournament.deal
    if deal is None or not deal.shares or at_ms >= deal.answer_by_ms:
        return Refused("no_deal")
    if not any(share.player == request.player for share in deal.shares):
        return Refused("not_still_in")
    if request.player in deal.agreed:
        return () if request.agree else Refused("already_agreed")
    name = tournament.tournament
    if not request.agree:
        return (DealFailed(tournament=name, player=request.player),)
    accepted = DealAccepted(tournament=name, player=request.player)
    if len(deal.agreed) + 1 < len(deal.shares):
        return (accepted,)
    prizes = tuple(share.amount_cents for share in deal.shares)
    return accepted, DealAgreed(tournament=name, prizes_cents=prizes)


def expire(tournament: Tournament, at_ms: int) -> tuple[DirectorEvent, ...]:
    """Not everybody has answered in time: it is played on."""
    deal = tournament.deal
    if deal is None or not deal.shares or at_ms < deal.answer_by_ms:
        return ()
    return (DealFailed(tournament=tournament.tournament, player=""),)
