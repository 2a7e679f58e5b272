"""Operators: deposits, new tournaments."""

from typing import Annotated

import msgspec
from litestar import post

from services.gateway.shell.access import for_operators
from services.gateway.shell.api.players import JOURNAL
from services.gateway.shell.gateway import Gateway
from services.gateway.shell.targets import check_target
from services.gateway.shell.tokens import Caller
from shared.contracts.director import CreateTournament, Terms
from shared.contracts.edge import Accepted
from shared.contracts.wallet import (
    AccountView,
    Deposit,
    ReadAccount,
)
from shared.runtime.asking import reply_of

FOR_OPERATORS = for_operators("operators")


class Deposited(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """Money that came in; `reference` names the payment, and the same again changes nothing."""

    amount_cents: int
    reference: Annotated[str, msgspec.Meta(max_length=1_000)]


class NewTournament(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """All that a player must know before paying (PP-LOBBY)."""

    terms: Terms


class Announced(msgspec.Struct, frozen=True):
    """The id of a new tournament."""

    tournament: str


@post("/api/operator/players/{player:str}/deposits", summary="Take a deposit", **FOR_OPERATORS)
async def deposit(player: str, data: Deposited, gateway: Gateway, caller: Caller) -> AccountView:
    """Credit money from outside to a player's cash."""
    command = Deposit(player=player, amount_cents=data.amount_cents, reference=data.reference)
    await gateway.ask("wallet", JOURNAL, command, caller.actor)
    return await account(player, gateway, caller)


@post("/api/operator/tournaments", summary="Announce a tournament", **FOR_OPERATORS)
async def announce(data: NewTournament, gateway: Gateway, caller: Caller) -> Announced:
    """Announce a tournament; one that leads to another needs that one to be announced first."""
    check_target(gateway.lobby, data.terms)
    tournament = gateway.new_id("trn")
    command = CreateTournament(tournament=tournament, terms=data.terms)
    await shown(gateway, await gateway.ask("director", tournament, command, caller.actor))
    return Announced(tournament)


async def account(player: str, gateway: Gateway, caller: Caller) -> AccountView:
    """Read the account as it is after what was done."""
    accepted = await gateway.ask("wallet", JOURNAL, ReadAccount(player=player), caller.actor)
    view: AccountView = reply_of(accepted, AccountView)
    return view


async def shown(gateway: Gateway, accepted: Accepted) -> None:
    """Wait until the read models show what was just accepted."""
    await gateway.progress.reach(accepted.stream, accepted.n)
