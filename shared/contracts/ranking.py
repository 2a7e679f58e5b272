"""The ranking's language (PP-SKILL): places recorded, ratings recorded, boards read.

A rating is what players see. Behind it the model believes in a strength `mu`, and doubts it by
`sigma`; both are whole millionths, so that they are stored and computed with exactly.
"""

from typing import Final, Literal, final

import msgspec

from shared.contracts.message import Command, Event, Reply

RATING_MIN: Final = 101
RATING_MAX: Final = 1_000
BOARD_LINES_MAX: Final = 500

Skill = Literal["beginner", "expert", "professional", "legend"]


class Finisher(msgspec.Struct, frozen=True):
    """A player with the best place reached in one tournament."""

    place: int
    player: str


class Rated(msgspec.Struct, frozen=True):
    """What one tournament made of a player, and the points that it brings on the boards."""

    player: str
    place: int
    mu_micros: int
    sigma_micros: int
    rating: int
    points: int


@final
class PlacesRecorded(Event, frozen=True, tag="ranking.places-recorded.v1"):
    """A part of a finished tournament's places, the best first; as many parts as it takes.

    `entries` counts every buy-in that got a place: who came twice is there once.
    """

    tournament: str
    finished_at_ms: int
    entries: int
    finishers: tuple[Finisher, ...]


@final
class PlacesNoted(Event, frozen=True, tag="ranking.places-noted.v1"):
    """Places of a tournament whose best ones are still to be told; then all are recorded."""

    tournament: str
    finishers: tuple[Finisher, ...]


@final
class RatingsAwaited(Event, frozen=True, tag="ranking.ratings-awaited.v1"):
    """The model is asked what these places mean; one tournament after the other."""

    tournament: str
    players: int


@final
class PlayersRated(Event, frozen=True, tag="ranking.players-rated.v1"):
    """A part of a tournament's ratings, the best place first."""

    tournament: str
    finished_at_ms: int
    ratings: tuple[Rated, ...]


@final
class TournamentRated(Event, frozen=True, tag="ranking.tournament-rated.v1"):
    """All players of this tournament are rated, which happens once."""

    tournament: str
    players: int


@final
class EntryRated(Event, frozen=True, tag="ranking.entry-rated.v1"):
    """The rating of a player who asks to enter a tournament for a range of them (PP-LEVELGATE)."""

    tournament: str
    entry: str
    player: str
    rating: int


@final
class ReadRating(Command, frozen=True, tag="ranking.read-rating.v1"):
    """Ask for a player's rating; the answer is a `RatingView`."""

    player: str


@final
class ReadBoard(Command, frozen=True, tag="ranking.read-board.v1"):
    """Ask for a part of the leader board of a month (`2026-11`) or a year (`2026`), UTC's.

    The answer is a `BoardPage` of what comes after so many lines.
    """

    period: str
    after: int = 0
    limit: int = 100


class RatingView(Reply, frozen=True):
    """A player's rating after so many tournaments; before the first it is every newcomer's."""

    player: str
    rating: int
    skill: Skill
    tournaments: int


class BoardLine(msgspec.Struct, frozen=True):
    """A player's points in a period; players with as many share a rank."""

    rank: int
    player: str
    points: int
    tournaments: int


class BoardPage(Reply, frozen=True):
    """A part of a leader board, as of commit `number`; `next_after` is None when it is the last."""

    period: str
    number: int
    lines: tuple[BoardLine, ...]
    next_after: int | None


RankingRequest = ReadRating
RankingEvent = (
    PlacesNoted | PlacesRecorded | RatingsAwaited | PlayersRated | TournamentRated | EntryRated
)
