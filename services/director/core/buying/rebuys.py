"""BH-REBUY: rebuys are on offer right after an elimination, add-ons in any other state.

An offer counts by the level that its hand was played in, and stands until its deadline, or until
a purchase asked for before it is answered.
"""

from services.director.core.bounties import bounties_won
from services.director.core.buying.periods import on_sale
from services.director.core.entries import ENTRY_MS, Decision, next_entry
from services.director.core.ranking import worst_at
from services.director.core.state import Bought, Bust, Tournament
from shared.contracts.director import (
    AddOn,
    DeclineRebuy,
    DirectorEvent,
    PlayerBusted,
    Purchase,
    Rebuy,
    RebuyKind,
    RebuyOffered,
    RebuyRequested,
    Terms,
)
from shared.kernel.decider import Refused

OFFER_TIMER = "offer "


def rebuy(tournament: Tournament, request: Rebuy, at_ms: int) -> Decision:
    """Ask the wallet to hold the price; the request keeps the offer open."""
    player = request.player
    sold = sold_to(tournament, player, "rebuy")
    if isinstance(sold, Refused):
        return sold
    offer = tournament.offers.get(player)
    if offer is None and has_chips(tournament, player):
        return Refused("still_has_chips")
    if offer is None and not on_sale(tournament, sold.until_level, at_ms):
        return Refused("rebuys_over", f"they end with level {sold.until_level}")
    if paid_by(tournament, player).rebuys >= sold.most:
        return Refused("rebuy_limit_reached", f"{sold.most} a player")
    if offer is None or at_ms >= offer.deadline_ms:
        return Refused("offer_lapsed")
    return (requested(tournament, player, "rebuy", sold, at_ms),)


def add_on(tournament: Tournament, request: AddOn, at_ms: int) -> Decision:
    """Ask the wallet to hold the price; the chips come with the player's next hand."""
    player = request.player
    sold = sold_to(tournament, player, "add_on")
    if isinstance(sold, Refused):
        return sold
    if not has_chips(tournament, player):
        return Refused("no_chips")
    if not on_sale(tournament, sold.until_level, at_ms):
        return Refused("add_ons_over", f"they end with level {sold.until_level}")
    if paid_by(tournament, player).add_ons >= sold.most:
        return Refused("add_on_limit_reached", f"{sold.most} a player")
    return (requested(tournament, player, "add_on", sold, at_ms),)


def sold_to(tournament: Tournament, player: str, kind: RebuyKind) -> Purchase | Refused:
    """Return what is sold, unless nobody, or this player, can buy anything now."""
    if tournament.phase == "unknown":
        return Refused("unknown_tournament")
    if tournament.phase != "running":
        return Refused("not_running")
    sold = extra_of(tournament.agreed, kind)
    if sold is None:
        return Refused("not_sold_here")
    if tournament.cancelling is not None:
        return Refused("cancelling")
    if player not in tournament.registered:
        return Refused("not_registered")
    return Refused("purchase_pending") if player in tournament.pending else sold


def extra_of(terms: Terms, kind: RebuyKind) -> Purchase | None:
    """Return the terms of rebuys or of add-ons, where there are any."""
    return terms.rebuy if kind == "rebuy" else terms.add_on


def decline(tournament: Tournament, request: DeclineRebuy, _at_ms: int) -> Decision:
    """Go out at once instead of at the deadline."""
    if tournament.phase == "unknown":
        return Refused("unknown_tournament")
    if request.player not in tournament.offers:
        return Refused("no_offer")
    if request.player in tournament.pending:
        return Refused("purchase_pending")
    return (out(tournament, bust_of(tournament, request.player)),)


def requested(
    tournament: Tournament, player: str, kind: RebuyKind, sold: Purchase, at_ms: int
) -> RebuyRequested:
    return RebuyRequested(
        tournament=tournament.tournament,
        entry=next_entry(tournament, player),
        player=player,
        kind=kind,
        fee_cents=sold.fee_cents,
        commission_cents=sold.commission_cents,
        deadline_ms=at_ms + ENTRY_MS,
    )


def settle(tournament: Tournament, at_ms: int) -> tuple[DirectorEvent, ...]:
    """While places are open, the worst of a hand goes out, or has a rebuy on offer.

    Either way the bounty is won: the last chips are gone.
    """
    if not tournament.selling or not tournament.unranked:
        return ()
    bust = worst_at(tournament.unranked[0])
    again = may_rebuy(tournament, bust)
    if not again and bust.player not in tournament.pending:
        return (out(tournament, bust), *bounties_won(tournament, bust))
    offered = RebuyOffered(
        tournament=tournament.tournament,
        player=bust.player,
        table=bust.table,
        seat=bust.seat,
        hand=bust.hand,
        offered_ms=at_ms,
        deadline_ms=at_ms + (tournament.agreed.rebuy_offer_ms if again else 0),
    )
    return (offered, *bounties_won(tournament, bust))


def may_rebuy(tournament: Tournament, bust: Bust) -> bool:
    """Tell whether the hand was one of the period, and the player has not bought most of them."""
    sold = tournament.agreed.rebuy
    if sold is None or tournament.cancelling is not None:
        return False
    in_period = tournament.tables[bust.table].level <= sold.until_level
    return in_period and paid_by(tournament, bust.player).rebuys < sold.most


def lapse(tournament: Tournament, at_ms: int) -> tuple[DirectorEvent, ...]:
    """Nobody waits for an offer past its deadline, but for a purchase that is pending."""
    return tuple(
        out(tournament, bust_of(tournament, player))
        for player, offer in tournament.offers.items()
        if offer.deadline_ms <= at_ms and player not in tournament.pending
    )


def withdrawn(tournament: Tournament) -> tuple[DirectorEvent, ...]:
    """An open rebuy offer is out when the tournament is given up (the cut)."""
    return tuple(out(tournament, bust_of(tournament, player)) for player in tournament.offers)


def out(tournament: Tournament, bust: Bust) -> PlayerBusted:
    return PlayerBusted(
        tournament=tournament.tournament, player=bust.player, table=bust.table, hand=bust.hand
    )


def bust_of(tournament: Tournament, player: str) -> Bust:
    """Return how a player who has a rebuy on offer lost all chips."""
    return next(bust for bust in tournament.busted if bust.player == player)


def paid_by(tournament: Tournament, player: str) -> Bought:
    """Return what a player has bought by now."""
    return tournament.paid.get(player) or Bought()


def has_chips(tournament: Tournament, player: str) -> bool:
    """Tell whether a player is still in, seated or on the way; before the first seat all are."""
    if not tournament.tables:
        return player in tournament.registered
    return any(
        held.player == player
        for table in tournament.tables.values()
        for held in table.seats + table.arriving
    )
