"""BH-CLOSE and BH-BALANCE: as few tables as possible, none two players shorter than another."""

from services.director.core.hall import Table
from services.director.core.moves.tables import (
    move,
    tables_to_fill,
    uneven,
)
from services.director.core.positions import mover_in_same_position, nearest_to_next_big_blind
from services.director.core.state import Tournament, tables_needed
from shared.contracts.director import DirectorEvent, DrawTaken


def closes(tournament: Tournament) -> Table | None:
    """Return the table of the last eliminated, when all fit without it (BH-CLOSE).

    A round of hand for hand may empty more seats than one table has: then the table of the
    last one before closes as well.
    """
    needed = tables_needed(tournament.left, tournament.agreed.seats)
    if tournament.tables.open_count <= needed:
        return None
    return min(tournament.tables.open, key=lambda table: (-table.last_out, table.number))


def drawn_to_close(_tournament: Tournament, table: Table) -> tuple[str, ...]:
    """The draw is of the movers' tables; their seats follow from the order of the blinds."""
    return tuple(held.player for held in table.seats)


def closing_moves(
    tournament: Tournament, table: Table, taken: DrawTaken
) -> tuple[DirectorEvent, ...]:
    """Send the movers off: the tables by the draw, the seats by the order of the big blind."""
    targets = tables_to_fill(tournament, len(taken.order))
    target_of = {
        taken.candidates[index]: target for index, target in zip(taken.order, targets, strict=True)
    }
    player_at = {held.seat: held.player for held in table.seats}
    movers = [player_at[seat] for seat in nearest_to_next_big_blind(table, player_at)]
    seats_of = {
        target: iter(nearest_to_next_big_blind(held, held.free_seats))
        for target, held in ((name, tournament.tables[name]) for name in dict.fromkeys(targets))
    }
    return tuple(
        move(
            tournament,
            player,
            table,
            target_of[player],
            next(seats_of[target_of[player]]),
            "close",
        )
        for player in movers
    )


def balance(tournament: Tournament) -> tuple[DirectorEvent, ...]:
    """Move one player where two tables differ by two or more, from a fullest table at rest.

    Between equally full tables the first to end its hand gives; while all of them play, the
    short one plays on.
    """
    found = uneven(tournament.tables)
    if found is None:
        return ()
    donor, short = found
    seat = seat_to_fill(short)
    mover = mover_in_same_position(donor, short, seat)
    return (move(tournament, mover.player, donor, short.table, seat, "balance"),)


def seat_to_fill(short: Table) -> int:
    """Return the seat of the eliminated player with the lowest place, or else a free one."""
    if short.vacancies:
        return min(short.vacancies, key=lambda vacancy: vacancy.nth).seat
    return nearest_to_next_big_blind(short, short.free_seats)[0]
