"""A deal between the last players, as they ask for it and answer.

What becomes of it they hear as facts, and everybody reads in the lobby.
"""

import msgspec
from litestar import post

from services.gateway.shell.access import for_players
from services.gateway.shell.api.operators import shown
from services.gateway.shell.api.tournaments import tournament_id
from services.gateway.shell.gateway import Gateway
from services.gateway.shell.tokens import Caller
from services.gateway.shell.tournament import OpenDeal
from shared.contracts.director import AnswerDeal, Method, OfferDeal

FOR_PLAYERS = for_players("tournaments", status_code=200)


class Offered(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """By the independent chip model, or by chips."""

    method: Method


class Answered(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """Whether one agrees to the shares that are proposed."""

    agree: bool


class DealView(msgspec.Struct, frozen=True):
    """The deal that is open now; None when it has ended."""

    deal: OpenDeal | None


@post("/api/tournaments/{tournament:str}/deal", summary="Offer a deal", **FOR_PLAYERS)
async def offer(tournament: str, data: Offered, gateway: Gateway, caller: Caller) -> DealView:
    """Ask the others to share what is left; the shares are proposed after the hand."""
    command = OfferDeal(player=caller.id, method=data.method)
    return await asked(tournament, command, gateway, caller)


@post("/api/tournaments/{tournament:str}/deal/answer", summary="Answer a deal", **FOR_PLAYERS)
async def answer(tournament: str, data: Answered, gateway: Gateway, caller: Caller) -> DealView:
    """Agree, or not: the last to agree ends the tournament, the first not to ends the deal."""
    command = AnswerDeal(player=caller.id, agree=data.agree)
    return await asked(tournament, command, gateway, caller)


async def asked(
    tournament: str, command: OfferDeal | AnswerDeal, gateway: Gateway, caller: Caller
) -> DealView:
    """Ask the director, and show what is open then."""
    stream = tournament_id(tournament)
    await shown(gateway, await gateway.ask("director", stream, command, caller.actor))
    known = gateway.lobby.get(stream)
    return DealView(known.deal if known is not None else None)
