"""Moves after today's practice of the Tournament Directors Association (the preset `tda`).

Tables within one player; who is due for the big blind next moves, to the worst seat. Where the
practice leaves it to the director, tables break in an order that everybody knows beforehand:
the highest number first.
"""

from itertools import islice

from services.director.core.hall import Table
from services.director.core.moves.tables import (
    chairs_of,
    drawn_apart,
    move,
    tables_to_fill,
    uneven,
)
from services.director.core.positions import nearest_to_next_big_blind
from services.director.core.state import Tournament, tables_needed
from services.director.core.terms import final_table_players
from shared.contracts.director import DirectorEvent, DrawTaken

STOPS_WHEN_SHORT = 3


def closes(tournament: Tournament) -> Table | None:
    """Return the table with the highest number, when all fit without it, or at the final one."""
    if tournament.unranked:
        return None
    terms = tournament.agreed
    needed = tables_needed(tournament.left, terms.seats)
    if tournament.left <= final_table_players(terms) and not tournament.selling:
        needed = 1
    return tournament.tables.last if tournament.tables.open_count > needed else None


def drawn_to_close(tournament: Tournament, table: Table) -> tuple[str, ...]:
    """A broken table's players draw seats, blinds and button among them.

    As many of the shortest tables as there are players have chairs enough for all.
    """
    movers = tuple(held.player for held in table.seats)
    with_room = (other for other in tournament.tables.by_shortness() if other.free_seats)
    return (*movers, *chairs_of(islice(with_room, len(movers))))


def closing_moves(
    tournament: Tournament, table: Table, taken: DrawTaken
) -> tuple[DirectorEvent, ...]:
    """Send each mover, in drawn order, to the table that is shortest then, to a drawn chair."""
    movers, chairs = drawn_apart(taken)
    seats_of = {name: iter(seats) for name, seats in chairs.items()}
    room = {name: len(seats) for name, seats in chairs.items()}
    targets = tables_to_fill(tournament, len(movers), room)
    return tuple(
        move(tournament, player, table, target, next(seats_of[target]), "close")
        for player, target in zip(movers, targets, strict=True)
    )


def balance(tournament: Tournament) -> tuple[DirectorEvent, ...]:
    """Move who is due for the big blind next to the seat that it reaches soonest.

    That may be a single big blind; the seat that the small blind is due in is the last choice.
    """
    found = uneven(tournament.tables)
    if found is None:
        return ()
    donor, short = found
    player_at = {held.seat: held.player for held in donor.seats}
    due = nearest_to_next_big_blind(donor, player_at)[0]
    seat = nearest_to_next_big_blind(short, short.free_seats)[0]
    return (move(tournament, player_at[due], donor, short.table, seat, "balance"),)


def held_back(tournament: Tournament, table: Table) -> str | None:
    """A table three players short stops until it is balanced."""
    return "three_short" if tournament.tables.most - table.size >= STOPS_WHEN_SHORT else None
