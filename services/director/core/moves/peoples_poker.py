"""PP-CLOSE and PP-BALANCE: tables by their players not Out; movers, and their seats, are drawn."""

from itertools import cycle

from services.director.core.hall import Table
from services.director.core.moves.tables import (
    BALANCE_DRAW,
    can_give,
    chairs_of,
    drawn_apart,
    move,
    uneven,
)
from services.director.core.state import Tournament
from shared.contracts.director import DirectorEvent, DrawAwaited, DrawTaken, MoveDecided


def closes(tournament: Tournament) -> Table | None:
    """Return the table with the fewest players not Out, at the end of its hand, if all fit.

    More free seats elsewhere than players not Out there, and as many as players seated there; a
    table with fewer than two players closes whenever these fit. One table after the other.
    """
    hall = tournament.tables
    if hall.closing or tournament.unranked:
        return None
    table = next(hall.by_presence())
    elsewhere = (hall.open_count - 1) * table.seats_max
    free = elsewhere - (hall.seated - table.size)
    suffice = free >= table.size and (free > table.not_out or table.size < 2)
    return table if suffice and can_give(table) else None


def drawn_to_close(tournament: Tournament, table: Table) -> tuple[str, ...]:
    """The movers, and all free chairs, in one draw."""
    movers = tuple(held.player for held in table.seats)
    return (*movers, *chairs_of(tournament.tables.with_room))


def closing_moves(
    tournament: Tournament, table: Table, taken: DrawTaken
) -> tuple[DirectorEvent, ...]:
    """Move one at a time, cycling over the others by their players not Out, past the full ones."""
    movers, chairs = drawn_apart(taken)
    free = {name: list(seats) for name, seats in chairs.items()}
    ring = cycle(target.table for target in tournament.tables.by_presence())
    moves: list[MoveDecided] = []
    for player in movers:
        target = next(name for name in ring if free.get(name))
        moves.append(move(tournament, player, table, target, free[target].pop(0), "close"))
    return tuple(moves)


def balance(tournament: Tournament) -> tuple[DirectorEvent, ...]:
    """Draw a player of the fullest table for one with fewer than 70 % of the seats (PP-BALANCE).

    Only if that brings the two closer; Out players are drawn as well.
    """
    if tournament.tables.least >= tournament.agreed.seats * 7 // 10:
        return ()
    found = uneven(tournament.tables)
    if found is None:
        return ()
    donor, short = found
    players = tuple(held.player for held in donor.seats)
    purpose = f"{BALANCE_DRAW} {donor.table} {short.table}"
    return (DrawAwaited(purpose=purpose, candidates=(*players, *chairs_of([short]))),)


def balanced_by_draw(tournament: Tournament, taken: DrawTaken) -> tuple[DirectorEvent, ...]:
    """Move the player drawn first to the chair drawn first."""
    _, source, target = taken.purpose.split(" ")
    players, chairs = drawn_apart(taken)
    donor = tournament.tables[source]
    return (move(tournament, players[0], donor, target, chairs[target][0], "balance"),)
