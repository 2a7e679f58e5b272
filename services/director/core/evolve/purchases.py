"""How purchases, rebuy offers and the waiting list change, and the end of all entries."""

from typing import Literal

from msgspec.structs import replace

from services.director.core.evolve.bounties import with_bounty
from services.director.core.evolve.rows import Rows
from services.director.core.state import Bought, Offer, Pending, Tournament, Waiter
from shared.contracts.director import (
    ChipsAssigned,
    EntriesClosed,
    EntryRequested,
    PriceHeld,
    RebuyGranted,
    RebuyKind,
    RebuyLapsed,
    RebuyOffered,
    RebuyOfferExtended,
    RebuyRequested,
    WaitingListClosed,
    WaitingListJoined,
    WaitingListLeft,
)
from shared.contracts.hand import SeatStack
from shared.kernel.outages import with_credit


def asked_for(
    tournament: Tournament, event: EntryRequested | RebuyRequested, pending: Pending
) -> Tournament:
    """A player has one purchase pending at a time."""
    times = (tournament.asked.get(event.player) or 0) + 1
    return replace(
        tournament,
        asked=tournament.asked.insert(event.player, times),
        pending=tournament.pending.insert(event.player, pending),
    )


def rebuy_requested(tournament: Tournament, event: RebuyRequested) -> Tournament:
    return asked_for(tournament, event, Pending(event.entry, event.deadline_ms, kind=event.kind))


def price_held(tournament: Tournament, event: PriceHeld) -> Tournament:
    held = replace(tournament.pending[event.player], held=True)
    return replace(tournament, pending=tournament.pending.insert(event.player, held))


def rebuy_lapsed(tournament: Tournament, event: RebuyLapsed) -> Tournament:
    return replace(tournament, pending=tournament.pending.remove(event.player))


def rebuy_granted(tournament: Tournament, event: RebuyGranted) -> Tournament:
    """Who had nothing left is in again, at the seat that follows."""
    granted = paid_for(tournament, event.player, event.kind)
    if event.player in tournament.offers:
        return without_offer(granted, event.player)
    return granted


def paid_for(tournament: Tournament, player: str, kind: Literal["entry"] | RebuyKind) -> Tournament:
    """Count what was bought, with its bounty; whoever was out before is not any more."""
    field = {"entry": "entries", "rebuy": "rebuys", "add_on": "add_ons"}[kind]
    bought = tournament.paid.get(player) or Bought()
    bounty_cents = 0 if kind == "add_on" else tournament.agreed.bounty_cents
    return replace(
        tournament,
        pending=tournament.pending.remove(player),
        paid=tournament.paid.insert(player, one_more(bought, field)),
        sold=one_more(tournament.sold, field),
        bounties=with_bounty(tournament, player, bounty_cents),
        busted=tuple(bust for bust in tournament.busted if bust.player != player),
    )


def one_more(bought: Bought, field: str) -> Bought:
    """Add one of a kind."""
    return replace(bought, **{field: getattr(bought, field) + 1})


def rebuy_offered(tournament: Tournament, event: RebuyOffered) -> Tournament:
    """The chair is kept; the player stands among those out, where the hand has put them."""
    oldest, *later = tournament.unranked
    bust = next(bust for bust in oldest if bust.player == event.player)
    waiting = tuple(bust for bust in oldest if bust.player != event.player)
    table = tournament.tables[event.table]
    kept = replace(table, reserved=(*table.reserved, SeatStack(event.seat, event.player, 0)))
    offer = Offer(event.table, event.seat, event.offered_ms, event.deadline_ms)
    return replace(
        tournament,
        unranked=(waiting, *later) if waiting else tuple(later),
        busted=(*tournament.busted, bust),
        offers=tournament.offers.insert(event.player, offer),
        tables=tournament.tables.with_table(kept),
    )


def without_offer(tournament: Tournament, player: str) -> Tournament:
    """The chair is free, or about to be taken again."""
    table = tournament.tables[tournament.offers[player].table]
    free = replace(table, reserved=tuple(held for held in table.reserved if held.player != player))
    return replace(
        tournament,
        offers=tournament.offers.remove(player),
        tables=tournament.tables.with_table(free),
    )


def offer_extended(tournament: Tournament, event: RebuyOfferExtended) -> Tournament:
    before = tournament.offers[event.player]
    credited = with_credit(before.credited, event.down_from_ms, event.up_at_ms)
    offer = replace(before, deadline_ms=event.deadline_ms, credited=credited)
    return replace(tournament, offers=tournament.offers.insert(event.player, offer))


def chips_assigned(tournament: Tournament, event: ChipsAssigned) -> Tournament:
    table = tournament.tables[event.table]
    seats = tuple(
        replace(held, stack_chips=held.stack_chips + event.chips)
        if held.player == event.player
        else held
        for held in table.seats
    )
    return replace(tournament, tables=tournament.tables.with_table(replace(table, seats=seats)))


def entries_closed(tournament: Tournament, event: EntriesClosed) -> Tournament:
    return replace(tournament, prizes_cents=event.prizes_cents)


def waiting_joined(tournament: Tournament, event: WaitingListJoined) -> Tournament:
    return replace(tournament, waiting=(*tournament.waiting, Waiter(event.player, event.ticket)))


def waiting_left(tournament: Tournament, event: WaitingListLeft) -> Tournament:
    return without_waiter(tournament, event.player)


def without_waiter(tournament: Tournament, player: str) -> Tournament:
    """Who may be on the waiting list is not any more."""
    rest = tuple(waiter for waiter in tournament.waiting if waiter.player != player)
    return replace(tournament, waiting=rest)


def waiting_closed(tournament: Tournament, _: WaitingListClosed) -> Tournament:
    return replace(tournament, waiting=())


APPLY: Rows = {
    RebuyRequested: rebuy_requested,
    PriceHeld: price_held,
    RebuyLapsed: rebuy_lapsed,
    RebuyGranted: rebuy_granted,
    RebuyOffered: rebuy_offered,
    RebuyOfferExtended: offer_extended,
    ChipsAssigned: chips_assigned,
    EntriesClosed: entries_closed,
    WaitingListJoined: waiting_joined,
    WaitingListLeft: waiting_left,
    WaitingListClosed: waiting_closed,
}
