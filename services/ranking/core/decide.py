"""Ranking rules: one command, what is recorded of it, then the next question if none is open.

Tournaments are rated one after the other in the order of their finish, because each of them
begins from what those before have left.
"""

from collections.abc import Callable, Iterator, Sequence
from typing import Any, Final

from services.ranking.core.boards import points_of
from services.ranking.core.commands import RankingCommand, ResultsReported, TakeRatings
from services.ranking.core.evolve import evolve
from services.ranking.core.ratings import rating_of, standing_of
from services.ranking.core.state import Belief, Ranking
from shared.contracts.director import EntryRequested, PlacesTold
from shared.contracts.ranking import (
    EntryRated,
    Finisher,
    PlacesNoted,
    PlacesRecorded,
    PlayersRated,
    RankingEvent,
    Rated,
    RatingsAwaited,
    ReadRating,
    TournamentRated,
)
from shared.kernel.decider import Refused
from shared.kernel.ids import is_derived_id
from shared.kernel.parts import parts

OPPONENTS_MIN: Final = 2
PART_PLAYERS: Final = 1_000  # An event of so many stays below the limit of a commit.

Decision = tuple[RankingEvent, ...] | Refused
Stepped = tuple[tuple[RankingEvent, ...], Ranking] | Refused


def step(ranking: Ranking, command: RankingCommand, _at_ms: int) -> Stepped:
    """Decide, then ask about the next tournament when the last one is rated."""
    decision = DECIDES[type(command)](ranking, command)
    if isinstance(decision, Refused):
        return decision
    events = list(decision)
    for event in decision:
        ranking = evolve(ranking, event)
    if ranking.asked is None and ranking.waiting:
        first = ranking.waiting[0]
        asked = RatingsAwaited(tournament=first.tournament, players=len(first.finishers))
        ranking = evolve(ranking, asked)
        events.append(asked)
    return tuple(events), ranking


def note(ranking: Ranking, fact: PlacesTold) -> Decision:
    """Keep the places of a large field until the best ones are told; each of them once."""
    if fact.tournament in ranking.known:
        return ()
    noted = {finisher.place for finisher in ranking.noted.get(fact.tournament) or ()}
    new = [Finisher(told.place, told.player) for told in fact.places if told.place not in noted]
    return tuple(
        PlacesNoted(tournament=fact.tournament, finishers=part) for part in parts(new, PART_PLAYERS)
    )


def record(ranking: Ranking, report: ResultsReported) -> Decision:
    """Record the places of a finished tournament, once; without opponents there is no rating."""
    fact = report.fact
    if fact.tournament in ranking.known:
        return ()
    told = [Finisher(placing.place, placing.player) for placing in fact.places]
    told += ranking.noted.get(fact.tournament) or ()
    finishers = best_places(told)
    if len(finishers) < OPPONENTS_MIN:
        return (TournamentRated(tournament=fact.tournament, players=0),)
    return tuple(
        PlacesRecorded(
            tournament=fact.tournament,
            finished_at_ms=report.at_ms,
            entries=len(told),
            finishers=part,
        )
        for part in parts(finishers, PART_PLAYERS)
    )


def best_places(places: Sequence[Finisher]) -> tuple[Finisher, ...]:
    """Keep the best place of each player: who bought in again was out before."""
    best: dict[str, Finisher] = {}
    for finisher in sorted(places, key=lambda finisher: finisher.place):
        best.setdefault(finisher.player, finisher)
    return tuple(best.values())


def take(ranking: Ranking, answer: TakeRatings) -> Decision:
    """Record what the model makes of the places that it was asked about."""
    asked = ranking.asked
    if asked is None or asked.tournament != answer.tournament:
        return ()
    if len(answer.beliefs) != len(asked.beliefs):
        return Refused("not_an_answer", f"{len(answer.beliefs)} for {len(asked.beliefs)} players")
    if any(wrong(*pair) for pair in zip(asked.beliefs, answer.beliefs, strict=True)):
        return Refused("not_an_answer", "a result leaves no more doubt than there was")
    rated = tuple(ratings(ranking, answer.beliefs))
    finished_at_ms = ranking.waiting[0].finished_at_ms
    return (
        *(
            PlayersRated(tournament=asked.tournament, finished_at_ms=finished_at_ms, ratings=part)
            for part in parts(rated, PART_PLAYERS)
        ),
        TournamentRated(tournament=asked.tournament, players=len(rated)),
    )


def wrong(before: Belief, after: Belief) -> bool:
    """A result never makes a player's strength less certain."""
    return not 0 < after.sigma_micros <= before.sigma_micros


def ratings(ranking: Ranking, beliefs: Sequence[Belief]) -> Iterator[Rated]:
    """Turn what the model believes into ratings, and places into points."""
    results = ranking.waiting[0]
    for finisher, belief in zip(results.finishers, beliefs, strict=True):
        before = standing_of(ranking, finisher.player)
        yield Rated(
            player=finisher.player,
            place=finisher.place,
            mu_micros=belief.mu_micros,
            sigma_micros=belief.sigma_micros,
            rating=rating_of(belief, before.rating),
            points=points_of(results.entries, finisher.place),
        )


def rate_entry(ranking: Ranking, fact: EntryRequested) -> Decision:
    """Tell the rating of who asks to enter, where the tournament admits a range (PP-LEVELGATE)."""
    if not (fact.rating_min or fact.rating_max):
        return ()
    return (
        EntryRated(
            tournament=fact.tournament,
            entry=fact.entry,
            player=fact.player,
            rating=standing_of(ranking, fact.player).rating,
        ),
    )


def read_rating(_: Ranking, request: ReadRating) -> Decision:
    """Everybody has a rating; what is no player's id has none."""
    return () if is_derived_id(request.player, "ply") else Refused("player_id_invalid")


DECIDES: dict[type[Any], Callable[[Ranking, Any], Decision]] = {
    PlacesTold: note,
    ResultsReported: record,
    TakeRatings: take,
    EntryRequested: rate_entry,
    ReadRating: read_rating,
}
