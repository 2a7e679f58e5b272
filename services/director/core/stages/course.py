"""Where a tournament in stages is: its stage, and which tables have done their part."""

from services.director.core.hall import Table
from services.director.core.state import Tournament, tables_needed
from shared.contracts.director import Stage


def is_in_stages(tournament: Tournament) -> bool:
    """Say whether tables are autonomous: nobody moves between them, none waits for another."""
    return bool(tournament.agreed.stages)


def current(tournament: Tournament) -> Stage | None:
    """Return the stage that is played; None where the tournament has none."""
    stages = tournament.agreed.stages
    return stages[tournament.stage - 1] if stages else None


def following(tournament: Tournament) -> Stage | None:
    """Return the stage after this one; None in the last."""
    stages = tournament.agreed.stages
    return stages[tournament.stage] if tournament.stage < len(stages) else None


def is_last_stage(tournament: Tournament) -> bool:
    """Say whether no other stage follows."""
    return following(tournament) is None


def seats_a_table(tournament: Tournament) -> int:
    """Return how many players are seated at a table at most."""
    stage = current(tournament)
    return tournament.agreed.seats if stage is None else stage.seats


def has_stopped(tournament: Tournament, table: Table) -> bool:
    """Say whether all who sit here go on (BH-SHOOTOUT); a lone player does from the beginning."""
    stage = current(tournament)
    return stage is not None and len(table.seats) <= stage.go_on


def level_is_due(tournament: Tournament) -> bool:
    """Say whether a stage has begun that has a first level of its own; a break ends before it."""
    return tournament.level_due > 0 and not tournament.resting


def table_sizes(players: int, seats: int) -> tuple[int, ...]:
    """Spread players as evenly as possible (PP-SEAT): 124 at 10 are 7 × 10 + 6 × 9."""
    tables = tables_needed(players, seats)
    least, larger = divmod(players, tables)
    return tuple(least + (number < larger) for number in range(tables))


def sizes_by_stage(stages: tuple[Stage, ...], entries: int) -> tuple[tuple[int, ...], ...]:
    """Return the sizes of the tables of every stage, when so many players begin."""
    by_stage: list[tuple[int, ...]] = []
    players = entries
    for stage in stages:
        sizes = table_sizes(players, stage.seats)
        by_stage.append(sizes)
        players = sum(min(size, stage.go_on) for size in sizes)
    return tuple(by_stage)
