"""The director's pure core, whole: one aggregate per tournament, named by its id.

DECIDER decides, and the shell reads `awaiting` and `timers` after each commit; `is_live` says
whether a tournament has anything left to wait for, `has_clock` whether an outage takes time from
it, `reasons` what a table at rest waits for, `chips_in_play` what must never change.
"""

from services.director.core.clearing import reasons
from services.director.core.commands import AwaitDraw, DirectorCommand, HaltReported, HandReported
from services.director.core.decide import awaiting, step, timers
from services.director.core.evolve import evolve
from services.director.core.outages import has_clock
from services.director.core.state import (
    TableContradictionError,
    Tournament,
    chips_in_play,
    is_live,
)
from services.director.core.views import respond
from shared.contracts.director import DirectorEvent
from shared.kernel.decider import Decider

__all__ = [
    "DECIDER",
    "AwaitDraw",
    "HaltReported",
    "HandReported",
    "TableContradictionError",
    "awaiting",
    "chips_in_play",
    "has_clock",
    "is_live",
    "reasons",
    "respond",
    "timers",
]

DECIDER: Decider[Tournament, DirectorCommand, DirectorEvent] = Decider(
    initial=Tournament(), step=step, evolve=evolve
)
