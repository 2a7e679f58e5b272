"""Moves of players between tables: BH-BALANCE and BH-CLOSE, decided from tables at rest only."""

from services.director.core.positions import mover_in_same_position, nearest_to_next_big_blind
from services.director.core.state import Table, Tournament, tables_needed
from shared.contracts.director import (
    DirectorEvent,
    DrawAwaited,
    DrawTaken,
    MoveDecided,
    TableBroken,
)

MOVERS_DRAW = "movers"


def one_too_many(tournament: Tournament) -> tuple[str, ...]:
    """Return the table of the last eliminated, when all fit without it (BH-CLOSE).

    A round of hand for hand may empty more seats than one table has: then the table of the
    last one before closes as well.
    """
    needed = tables_needed(tournament.left, tournament.agreed.seats)
    if len(tournament.tables) - len(tournament.closing) == needed:
        return ()
    last = min(tournament.open_tables, key=lambda table: (table.last_place, table.number))
    return (last.table,)


def break_emptied(tournament: Tournament) -> tuple[DirectorEvent, ...]:
    """A closing table breaks when its last player has a seat elsewhere."""
    closing = (tournament.tables[table] for table in tournament.closing)
    return tuple(
        TableBroken(tournament=tournament.tournament, table=table.table)
        for table in closing
        if not (table.seats or table.arriving or table.departing)
    )


def close(tournament: Tournament) -> tuple[DirectorEvent, ...]:
    """Draw the order of a closing table's movers, once its hand is over and all have arrived."""
    for name in tournament.closing:
        table = tournament.tables[name]
        if table.seats and can_give(table):
            movers = tuple(held.player for held in table.seats)
            return (DrawAwaited(purpose=f"{MOVERS_DRAW} {name}", candidates=movers),)
    return ()


def can_give(table: Table) -> bool:
    """A table gives players at the end of its hand, when all who were sent there sit there."""
    return not (table.playing or table.arriving)


def closing_moves(tournament: Tournament, taken: DrawTaken) -> tuple[DirectorEvent, ...]:
    """Send the movers off: the tables by the draw, the seats by the order of the big blind."""
    table = tournament.tables[taken.purpose.removeprefix(f"{MOVERS_DRAW} ")]
    targets = tables_to_fill(tournament, len(taken.order))
    target_of = {
        taken.candidates[index]: target for index, target in zip(taken.order, targets, strict=True)
    }
    player_at = {held.seat: held.player for held in table.seats}
    movers = [player_at[seat] for seat in nearest_to_next_big_blind(table, player_at)]
    seats_of = {
        target: iter(nearest_to_next_big_blind(held, held.free_seats))
        for target, held in tournament.tables.items()
        if target in targets
    }
    return tuple(
        MoveDecided(
            tournament=tournament.tournament,
            player=player,
            from_table=table.table,
            to_table=target_of[player],
            to_seat=next(seats_of[target_of[player]]),
            reason="close",
        )
        for player in movers
    )


def tables_to_fill(tournament: Tournament, movers: int) -> tuple[str, ...]:
    """Name a table for each mover, always the shortest; ties by the general rule for moves."""
    open_tables = tournament.open_tables
    seated = {table.table: 0 for table in open_tables}
    targets: list[str] = []
    for _ in range(movers):
        shortest = min(open_tables, key=lambda table: shortness(table, seated[table.table]))
        seated[shortest.table] += 1
        targets.append(shortest.table)
    return tuple(targets)


def shortness(table: Table, more: int = 0) -> tuple[int, int, int]:
    """Order tables by their players; ties: fewest not Out, then the lowest number."""
    return (table.size + more, table.not_out + more, table.number)


def balance(tournament: Tournament) -> tuple[DirectorEvent, ...]:
    """Move one player where two tables differ by two or more, from a fullest table at rest.

    A closing table's players come first: they may fill the short table. Between equally full
    tables the first to end its hand gives; while all of them play, the short one plays on.
    """
    if any(tournament.tables[name].seats for name in tournament.closing):
        return ()
    open_tables = tournament.open_tables
    sizes = [table.size for table in open_tables]
    most = max(sizes)
    donors = [table for table in open_tables if table.size == most and can_give(table)]
    if most - min(sizes) < 2 or not donors:
        return ()
    short = min(open_tables, key=shortness)
    donor = min(donors, key=lambda table: (table.ended_as, table.number))
    seat = seat_to_fill(short)
    mover = mover_in_same_position(donor, short, seat)
    return (
        MoveDecided(
            tournament=tournament.tournament,
            player=mover.player,
            from_table=donor.table,
            to_table=short.table,
            to_seat=seat,
            reason="balance",
        ),
    )


def seat_to_fill(short: Table) -> int:
    """Return the seat of the eliminated player with the lowest place, or else a free one."""
    if short.vacancies:
        return max(short.vacancies, key=lambda vacancy: vacancy.place).seat
    return nearest_to_next_big_blind(short, short.free_seats)[0]
