"""Big Shoots (BH-BIGSHOOT): what the lobby shows of their stages, and how a player withdraws."""

import msgspec
from litestar import post

from services.gateway.shell.access import for_players
from services.gateway.shell.api.operators import shown
from services.gateway.shell.api.tournaments import tournament_id
from services.gateway.shell.facts import understood
from services.gateway.shell.gateway import Gateway
from services.gateway.shell.tokens import Caller
from shared.contracts.director import StagePrizeDue, Withdraw

FOR_PLAYERS = for_players("tournaments")


class Withdrawn(msgspec.Struct, frozen=True):
    """The part payment that is due instead of playing on."""

    amount_cents: int


@post(
    "/api/tournaments/{tournament:str}/withdrawal",
    summary="Take money instead of playing the next stage",
    **FOR_PLAYERS,
)
async def withdraw(tournament: str, gateway: Gateway, caller: Caller) -> Withdrawn:
    """Leave the stage that one has qualified for, before its start, for a part of its pool."""
    stream = tournament_id(tournament)
    accepted = await gateway.ask("director", stream, Withdraw(player=caller.id), caller.actor)
    await shown(gateway, accepted)
    due: StagePrizeDue = understood(accepted.events[0])
    return Withdrawn(due.amount_cents)
