"""Rebuys and add-ons: a player asks, and hears from the wallet; the chips follow as facts."""

import msgspec
from litestar import delete, post

from services.gateway.shell.access import for_players
from services.gateway.shell.api.operators import shown
from services.gateway.shell.api.tournaments import outcome_of, tournament_id
from services.gateway.shell.facts import understood
from services.gateway.shell.gateway import Gateway
from services.gateway.shell.refusals import Refusal
from services.gateway.shell.tokens import Caller
from shared.contracts.director import (
    AddOn,
    DeclineRebuy,
    PlayerBusted,
    PriceHeld,
    Rebuy,
    RebuyLapsed,
    RebuyRequested,
)

TOURNAMENT = "/api/tournaments/{tournament:str}"
FOR_PLAYERS = for_players("tournaments")


class Bought(msgspec.Struct, frozen=True):
    """The price is held for this entry; it is paid when the chips come to the table."""

    entry: str


class GoneOut(msgspec.Struct, frozen=True):
    """The hand that was the last one."""

    table: str
    hand: str


@post(f"{TOURNAMENT}/rebuys", summary="Buy again after losing all chips", **FOR_PLAYERS)
async def rebuy(tournament: str, gateway: Gateway, caller: Caller) -> Bought:
    """Take the rebuy on offer (BH-REBUY)."""
    return await bought(tournament, Rebuy(player=caller.id), gateway, caller)


@delete(f"{TOURNAMENT}/rebuys", status_code=200, summary="Decline a rebuy", **FOR_PLAYERS)
async def decline_rebuy(tournament: str, gateway: Gateway, caller: Caller) -> GoneOut:
    """Leave the tournament instead of waiting for the end of the offer."""
    command, stream = DeclineRebuy(player=caller.id), tournament_id(tournament)
    accepted = await gateway.ask("director", stream, command, caller.actor)
    await shown(gateway, accepted)
    out: PlayerBusted = understood(accepted.events[0])
    return GoneOut(out.table, out.hand)


@post(f"{TOURNAMENT}/add-ons", summary="Buy more chips", **FOR_PLAYERS)
async def add_on(tournament: str, gateway: Gateway, caller: Caller) -> Bought:
    """Buy an add-on (BH-REBUY); the chips come with the player's next hand."""
    return await bought(tournament, AddOn(player=caller.id), gateway, caller)


async def bought(
    tournament: str, command: Rebuy | AddOn, gateway: Gateway, caller: Caller
) -> Bought:
    """Ask the director, and wait for the wallet's word."""
    stream = tournament_id(tournament)
    with gateway.lobby.outcomes(stream, caller.id) as outcomes:
        accepted = await gateway.ask("director", stream, command, caller.actor)
        asked: RebuyRequested = understood(accepted.events[0])
        outcome = await outcome_of(asked.entry, outcomes, (PriceHeld, RebuyLapsed))
    if isinstance(outcome, RebuyLapsed):
        raise Refusal(outcome.reason, f"entry {asked.entry}")
    return Bought(asked.entry)
