"""A table closes: it is marked, its movers are drawn, and it breaks when the last of them sits."""

from services.director.core.moves.policies import policy_of
from services.director.core.moves.tables import MOVERS_DRAW, can_give
from services.director.core.state import Tournament
from shared.contracts.director import DirectorEvent, DrawAwaited, TableBroken, TableClosing


def close_tables(tournament: Tournament) -> tuple[DirectorEvent, ...]:
    """Mark the table that the rule set closes now; it plays no further hand."""
    if tournament.tables.open_count < 2:
        return ()
    table = policy_of(tournament).closes(tournament)
    if table is None:
        return ()
    return (TableClosing(tournament=tournament.tournament, table=table.table),)


def draw_movers(tournament: Tournament) -> tuple[DirectorEvent, ...]:
    """Draw a closing table's movers, once its hand is over and all have arrived."""
    for table in tournament.tables.closing_at_rest:
        if table.seats and can_give(table):
            candidates = policy_of(tournament).drawn_to_close(tournament, table)
            return (DrawAwaited(purpose=f"{MOVERS_DRAW} {table.table}", candidates=candidates),)
    return ()


def break_emptied(tournament: Tournament) -> tuple[DirectorEvent, ...]:
    """A closing table breaks when its last player has a seat elsewhere."""
    return tuple(
        TableBroken(tournament=tournament.tournament, table=table.table)
        for table in tournament.tables.closing_at_rest
        if not (table.size or table.departing)
    )
