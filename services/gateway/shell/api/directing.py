"""Operators' hand on a tournament: give it up, or a hand of it; let it stand still, let it go on.

The author is whose token it is. Players read the reason in the lobby, and hear it as a fact.
"""

from typing import Annotated, Any

import msgspec
from litestar import post

from services.gateway.shell.access import for_operators
from services.gateway.shell.api.operators import shown
from services.gateway.shell.api.tournaments import tournament_id
from services.gateway.shell.api.views import TournamentSummary, tournament_summary
from services.gateway.shell.gateway import Gateway
from services.gateway.shell.moves import table_id
from services.gateway.shell.refusals import Refusal
from services.gateway.shell.tokens import Caller
from shared.contracts.commit import decode_type
from shared.contracts.director import CancelTournament, PauseTournament, ResumeTournament
from shared.contracts.message import tag_of
from shared.contracts.table import HandVoided, VoidHand

TOURNAMENT = "/api/operator/tournaments/{tournament:str}"
FOR_OPERATORS = for_operators("operators", status_code=200)


class Because(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """Why it is done: everybody may read it."""

    reason: Annotated[str, msgspec.Meta(max_length=4_000)]


@post(f"{TOURNAMENT}/cancellation", summary="Cancel a tournament", **FOR_OPERATORS)
async def cancel(
    tournament: str, data: Because, gateway: Gateway, caller: Caller
) -> TournamentSummary:
    """Give up a tournament: before its start everybody gets the whole price (PP-CRASH-REG).

    While it runs it is halted, and waits for a second operator.
    """
    command = CancelTournament(author=caller.id, reason=data.reason)
    return await directed(tournament, command, gateway, caller)


@post(f"{TOURNAMENT}/pause", summary="Pause a tournament", **FOR_OPERATORS)
async def pause(
    tournament: str, data: Because, gateway: Gateway, caller: Caller
) -> TournamentSummary:
    """Let hands in play end and no other begin; level and break stand still."""
    command = PauseTournament(author=caller.id, reason=data.reason)
    return await directed(tournament, command, gateway, caller)


@post(f"{TOURNAMENT}/resumption", summary="Resume a tournament", **FOR_OPERATORS)
async def resume(tournament: str, gateway: Gateway, caller: Caller) -> TournamentSummary:
    """Go on where it was; level and break last as long as they would have."""
    return await directed(tournament, ResumeTournament(author=caller.id), gateway, caller)


class GivenUp(msgspec.Struct, frozen=True):
    """A hand that was doubted, or is void: until then the same has to be asked again later."""

    hand: str
    void: bool


@post(
    "/api/operator/tables/{table:str}/hands/{hand:str}/void",
    summary="Give up a hand that waits for the dealer",
    **FOR_OPERATORS,
)
async def void_hand(
    table: str, hand: str, data: Because, gateway: Gateway, caller: Caller
) -> GivenUp:
    """Doubt a hand; half a minute later the same makes it void, if nothing has been dealt since."""
    command = VoidHand(hand=hand, author=caller.id, reason=data.reason)
    accepted = await gateway.ask("table", table_id(table), command, caller.actor)
    void = any(decode_type(event).type == tag_of(HandVoided) for event in accepted.events)
    return GivenUp(hand=hand, void=void)


async def directed(
    tournament: str, command: Any, gateway: Gateway, caller: Caller
) -> TournamentSummary:
    """Ask the director, and show the tournament as it is then."""
    stream = tournament_id(tournament)
    await shown(gateway, await gateway.ask("director", stream, command, caller.actor))
    known = gateway.lobby.get(stream)
    if known is None:
        raise Refusal("unavailable", "it is done, and not to be seen here yet")
    return tournament_summary(known)
