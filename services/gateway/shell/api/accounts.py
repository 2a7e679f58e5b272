"""PP-ACCOUNT: the contract that a player files, and what operators do to accounts.

Who a player is leaves the platform here only, for an operator who has to check it. The author of
an act is whose token it is.
"""

from typing import Annotated, Any

import msgspec
from litestar import get, post

from services.gateway.shell.access import for_operators, for_players
from services.gateway.shell.api.operators import account
from services.gateway.shell.api.players import JOURNAL
from services.gateway.shell.gateway import Gateway
from services.gateway.shell.tokens import Caller
from shared.contracts.wallet import (
    AccountView,
    CloseAccount,
    ErasePerson,
    FileContract,
    IdentifyAccount,
    Person,
    PersonView,
    ReadPerson,
    ReinstateAccount,
    SuspendAccount,
)
from shared.runtime.asking import reply_of

PLAYER = "/api/operator/players/{player:str}"
FOR_OPERATORS = for_operators("accounts", status_code=200)
FOR_PLAYERS = for_players("players")


class Grounds(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """Why it is done; it stands in the log for ever, so it names no person."""

    reason: Annotated[str, msgspec.Meta(max_length=4_000)]


class PlayerView(msgspec.Struct, frozen=True):
    """A player's account, and who that is: None before anything was filed, and once erased."""

    account: AccountView
    person: Person | None


@post("/api/me/contract", status_code=200, summary="File the contract", **FOR_PLAYERS)
async def file_contract(data: Person, gateway: Gateway, caller: Caller) -> AccountView:
    """File the signed contract with the identity document, for an operator to check.

    Until that is done, another filing replaces it. `document` is its kind and number.
    """
    command = FileContract(player=caller.id, person=data)
    await gateway.ask("wallet", JOURNAL, command, caller.actor)
    return await account(caller.id, gateway, caller)


@get(PLAYER, summary="Read a player", **FOR_OPERATORS)
async def read_player(player: str, gateway: Gateway, caller: Caller) -> PlayerView:
    """Return the account and who the player is, as filed."""
    standing = await account(player, gateway, caller)
    accepted = await gateway.ask("wallet", JOURNAL, ReadPerson(player=player), caller.actor)
    view: PersonView = reply_of(accepted, PersonView)
    return PlayerView(standing, view.person)


@post(f"{PLAYER}/identification", summary="Identify a player", **FOR_OPERATORS)
async def identify(player: str, gateway: Gateway, caller: Caller) -> AccountView:
    """Note that contract and identity document were checked."""
    return await taken(IdentifyAccount(player=player), gateway, caller)


@post(f"{PLAYER}/suspension", summary="Suspend an account", **FOR_OPERATORS)
async def suspend(player: str, data: Grounds, gateway: Gateway, caller: Caller) -> AccountView:
    """Let no money in or out and no entry be made, until the account is reinstated."""
    command = SuspendAccount(player=player, author=caller.id, reason=data.reason)
    return await taken(command, gateway, caller)


@post(f"{PLAYER}/reinstatement", summary="Reinstate an account", **FOR_OPERATORS)
async def reinstate(player: str, data: Grounds, gateway: Gateway, caller: Caller) -> AccountView:
    """End a suspension: the player is identified as before."""
    command = ReinstateAccount(player=player, author=caller.id, reason=data.reason)
    return await taken(command, gateway, caller)


@post(f"{PLAYER}/closure", summary="Close an account", **FOR_OPERATORS)
async def close(player: str, data: Grounds, gateway: Gateway, caller: Caller) -> AccountView:
    """Close an account for good; there may be no money in it."""
    command = CloseAccount(player=player, author=caller.id, reason=data.reason)
    return await taken(command, gateway, caller)


@post(f"{PLAYER}/erasure", summary="Erase a person", **FOR_OPERATORS)
async def erase(player: str, gateway: Gateway, caller: Caller) -> AccountView:
    """Forget who the player of a closed account was: the key is destroyed, all money stays."""
    return await taken(ErasePerson(player=player, author=caller.id), gateway, caller)


async def taken(command: Any, gateway: Gateway, caller: Caller) -> AccountView:
    """Have an act recorded, and read the account as it is after it."""
    await gateway.ask("wallet", JOURNAL, command, caller.actor)
    return await account(command.player, gateway, caller)
