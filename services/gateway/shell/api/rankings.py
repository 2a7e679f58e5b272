"""Ratings and leader boards (PP-SKILL), as everybody may see them."""

from typing import Final

import msgspec
from litestar import get

from services.gateway.shell.gateway import Gateway
from services.gateway.shell.refusals import REFUSED
from services.gateway.shell.requests import GATEWAY
from shared.contracts.ranking import (
    BoardLine,
    BoardPage,
    RatingView,
    ReadBoard,
    ReadRating,
    Skill,
)
from shared.runtime.asking import reply_of

RATINGS: Final = "ratings"
LINES: Final = 100
TAGS = ["rankings"]


class PlayerRating(msgspec.Struct, frozen=True):
    """A player's rating and level, after so many tournaments."""

    player: str
    name: str
    rating: int
    skill: Skill
    tournaments: int


class RankedPlayer(msgspec.Struct, frozen=True):
    """A line of a leader board; players with as many points share a rank."""

    rank: int
    player: str
    name: str
    points: int
    tournaments: int


class LeaderBoard(msgspec.Struct, frozen=True):
    """A part of a leader board, as of commit `number`; `next_after` is null when it is the last."""

    period: str
    number: int
    lines: list[RankedPlayer]
    next_after: int | None


@get("/api/players/{player:str}/rating", responses=REFUSED, summary="Read a rating", tags=TAGS)
async def read_rating(player: str, gateway: Gateway) -> PlayerRating:
    """Return the rating of a player; whoever has not finished a tournament has a newcomer's."""
    accepted = await gateway.ask("ranking", RATINGS, ReadRating(player=player), GATEWAY)
    view: RatingView = reply_of(accepted, RatingView)
    names = await gateway.names.of([player])
    return PlayerRating(player, names[player], view.rating, view.skill, view.tournaments)


@get("/api/rankings/{period:str}", responses=REFUSED, summary="Read a leader board", tags=TAGS)
async def read_board(
    period: str, gateway: Gateway, after: int = 0, limit: int = LINES
) -> LeaderBoard:
    """Return the leader board of a month such as `2026-11` or of a year, UTC's, best first.

    Read on with `after` = `next_after`, until that is null.
    """
    command = ReadBoard(period=period, after=after, limit=limit)
    page: BoardPage = reply_of(await gateway.ask("ranking", RATINGS, command, GATEWAY), BoardPage)
    names = await gateway.names.of([line.player for line in page.lines])
    lines = [ranked(line, names[line.player]) for line in page.lines]
    return LeaderBoard(page.period, page.number, lines, page.next_after)


def ranked(line: BoardLine, name: str) -> RankedPlayer:
    """Show a line with what its player goes by."""
    return RankedPlayer(line.rank, line.player, name, line.points, line.tournaments)
