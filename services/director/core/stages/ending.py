"""The end of a stage: when every table has stopped, who is left is ranked and goes on."""

from services.director.core.hall import Table
from services.director.core.stages.course import following, has_stopped
from services.director.core.state import Tournament
from shared.contracts.director import DirectorEvent, StageEnded, Standing, TableBroken
from shared.contracts.hand import SeatStack


def end_stage(tournament: Tournament) -> tuple[DirectorEvent, ...]:
    """Break all tables once none of a stage but the last has anybody who must go."""
    if following(tournament) is None or tournament.tables.any_playing:
        return ()
    tables = tuple(tournament.tables.values())
    if not all(has_stopped(tournament, table) for table in tables):
        return ()
    standings = tuple(standing for table in tables for standing in standings_at(tournament, table))
    name = tournament.tournament
    return (
        StageEnded(tournament=name, number=tournament.stage, standings=standings),
        *(TableBroken(tournament=name, table=table.table) for table in tables),
    )


def standings_at(tournament: Tournament, table: Table) -> tuple[Standing, ...]:
    """Rank a table by chips; equal ones as in PP-TIES, nearest to the dealer first."""

    def order(held: SeatStack) -> tuple[int, int, int]:
        fallen = table.saved.index(held.player) if held.player in table.saved else 0
        from_dealer = (held.seat - table.last.button_seat) % table.seats_max
        return -held.stack_chips, fallen, from_dealer

    ranked = enumerate(sorted(table.seats, key=order), 1)
    return tuple(
        Standing(held.player, table.table, rank, next_stack(tournament, held, rank))
        for rank, held in ranked
    )


def next_stack(tournament: Tournament, held: SeatStack, rank: int) -> int:
    """Return the chips for the next stage: carried over, the same for all, or by rank."""
    after = following(tournament)
    stacks = after.stacks_chips if after is not None else ()
    if not stacks:
        return held.stack_chips
    return stacks[min(rank, len(stacks)) - 1]
