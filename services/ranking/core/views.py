"""What the ranking answers when asked, and what it waits for, from its state."""

from services.ranking.core.ratings import skill_of, standing_of
from services.ranking.core.state import AwaitRatings, Ranking
from shared.contracts.ranking import RatingView, ReadRating


def respond(ranking: Ranking, read: ReadRating) -> RatingView:
    """Show a player's rating."""
    standing = standing_of(ranking, read.player)
    return RatingView(
        player=read.player,
        rating=standing.rating,
        skill=skill_of(standing.rating),
        tournaments=standing.tournaments,
    )


def awaiting(ranking: Ranking) -> AwaitRatings | None:
    """Return what the model is asked."""
    return ranking.asked
