"""A held price becomes chips: it is posted in the commit that brings them to a table.

So nobody has paid without having chips. A rebuy comes to the seat that was kept, an add-on to a
seat between hands; a newcomer draws a chair of the shortest table, or opens another one when all
chairs are taken.
"""

from services.director.core.buying.rebuys import extra_of
from services.director.core.moves.tables import chairs_of
from services.director.core.seating import late_table
from services.director.core.state import Pending, Tournament
from shared.contracts.director import (
    ChipsAssigned,
    DirectorEvent,
    DrawAwaited,
    DrawTaken,
    PlayerRegistered,
    Purchase,
    RebuyGranted,
    RebuyKind,
    SeatAssigned,
)

LATE_DRAW = "late"


def hand_out(tournament: Tournament) -> tuple[DirectorEvent, ...]:
    """Bring the chips of one held purchase, the first by player that can come now.

    Looked for where they can come to, since many may wait for the ends of their hands.
    """
    if not tournament.pending:
        return ()
    chairs = chairs_between_hands(tournament)
    for player in sorted([*chairs, *tournament.offers, *entering(tournament)]):
        pending = tournament.pending.get(player)
        if pending is not None and pending.held:
            events = chips_for(tournament, player, pending, chairs.get(player))
            if events:
                return events
    return ()


def chairs_between_hands(tournament: Tournament) -> dict[str, tuple[str, int]]:
    """Return table and seat of each buyer whose stack can grow now: at a table at rest.

    Not while the table's word on what it has when it halts is under way.
    """
    return {
        held.player: (table.table, held.seat)
        for table in tournament.tables.at_rest
        if not table.halting
        for held in table.seats
        if held.player in tournament.pending
    }


def entering(tournament: Tournament) -> tuple[str, ...]:
    """Return who has asked for an entry."""
    if not tournament.agreed.late_levels:
        return ()
    return tuple(who for who, pending in tournament.pending.items() if pending.kind == "entry")


def chips_for(
    tournament: Tournament, player: str, pending: Pending, chair: tuple[str, int] | None
) -> tuple[DirectorEvent, ...]:
    """Choose how they come; not to a table that closes."""
    offer = tournament.offers.get(player)
    if offer is not None and offer.table not in tournament.tables.closing:
        return seated(tournament, player, offer.table, offer.seat)
    if chair is not None:
        return added(tournament, player, pending, *chair)
    return newcomer(tournament, player)


def added(
    tournament: Tournament, player: str, pending: Pending, table: str, seat: int
) -> tuple[DirectorEvent, ...]:
    """Add chips to a stack between hands; who is on the way gets them where the way ends."""
    chips = ChipsAssigned(
        tournament=tournament.tournament,
        entry=pending.entry,
        player=player,
        table=table,
        seat=seat,
        chips=chips_of(tournament, pending),
    )
    return (bought(tournament, player), chips)


def newcomer(tournament: Tournament, player: str) -> tuple[DirectorEvent, ...]:
    """Draw a chair; not while players of a closing table still need theirs."""
    hall = tournament.tables
    closing = (hall[name] for name in hall.closing)
    if any(table.seats or table.arriving for table in closing):
        return ()
    shortest = next(hall.by_shortness())
    if shortest.size >= tournament.agreed.seats:
        chips = chips_of(tournament, tournament.pending[player])
        return (bought(tournament, player), late_table(tournament, player, chips))
    return (DrawAwaited(purpose=f"{LATE_DRAW} {player}", candidates=chairs_of([shortest])),)


def seated_by_draw(tournament: Tournament, taken: DrawTaken) -> tuple[DirectorEvent, ...]:
    """Seat a newcomer on the chair drawn first."""
    player = taken.purpose.removeprefix(f"{LATE_DRAW} ")
    table, _, seat = taken.candidates[taken.order[0]].partition("/")
    return seated(tournament, player, table, int(seat))


def seated(tournament: Tournament, player: str, table: str, seat: int) -> tuple[DirectorEvent, ...]:
    """Post the price, and bring the chips to the seat."""
    assigned = SeatAssigned(
        tournament=tournament.tournament,
        player=player,
        table=table,
        seat=seat,
        stack_chips=chips_of(tournament, tournament.pending[player]),
    )
    return (bought(tournament, player), assigned)


def bought(tournament: Tournament, player: str) -> PlayerRegistered | RebuyGranted:
    """Write down that a purchase is paid for."""
    pending, terms = tournament.pending[player], tournament.agreed
    if pending.kind == "entry":
        return PlayerRegistered(
            tournament=tournament.tournament,
            entry=pending.entry,
            player=player,
            fee_cents=terms.fee_cents,
            commission_cents=terms.commission_cents,
        )
    extra = sold_as(tournament, pending.kind)
    return RebuyGranted(
        tournament=tournament.tournament,
        entry=pending.entry,
        player=player,
        kind=pending.kind,
        fee_cents=extra.fee_cents,
        commission_cents=extra.commission_cents,
        chips=extra.chips,
    )


def chips_of(tournament: Tournament, pending: Pending) -> int:
    """Return what a purchase brings."""
    if pending.kind == "entry":
        return tournament.agreed.starting_chips
    return sold_as(tournament, pending.kind).chips


def sold_as(tournament: Tournament, kind: RebuyKind) -> Purchase:
    """Return the terms of what was asked for, so there are some."""
    extra = extra_of(tournament.agreed, kind)
    assert extra is not None
    return extra
