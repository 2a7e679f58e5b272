"""Standings, stacks, prizes, the next break and the feed of a tournament, as of one commit."""

from typing import Annotated, Final

import msgspec
from litestar import get
from litestar.params import Parameter

from services.gateway.shell.api.tournaments import TAGS
from services.gateway.shell.gateway import Gateway
from services.gateway.shell.refusals import REFUSED, Refusal
from services.gateway.shell.standings import Happening, Standing
from services.gateway.shell.tournament import Tournament

PAGE_MAX: Final = 1_000
Offset = Annotated[int, Parameter(ge=0)]
Limit = Annotated[int, Parameter(ge=1, le=PAGE_MAX)]


class StandingView(msgspec.Struct, frozen=True):
    """A player who is still in; `rank` is one more than how many have more chips.

    `bounty_cents` is all that there is to win of the player now.
    """

    rank: int
    player: str
    name: str
    table: str
    seat: int | None
    stack_chips: int
    bounty_cents: int


class NextBreak(msgspec.Struct, frozen=True):
    """The break after a level; `at_ms` is None where levels do not end by time."""

    after_level: int
    ms: int
    at_ms: int | None


class StandingsView(msgspec.Struct, frozen=True, kw_only=True):
    """A part of the standings, the most chips first, and what goes with all of them.

    `line` and `number` name the commit that all of it is as of. Chips on the way are counted.
    """

    line: str
    number: int
    players_left: int
    chips: int
    average_chips: int
    largest_chips: int
    smallest_chips: int
    prizes_cents: tuple[int, ...]
    next_break: NextBreak | None
    standings: list[StandingView]


class FeedView(msgspec.Struct, frozen=True, kw_only=True):
    """What happened, oldest first; of what lies further back, `forgotten` says that it did.

    Read on with `after` = `number`.
    """

    line: str
    number: int
    forgotten: bool
    feed: list[Happening]


@get(
    "/api/tournaments/{tournament:str}/standings",
    responses=REFUSED,
    summary="Read the standings of a tournament",
    tags=TAGS,
)
async def read_standings(
    tournament: str, gateway: Gateway, offset: Offset = 0, limit: Limit = 100
) -> StandingsView:
    """Return who is still in, by chips (PP-LOBBY)."""
    known, standing = found(gateway, tournament)
    ranked = standing.ranked()
    stacks = [held.stack_chips for _, held in ranked]
    page = ranked[offset : offset + limit]
    ranks = {chips: stacks.index(chips) + 1 for chips in {held.stack_chips for _, held in page}}
    number, line = standing.number, str(standing.line)
    view = StandingsView(
        line=line,
        number=number,
        players_left=len(ranked),
        chips=sum(stacks),
        average_chips=sum(stacks) // len(stacks) if stacks else 0,
        largest_chips=stacks[0] if stacks else 0,
        smallest_chips=stacks[-1] if stacks else 0,
        prizes_cents=known.prizes_cents,
        next_break=next_break(known),
        standings=[],
    )
    names = await gateway.names.of([player for player, _ in page])
    return msgspec.structs.replace(
        view,
        standings=[
            StandingView(
                ranks[held.stack_chips],
                player,
                names.get(player, player),
                held.table,
                held.seat,
                held.stack_chips,
                standing.bounties.get(player, 0),
            )
            for player, held in page
        ],
    )


@get(
    "/api/tournaments/{tournament:str}/feed",
    responses=REFUSED,
    summary="Read what happens in a tournament",
    tags=TAGS,
)
async def read_feed(
    tournament: str, gateway: Gateway, after: Offset = 0, limit: Limit = 100
) -> FeedView:
    """Return what happened behind a commit of the line; whole commits, as many as fit."""
    _, standing = found(gateway, tournament)
    kept = standing.feed
    newer = [happened for happened in kept if happened.number > after]
    page = newer[:limit]
    if len(newer) > limit:
        cut = newer[limit].number
        whole = [happened for happened in page if happened.number < cut]
        page = whole or [happened for happened in newer if happened.number == cut]
    reached = page[-1].number if len(page) < len(newer) else standing.number
    forgotten = len(kept) == kept.maxlen and kept[0].number > after + 1
    return FeedView(line=str(standing.line), number=reached, forgotten=forgotten, feed=page)


def found(gateway: Gateway, tournament: str) -> tuple[Tournament, Standing]:
    """Return a tournament and how it stands; raise `unknown_tournament`."""
    known = gateway.lobby.get(tournament)
    standing = gateway.lobby.standings.get(tournament)
    if known is None or standing is None:
        raise Refusal("unknown_tournament")
    return known, standing


def next_break(known: Tournament) -> NextBreak | None:
    """Say which break comes next, and when, if no pause comes between."""
    if known.level is None or known.status != "running":
        return None
    level = known.level
    resting = known.on_break is not None
    coming = (b for b in known.terms.breaks if b.after_level >= level.number + resting)
    rest = next(coming, None)
    if rest is None:
        return None
    at_ms = None
    if level.ends_at_ms is not None and not (resting or known.paused):
        at_ms = level.ends_at_ms + (rest.after_level - level.number) * known.terms.level_ms
    return NextBreak(rest.after_level, rest.ms, at_ms)
