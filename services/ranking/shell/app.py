"""The ranking put together: one stream, `ratings`, decided by the core, computed by the model."""

from typing import get_args

from services.ranking.core import DECIDER, Ranking, awaiting, respond
from services.ranking.settings import RankingSettings
from services.ranking.shell.projections import rows_of
from services.ranking.shell.rating import Rate, asking_the_model, rate_apart
from services.ranking.shell.reactions import RATINGS, REACTIONS
from services.ranking.shell.reads import READS
from shared.contracts.ranking import RankingEvent, ReadRating
from shared.runtime.aggregate import Aggregate
from shared.runtime.service import World, main


def compose(_settings: RankingSettings, _world: World, rate: Rate = rate_apart) -> Aggregate:
    """The ranking follows the director, and asks the model."""
    return Aggregate(
        owns=lambda stream: stream == RATINGS,
        decider=DECIDER,
        events=get_args(RankingEvent),
        state=Ranking,
        requests=(ReadRating,),
        reactions=REACTIONS,
        rows_of=rows_of,
        reads=READS,
        awaiting=awaiting,
        ask=asking_the_model(rate),
        respond=respond,
    )


def run() -> None:
    """Run the ranking until SIGTERM."""
    main("ranking", RankingSettings, compose)
