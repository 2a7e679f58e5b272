"""From what the model believes to a rating from 101 to 1,000 (PP-SKILL).

The model's *ordinal* is mu − 3 sigma: a strength that it is nearly sure of. A rating is 150 and 20
for each whole unit of the ordinal, so every player begins at 150.
"""

from typing import Final

from services.ranking.core.state import Belief, Ranking, Standing
from shared.contracts.ranking import RATING_MAX, RATING_MIN, Skill

MICROS: Final = 1_000_000
DOUBTS: Final = 3
RATING_AT_ZERO: Final = 150
RATING_PER_UNIT: Final = 20

FLOORS: Final[tuple[tuple[int, Skill], ...]] = (
    (751, "legend"),
    (501, "professional"),
    (251, "expert"),
    (RATING_MIN, "beginner"),
)

UNKNOWN: Final = Belief(mu_micros=25 * MICROS, sigma_micros=25 * MICROS // 3)
NEWCOMER: Final = Standing(belief=UNKNOWN, rating=RATING_AT_ZERO, tournaments=0)


def standing_of(ranking: Ranking, player: str) -> Standing:
    """Return what is known of a player; of a newcomer that is what is assumed of everybody."""
    return ranking.standings.get(player) or NEWCOMER


def rating_of(belief: Belief, before: int) -> int:
    """Return the rating that a belief means, but never one below the level reached before."""
    ordinal_micros = belief.mu_micros - DOUBTS * belief.sigma_micros
    rating = RATING_AT_ZERO + ordinal_micros * RATING_PER_UNIT // MICROS
    return min(max(rating, floor_of(before)), RATING_MAX)


def floor_of(rating: int) -> int:
    """Return the lowest rating of a rating's level."""
    return level_of(rating)[0]


def skill_of(rating: int) -> Skill:
    """Name a rating's level."""
    return level_of(rating)[1]


def level_of(rating: int) -> tuple[int, Skill]:
    return next(level for level in FLOORS if level[0] <= rating)
