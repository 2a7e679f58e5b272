"""The ranking's pure core, whole: what the shell needs stands here."""

from services.ranking.core.boards import is_period, periods_at
from services.ranking.core.commands import RankingCommand, ResultsReported, TakeRatings
from services.ranking.core.decide import step
from services.ranking.core.evolve import evolve
from services.ranking.core.state import AwaitRatings, Belief, Ranking
from services.ranking.core.views import awaiting, respond
from shared.contracts.ranking import RankingEvent
from shared.kernel.decider import Decider

__all__ = [
    "DECIDER",
    "AwaitRatings",
    "Belief",
    "Ranking",
    "ResultsReported",
    "TakeRatings",
    "awaiting",
    "is_period",
    "periods_at",
    "respond",
]

DECIDER: Decider[Ranking, RankingCommand, RankingEvent] = Decider(
    initial=Ranking(), step=step, evolve=evolve
)
