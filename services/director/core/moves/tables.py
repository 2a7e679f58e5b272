"""What all rule sets ask of tables when players move: who can give, who is short, what is free."""

from collections.abc import Iterable, Mapping
from itertools import islice
from typing import Literal

from services.director.core.hall import Hall, Table
from services.director.core.state import Tournament
from shared.contracts.director import DrawTaken, MoveDecided

MOVERS_DRAW = "movers"
BALANCE_DRAW = "balance"


def can_give(table: Table) -> bool:
    """A table gives players at the end of its hand, when all who were sent there sit there."""
    return not (table.playing or table.arriving)


def shortness(table: Table, more: int = 0) -> tuple[int, int, int]:
    """Order tables by their players; ties: fewest not Out, then the lowest number."""
    return (table.size + more, table.not_out + more, table.number)


def uneven(hall: Hall) -> tuple[Table, Table] | None:
    """Return who gives a player and to which table, where two tables differ by two or more.

    The shortest takes; of the fullest the first to end its hand gives, by number. While all of
    these play nobody does.
    """
    if hall.most - hall.least < 2:
        return None
    donors = [
        table
        for table in hall.at_rest
        if table.size == hall.most
        and table.seats
        and can_give(table)
        and table.table not in hall.closing
    ]
    if not donors:
        return None
    donor = min(donors, key=lambda table: (table.ended_as, table.number))
    return donor, next(hall.by_shortness())


def tables_to_fill(
    tournament: Tournament, movers: int, room: Mapping[str, int] | None = None
) -> tuple[str, ...]:
    """Name a table for each mover, always the shortest; ties by the general rule for moves.

    With `room` a table takes no more than that: chairs that came free since they were drawn from
    are not among them.
    """
    with_room = (t for t in tournament.tables.by_shortness() if room is None or room.get(t.table))
    shortest_first = tuple(islice(with_room, movers))
    seated = {table.table: 0 for table in shortest_first}
    targets: list[str] = []
    for _ in range(movers):
        able = (t for t in shortest_first if room is None or seated[t.table] < room[t.table])
        shortest = min(able, key=lambda table: shortness(table, seated[table.table]))
        seated[shortest.table] += 1
        targets.append(shortest.table)
    return tuple(targets)


def chairs_of(tables: Iterable[Table]) -> tuple[str, ...]:
    """Name every free chair for a draw, such as `tbl_1_2/7`."""
    return tuple(f"{table.table}/{seat}" for table in tables for seat in table.free_seats)


def drawn_apart(taken: DrawTaken) -> tuple[tuple[str, ...], Mapping[str, tuple[int, ...]]]:
    """Part a draw of players and chairs: players in drawn order, and of each table its chairs.

    The order of a part of a shuffled whole is as random as the whole, and no part tells of
    another: so one draw serves for both.
    """
    drawn = [taken.candidates[index] for index in taken.order]
    chairs: dict[str, tuple[int, ...]] = {}
    for table, _, seat in (name.partition("/") for name in drawn if "/" in name):
        chairs[table] = (*chairs.get(table, ()), int(seat))
    return tuple(name for name in drawn if "/" not in name), chairs


def move(
    tournament: Tournament,
    player: str,
    source: Table,
    target: str,
    seat: int,
    reason: Literal["balance", "close"],
) -> MoveDecided:
    """Write a decided move down."""
    return MoveDecided(
        tournament=tournament.tournament,
        player=player,
        from_table=source.table,
        to_table=target,
        to_seat=seat,
        reason=reason,
    )
