"""Tables as values: one changed among the others, seats in order."""

from services.director.core.state import Table, Tournament
from shared.contracts.hand import SeatStack


def with_table(tournament: Tournament, table: Table) -> dict[str, Table]:
    """Return the tables with this one as it is now."""
    return {**tournament.tables, table.table: table}


def by_seat(seats: tuple[SeatStack, ...]) -> tuple[SeatStack, ...]:
    """Order by the number of the seat."""
    return tuple(sorted(seats, key=lambda held: held.seat))
