"""The model (PP-SKILL): Plackett and Luce's, as openskill updates it by Weng and Lin's method.

Its parameters are openskill's, written down here because they are published; but a doubt never
grows, so that the winner is never rated lower for having won, nor the last higher.
"""

from collections.abc import Sequence
from typing import Final

from openskill.models import PlackettLuce

from services.ranking.core import Belief

MICROS: Final = 1_000_000
MODEL: Final = PlackettLuce(
    mu=25.0,
    sigma=25.0 / 3.0,
    beta=25.0 / 6.0,
    kappa=0.0001,
    tau=25.0 / 300.0,
    limit_sigma=True,
)


def rate(beliefs: Sequence[Belief]) -> tuple[Belief, ...]:
    """Return what is believed after a tournament of these players, given the best place first."""
    field = [
        [MODEL.rating(mu=belief.mu_micros / MICROS, sigma=belief.sigma_micros / MICROS)]
        for belief in beliefs
    ]
    return tuple(
        Belief(round(player.mu * MICROS), round(player.sigma * MICROS))
        for (player,) in MODEL.rate(field)
    )
