"""Tournaments that finish, and a model that answers at once: what the ranking's tests share."""

from collections.abc import Sequence

from msgspec.structs import replace

from services.ranking.core import DECIDER, Ranking, ResultsReported, TakeRatings, awaiting
from services.ranking.shell.model import rate
from shared.contracts.director import EntryRequested, PlacesTold, Placing, TournamentFinished
from shared.contracts.ranking import RankingEvent
from shared.kernel.decider import Refused

AT_MS = 1_795_000_000_000  # In November 2026.


def finished(players: Sequence[str], tournament: str = "trn_1", at_ms: int = AT_MS):
    """A tournament is over; players stand in the order of their places."""
    places = tuple(Placing(place, player, 0) for place, player in enumerate(players, 1))
    return ResultsReported(TournamentFinished(tournament=tournament, places=places), at_ms)


def finished_in_parts(players: Sequence[str], tournament: str = "trn_1", best: int = 1):
    """The places of a large field: those that were told before the finish, and the finish."""
    whole = finished(players, tournament)
    further = PlacesTold(tournament=tournament, places=whole.fact.places[best:])
    return further, replace(whole, fact=replace(whole.fact, places=whole.fact.places[:best]))


def asks(player: str, *, rating_min: int = 0, rating_max: int = 0, nth: int = 1) -> EntryRequested:
    return EntryRequested(
        tournament="trn_gated",
        entry=f"trn_gated/{player}/{nth}",
        player=player,
        fee_cents=900,
        commission_cents=100,
        deadline_ms=AT_MS,
        rating_min=rating_min,
        rating_max=rating_max,
    )


def stepped(ranking: Ranking, command) -> tuple[tuple[RankingEvent, ...], Ranking]:
    """Let the ranking decide; what it decides leads to the state that it returns."""
    decided = DECIDER.step(ranking, command, AT_MS)
    assert not isinstance(decided, Refused), decided
    events, after = decided
    folded = ranking
    for event in events:
        folded = DECIDER.evolve(folded, event)
    assert folded == after
    return events, after


def answered(ranking: Ranking) -> tuple[tuple[RankingEvent, ...], Ranking]:
    """Let the model answer the open question."""
    question = awaiting(ranking)
    assert question is not None
    return stepped(ranking, TakeRatings(question.tournament, rate(question.beliefs)))


def played(*fields: Sequence[str], ranking: Ranking | None = None) -> Ranking:
    """Finish tournaments one after the other, each rated before the next."""
    ranking = ranking or Ranking()
    for field in fields:
        _, ranking = stepped(ranking, finished(field, f"trn_{len(ranking.known)}"))
        _, ranking = answered(ranking)
    return ranking


def rating(ranking: Ranking, player: str) -> int:
    return ranking.standings[player].rating
