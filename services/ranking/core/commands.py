"""What reaches the ranking from inside: a finished tournament, and the model's answer."""

import msgspec

from services.ranking.core.state import Belief
from shared.contracts.director import EntryRequested, PlacesTold, TournamentFinished
from shared.contracts.ranking import RankingRequest


class ResultsReported(msgspec.Struct, frozen=True):
    """A tournament is over; its moment is that of the director's commit."""

    fact: TournamentFinished
    at_ms: int


class TakeRatings(msgspec.Struct, frozen=True):
    """What the model believes now, player by player in the order of the question."""

    tournament: str
    beliefs: tuple[Belief, ...]


RankingCommand = RankingRequest | EntryRequested | PlacesTold | ResultsReported | TakeRatings
