"""The engine of stages (BH-SHOOTOUT): autonomous tables, who goes on from them, and with what.

A tournament without stages is one stage that others seat, balance and end.
"""

from services.director.core.stages.course import (
    current,
    has_stopped,
    is_in_stages,
    is_last_stage,
    level_is_due,
    seats_a_table,
    sizes_by_stage,
    table_sizes,
)
from services.director.core.stages.ending import end_stage
from services.director.core.stages.entrants import entrants
from services.director.core.stages.saved import saved
from services.director.core.stages.terms import stage_problems

__all__ = [
    "current",
    "end_stage",
    "entrants",
    "has_stopped",
    "is_in_stages",
    "is_last_stage",
    "level_is_due",
    "saved",
    "seats_a_table",
    "sizes_by_stage",
    "stage_problems",
    "table_sizes",
]
