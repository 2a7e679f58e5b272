"""How players change tables, and tables close."""

from msgspec.structs import replace

from services.director.core.evolve.rows import Rows
from services.director.core.evolve.tables import by_seat
from services.director.core.state import (
    Move,
    Tournament,
)
from shared.contracts.director import (
    MoveDecided,
    SeatAssigned,
    TableBroken,
    TableClosing,
)
from shared.contracts.hand import SeatStack


def move_decided(tournament: Tournament, event: MoveDecided) -> Tournament:
    """The chips leave one table's sheet and stand on the other's as arriving, in one event."""
    source, target = tournament.tables[event.from_table], tournament.tables[event.to_table]
    stack = next(held.stack_chips for held in source.seats if held.player == event.player)
    left_behind = replace(
        source,
        seats=tuple(held for held in source.seats if held.player != event.player),
        departing=source.departing + 1,
    )
    awaited = replace(
        target,
        arriving=(*target.arriving, SeatStack(event.to_seat, event.player, stack)),
        vacancies=tuple(v for v in target.vacancies if v.seat != event.to_seat),
    )
    move = Move(event.from_table, event.to_table, event.to_seat, stack)
    return replace(
        tournament,
        tables=tournament.tables.with_table(left_behind).with_table(awaited),
        moves=tournament.moves.insert(event.player, move),
    )


def seat_assigned(tournament: Tournament, event: SeatAssigned) -> Tournament:
    """A mover arrives; or, with chips that were just bought, somebody who comes from nowhere."""
    move = tournament.moves.get(event.player)
    target = tournament.tables[event.table]
    arrived = SeatStack(event.seat, event.player, event.stack_chips)
    seated = replace(
        target,
        seats=by_seat((*target.seats, arrived)),
        arriving=tuple(held for held in target.arriving if held.player != event.player),
        vacancies=tuple(v for v in target.vacancies if v.seat != event.seat),
        outs=(*target.outs, event.player) if event.out else target.outs,
    )
    if move is None:
        return replace(tournament, tables=tournament.tables.with_table(seated))
    source = tournament.tables[move.from_table]
    left_behind = replace(source, departing=source.departing - 1)
    return replace(
        tournament,
        tables=tournament.tables.with_table(left_behind).with_table(seated),
        moves=tournament.moves.remove(event.player),
    )


def table_closing(tournament: Tournament, event: TableClosing) -> Tournament:
    return replace(tournament, tables=tournament.tables.close(event.table))


def table_broken(tournament: Tournament, event: TableBroken) -> Tournament:
    chips = sum(held.stack_chips for held in tournament.tables[event.table].seats)
    chips_won = tournament.chips_won + chips
    return replace(tournament, chips_won=chips_won, tables=tournament.tables.without(event.table))


APPLY: Rows = {
    MoveDecided: move_decided,
    SeatAssigned: seat_assigned,
    TableClosing: table_closing,
    TableBroken: table_broken,
}
