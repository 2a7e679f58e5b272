"""The director's pure core, whole: one aggregate per tournament, named by its id.

DECIDER decides, and the shell reads `awaiting` and `timers` after each commit; `is_live` says
whether a tournament has anything left to wait for, `has_clock` whether an outage takes time from
it, `reasons` what a table at rest waits for, `chips_in_play` what must never change.
"""

from services.director.core.clearing import reasons
from services.director.core.commands import AwaitDraw, DirectorCommand, HaltReported, HandReported
from services.director.core.decide import awaiting, make_step, timers
from services.director.core.evolve import evolve
from services.director.core.outages import has_clock
from services.director.core.rules import DirectorRules
from services.director.core.state import (
    TableContradictionError,
    Tournament,
    chips_in_play,
    is_live,
)
from services.director.core.views import part_of, sheet_in_full
from shared.contracts.director import DirectorEvent
from shared.kernel.decider import Decider

__all__ = [
    "DECIDER",
    "AwaitDraw",
    "DirectorRules",
    "HaltReported",
    "HandReported",
    "TableContradictionError",
    "awaiting",
    "chips_in_play",
    "has_clock",
    "is_live",
    "make_decider",
    "part_of",
    "reasons",
    "sheet_in_full",
    "timers",
]


def make_decider(rules: DirectorRules) -> Decider[Tournament, DirectorCommand, DirectorEvent]:
    """Return the decider of a director under these rules."""
    return Decider(initial=Tournament(), step=make_step(rules), evolve=evolve)


DECIDER = make_decider(DirectorRules())
