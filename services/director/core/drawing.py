"""What the dealer is asked to draw from: a few by their names, a whole field by its number."""

from services.director.core.state import LISTED_MAX
from shared.contracts.director import DrawAwaited


def drawn_from(purpose: str, candidates: tuple[str, ...]) -> DrawAwaited:
    """Ask for a draw; names that do not fit into an event follow from what was recorded."""
    if len(candidates) > LISTED_MAX:
        return DrawAwaited(purpose=purpose, candidates=(), unnamed=len(candidates))
    return DrawAwaited(purpose=purpose, candidates=candidates)
