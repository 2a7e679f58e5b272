"""Stages that fit together, for every number of players that may begin (PP-LOBBY)."""

from collections.abc import Iterator
from itertools import pairwise

from services.director.core.stages.course import sizes_by_stage
from shared.contracts.director import SatellitePrizes, Stage, Terms

STAGES_MAX = 12
STAGE_SEATS_MIN, STAGE_SEATS_MAX = 2, 10


def stage_problems(terms: Terms, entries: range, chips_max: int) -> Iterator[str]:
    """BH-SHOOTOUT: the last stage is one final table, to one winner; the first is the terms'."""
    stages = terms.stages
    if not stages:
        return
    if not 2 <= len(stages) <= STAGES_MAX:
        yield f"stages: 2 to {STAGES_MAX}; one alone is a freeze-out, and has none"
        return
    if isinstance(terms.prizes, SatellitePrizes):
        yield "stages: a satellite has none"
    if terms.final_table_players:
        yield "stages: the last of them is the final table, final_table_players is 0"
    found = [problem for number in range(len(stages)) for problem in problems_of(terms, number)]
    found += stack_problems(stages, chips_max)
    yield from found
    if not found:
        yield from course_problems(terms.stages, entries)


def problems_of(terms: Terms, index: int) -> Iterator[str]:
    """One stage by itself."""
    stage, number, last = terms.stages[index], index + 1, len(terms.stages)
    if not STAGE_SEATS_MIN <= stage.seats <= STAGE_SEATS_MAX:
        yield f"stage {number}: {STAGE_SEATS_MIN} to {STAGE_SEATS_MAX} seats"
    if not 0 < stage.go_on < stage.seats:
        yield f"stage {number}: at least one goes on, and at least one of a full table does not"
    if number == last and stage.go_on != 1:
        yield f"stage {number}: the last one has one winner"
    if not 0 <= stage.first_level <= len(terms.levels):
        yield f"stage {number}: first_level is one of the levels, or 0"
    if number == 1 and (stage.seats, stage.stacks_chips, stage.first_level) != (terms.seats, (), 0):
        yield "stage 1: seats and starting_chips are those of the terms, in level 1"


def stack_problems(stages: tuple[Stage, ...], chips_max: int) -> Iterator[str]:
    """Stacks are one for all, or one for each rank that goes on, and never rise with the rank."""
    for number, (before, stage) in enumerate(pairwise(stages), 2):
        stacks = stage.stacks_chips
        if len(stacks) not in {0, 1, before.go_on}:
            yield f"stage {number}: one stack for all, or {before.go_on}, one for each rank"
        if any(not 0 < chips <= chips_max for chips in stacks):
            yield f"stage {number}: stacks are from 1 to {chips_max}"
        if any(worse > better for better, worse in pairwise(stacks)):
            yield f"stage {number}: stacks never rise with the rank"


def course_problems(stages: tuple[Stage, ...], entries: range) -> Iterator[str]:
    """Whatever the number of players, one table is left for the last stage."""
    for players in entries:
        tables = len(sizes_by_stage(stages, players)[-1])
        if tables > 1:
            yield f"stages: {players} players come to {tables} tables in the last stage"
            return
