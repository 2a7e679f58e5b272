"""Which facts of the director the ratings follow: all of them belong to one stream."""

from collections.abc import Mapping
from typing import Any

from services.ranking.core import ResultsReported
from shared.contracts.director import EntryRequested, PlacesTold, TournamentFinished
from shared.runtime.aggregate import Origin, Reaction

RATINGS = "ratings"


def reported(fact: TournamentFinished, origin: Origin) -> ResultsReported:
    """A tournament counts for the month in which the director said that it was over."""
    return ResultsReported(fact, origin.at_ms)


REACTIONS: Mapping[type[Any], Reaction] = {
    EntryRequested: Reaction(stream=lambda _: RATINGS),
    PlacesTold: Reaction(stream=lambda _: RATINGS),
    TournamentFinished: Reaction(stream=lambda _: RATINGS, command=reported),
}
