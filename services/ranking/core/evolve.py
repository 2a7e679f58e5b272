"""Ranking history folded to state: never refuses, never branches on rules."""

from collections.abc import Callable, Mapping
from typing import Any

from msgspec.structs import replace

from services.ranking.core.ratings import standing_of
from services.ranking.core.state import AwaitRatings, Belief, Ranking, Results, Standing
from shared.contracts.ranking import (
    EntryRated,
    PlacesNoted,
    PlacesRecorded,
    PlayersRated,
    RankingEvent,
    Rated,
    RatingsAwaited,
    TournamentRated,
)


def evolve(ranking: Ranking, event: RankingEvent) -> Ranking:
    """Apply one recorded fact."""
    return EVOLVES[type(event)](ranking, event)


def places_noted(ranking: Ranking, event: PlacesNoted) -> Ranking:
    noted = (ranking.noted.get(event.tournament) or ()) + event.finishers
    return replace(ranking, noted=ranking.noted.insert(event.tournament, noted))


def places_recorded(ranking: Ranking, event: PlacesRecorded) -> Ranking:
    """The parts of one tournament follow each other; what was noted of it is among them."""
    waiting, finishers, noted = ranking.waiting, event.finishers, ranking.noted
    if waiting and waiting[-1].tournament == event.tournament:
        waiting, finishers = waiting[:-1], waiting[-1].finishers + finishers
    if event.tournament in noted:
        noted = noted.remove(event.tournament)
    results = Results(event.tournament, event.finished_at_ms, event.entries, finishers)
    return replace(
        ranking,
        known=ranking.known.insert(event.tournament, len(finishers)),
        noted=noted,
        waiting=(*waiting, results),
    )


def ratings_awaited(ranking: Ranking, event: RatingsAwaited) -> Ranking:
    """What is believed now is what the model is asked with, however often it is asked."""
    beliefs = [
        standing_of(ranking, finisher.player).belief for finisher in ranking.waiting[0].finishers
    ]
    return replace(ranking, asked=AwaitRatings(event.tournament, tuple(beliefs)))


def players_rated(ranking: Ranking, event: PlayersRated) -> Ranking:
    standings = {rated.player: standing_after(ranking, rated) for rated in event.ratings}
    return replace(ranking, standings=ranking.standings.update(standings))


def standing_after(ranking: Ranking, rated: Rated) -> Standing:
    return Standing(
        belief=Belief(rated.mu_micros, rated.sigma_micros),
        rating=rated.rating,
        tournaments=standing_of(ranking, rated.player).tournaments + 1,
    )


def tournament_rated(ranking: Ranking, event: TournamentRated) -> Ranking:
    """One in which nobody had an opponent was not asked about, and does not wait."""
    if ranking.asked is None or ranking.asked.tournament != event.tournament:
        return replace(ranking, known=ranking.known.insert(event.tournament, event.players))
    return replace(ranking, waiting=ranking.waiting[1:], asked=None)


def entry_rated(ranking: Ranking, _: EntryRated) -> Ranking:
    """What an entry was told is the director's to remember."""
    return ranking


EVOLVES: Mapping[type[Any], Callable[[Ranking, Any], Ranking]] = {
    PlacesNoted: places_noted,
    PlacesRecorded: places_recorded,
    RatingsAwaited: ratings_awaited,
    PlayersRated: players_rated,
    TournamentRated: tournament_rated,
    EntryRated: entry_rated,
}
