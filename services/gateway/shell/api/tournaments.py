"""The lobby, and entries: a player asks, and gets the outcome as one answer."""

import asyncio
from typing import Annotated, Final

import msgspec
from litestar import delete, get, post
from litestar.params import Parameter

from services.gateway.shell.access import for_players
from services.gateway.shell.api.operators import shown
from services.gateway.shell.api.views import (
    TournamentSummary,
    TournamentView,
    tournament_summary,
    tournament_view,
)
from services.gateway.shell.facts import understood
from services.gateway.shell.gateway import Gateway
from services.gateway.shell.lobby import Outcome
from services.gateway.shell.refusals import REFUSED, Refusal
from services.gateway.shell.tokens import Caller
from shared.contracts.director import (
    EntryDeclined,
    EntryExpired,
    PlayerRegistered,
    PlayerUnregistered,
    Register,
    Unregister,
    WaitingListJoined,
    WaitingListLeft,
)
from shared.kernel.ids import is_derived_id

OUTCOME_SECONDS: Final = 10.0
LISTED_MAX: Final = 500
ENTERED: Final = (PlayerRegistered, EntryDeclined, EntryExpired)

FOR_PLAYERS = for_players("tournaments")


TAGS = ["tournaments"]
SeriesName = Annotated[str, Parameter(max_length=100, description="The id of a final.")]
TicketName = Annotated[str, Parameter(max_length=300, description="One of /api/me/tickets.")]


class Entered(msgspec.Struct, frozen=True):
    """The entry that counts."""

    entry: str


class Waiting(msgspec.Struct, frozen=True):
    """All entries are sold; nothing was paid. `position` on the waiting list counts from 1."""

    position: int


class Refunded(msgspec.Struct, frozen=True):
    """The entry that is over, and what came back; both are empty for who only waited."""

    entry: str
    refund_cents: int


class Lobby(msgspec.Struct, frozen=True):
    """The newest tournaments, newest first, as of these numbers of the lines."""

    tournaments: list[TournamentSummary]
    as_of: dict[str, int]


@get("/api/tournaments", summary="List tournaments", tags=TAGS)
async def list_tournaments(gateway: Gateway, series: SeriesName = "") -> Lobby:
    """Return a line for each tournament (PP-LOBBY), or for each stage of one Big Shoot."""
    listed = gateway.lobby.stages(series) if series else gateway.lobby.all()
    newest = listed[: -LISTED_MAX - 1 : -1]
    return Lobby([tournament_summary(known) for known in newest], gateway.progress.as_of())


@get("/api/tournaments/{tournament:str}", responses=REFUSED, summary="Read a tournament", tags=TAGS)
async def read_tournament(tournament: str, gateway: Gateway) -> TournamentView:
    """Return terms, pool, players, tables and places of one tournament (PP-LOBBY)."""
    known = gateway.lobby.get(tournament)
    if known is None:
        raise Refusal("unknown_tournament")
    return tournament_view(known, gateway, await gateway.names.of(known.shown_players()))


@post("/api/tournaments/{tournament:str}/entries", summary="Enter a tournament", **FOR_PLAYERS)
async def enter(
    tournament: str, gateway: Gateway, caller: Caller, ticket: TicketName = ""
) -> Entered | Waiting:
    """Pay and register (PP-ENTRY), by a ticket as far as it is worth the price, or in cash.

    Answered when the wallet and the director have spoken. Who comes when all entries are sold
    waits in line for one. After the start it is possible as long as the terms say, and whoever is
    out enters again as often as they say.
    """
    with gateway.lobby.outcomes(tournament_id(tournament), caller.id) as outcomes:
        command = Register(player=caller.id, ticket=ticket)
        accepted = await gateway.ask("director", tournament, command, caller.actor)
        asked = understood(accepted.events[0])
        if isinstance(asked, WaitingListJoined):
            return Waiting(asked.position)
        entry: str = asked.entry
        outcome = await outcome_of(entry, outcomes, ENTERED)
    if isinstance(outcome, PlayerRegistered):
        return Entered(entry)
    if isinstance(outcome, EntryDeclined):
        raise Refusal(outcome.reason, f"entry {entry}")
    raise Refusal("entry_expired", f"entry {entry}")


@delete(
    "/api/tournaments/{tournament:str}/entries",
    status_code=200,
    summary="Leave a tournament",
    **FOR_PLAYERS,
)
async def leave(tournament: str, gateway: Gateway, caller: Caller) -> Refunded:
    """Leave before the start, and the price comes back (PP-ENTRY); or leave the waiting list."""
    command = Unregister(player=caller.id)
    stream = tournament_id(tournament)
    accepted = await gateway.ask("director", stream, command, caller.actor)
    await shown(gateway, accepted)
    left: PlayerUnregistered | WaitingListLeft = understood(accepted.events[0])
    if isinstance(left, WaitingListLeft):
        return Refunded("", 0)
    return Refunded(left.entry, left.refund_cents)


def tournament_id(text: str) -> str:
    """Let only ids pass that a tournament could have."""
    if not is_derived_id(text, "trn"):
        raise Refusal("unknown_tournament")
    return text


async def outcome_of(
    entry: str, outcomes: asyncio.Queue[Outcome], kinds: tuple[type[Outcome], ...]
) -> Outcome:
    """Wait for what becomes of this entry, when it is one of these."""
    try:
        async with asyncio.timeout(OUTCOME_SECONDS):
            while True:
                outcome = await outcomes.get()
                if outcome.entry == entry and isinstance(outcome, kinds):
                    return outcome
    except TimeoutError:
        raise Refusal("unavailable", f"entry {entry} is still pending") from None
