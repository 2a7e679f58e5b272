"""A tournament's history folded to state: one small function per event, none of them refuses."""

from services.director.core.evolve import (
    big_shoot,
    bounties,
    cancelling,
    deals,
    entering,
    hands,
    levels,
    moving,
    placing,
    purchases,
    stages,
)
from services.director.core.evolve.rows import Rows
from services.director.core.state import Tournament
from shared.contracts.director import DirectorEvent

__all__ = ["APPLY", "evolve"]


def evolve(tournament: Tournament, event: DirectorEvent) -> Tournament:
    """Apply one recorded fact."""
    return APPLY[type(event)](tournament, event)


APPLY: Rows = {
    **entering.APPLY,
    **purchases.APPLY,
    **levels.APPLY,
    **hands.APPLY,
    **moving.APPLY,
    **placing.APPLY,
    **stages.APPLY,
    **bounties.APPLY,
    **big_shoot.APPLY,
    **deals.APPLY,
    **cancelling.APPLY,
}
