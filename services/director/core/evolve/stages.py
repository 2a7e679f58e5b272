"""How a tournament goes from one stage to the next."""

from msgspec.structs import replace

from services.director.core.evolve.rows import Rows
from services.director.core.hall import Hall
from services.director.core.state import Tournament
from shared.contracts.director import StageEnded


def stage_ended(tournament: Tournament, event: StageEnded) -> Tournament:
    """Take the chips off all tables, and those who go on away from them."""
    coming = tournament.agreed.stages[tournament.stage]
    return replace(
        tournament,
        stage=tournament.stage + 1,
        going_on=event.standings,
        tables=Hall.of(replace(table, seats=()) for table in tournament.tables.values()),
        level_due=coming.first_level,
        rested_after=0 if coming.first_level else tournament.rested_after,
    )


APPLY: Rows = {StageEnded: stage_ended}
