"""More busts in one hand than had to go (PP-TIES): the best of them go on all the same."""

from services.director.core.stages.course import current, following
from services.director.core.state import Bust, Tournament


def saved(tournament: Tournament, with_chips: int, busts: tuple[Bust, ...]) -> tuple[Bust, ...]:
    """Return who has no chips and yet goes on, the best first.

    That is a matter of ranks only where the next stage gives a new stack; where chips are
    carried over, who has none is out (BH-RANKING).
    """
    stage, after = current(tournament), following(tournament)
    if stage is None or after is None or not after.stacks_chips:
        return ()
    ranked = sorted(busts, key=lambda bust: (-bust.chips_at_start, bust.from_dealer))
    return tuple(ranked[: max(stage.go_on - with_chips, 0)])
