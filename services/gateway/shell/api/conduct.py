"""PP-CONDUCT for operators: warn, suspend, ask for closure, report, and what was done so far.

The author of a step is whose token it is. A suspension of chat counts from the next message on,
one of play from the next entry on.
"""

from typing import Annotated, Any

import msgspec
from litestar import delete, get, post

from services.gateway.shell.access import for_operators
from services.gateway.shell.api.operators import account, shown
from services.gateway.shell.api.players import JOURNAL
from services.gateway.shell.gateway import Gateway
from services.gateway.shell.tokens import Caller
from shared.contracts.wallet import (
    AccountView,
    AskForClosure,
    ReportToAuthorities,
    ResumeChat,
    ResumePlay,
    SuspendChat,
    SuspendPlay,
    WarnPlayer,
)

CONDUCT = "/api/operator/players/{player:str}/conduct"
FOR_OPERATORS = for_operators("conduct", status_code=200)

Reason = Annotated[str, msgspec.Meta(max_length=4_000)]


class Why(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """What the player has done; it stands in the log for ever."""

    reason: Reason


class Suspension(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """Why, and until when: a suspension without `until_ms` is for good."""

    reason: Reason
    until_ms: int | None = None


class ConductView(msgspec.Struct, frozen=True):
    """How a player stands, and every step as it was recorded, the oldest first."""

    account: AccountView
    history: tuple[msgspec.Raw, ...]


@get(CONDUCT, summary="Read a player's conduct", **FOR_OPERATORS)
async def read_conduct(player: str, gateway: Gateway, caller: Caller) -> ConductView:
    """Return how the player stands and the history, with authors and reasons."""
    return await conduct_of(player, gateway, caller)


@post(f"{CONDUCT}/warning", summary="Warn a player", **FOR_OPERATORS)
async def warn(player: str, data: Why, gateway: Gateway, caller: Caller) -> ConductView:
    """Warn by e-mail; it comes before everything but a report."""
    command = WarnPlayer(player=player, author=caller.id, reason=data.reason)
    return await taken(command, gateway, caller)


@post(f"{CONDUCT}/chat-suspension", summary="Suspend a player's chat", **FOR_OPERATORS)
async def suspend_chat(
    player: str, data: Suspension, gateway: Gateway, caller: Caller
) -> ConductView:
    """Let the player say nothing, for a time or for good; it replaces a suspension before it."""
    command = SuspendChat(
        player=player, author=caller.id, reason=data.reason, until_ms=data.until_ms
    )
    return await taken(command, gateway, caller)


@delete(f"{CONDUCT}/chat-suspension", summary="Resume a player's chat", **FOR_OPERATORS)
async def resume_chat(player: str, reason: Reason, gateway: Gateway, caller: Caller) -> ConductView:
    """End a suspension of chat before its time."""
    command = ResumeChat(player=player, author=caller.id, reason=reason)
    return await taken(command, gateway, caller)


@post(f"{CONDUCT}/play-suspension", summary="Suspend a player from play", **FOR_OPERATORS)
async def suspend_play(
    player: str, data: Suspension, gateway: Gateway, caller: Caller
) -> ConductView:
    """Let the player enter nothing, for a time or for good; seats already bought are played."""
    command = SuspendPlay(
        player=player, author=caller.id, reason=data.reason, until_ms=data.until_ms
    )
    return await taken(command, gateway, caller)


@delete(f"{CONDUCT}/play-suspension", summary="Let a player enter again", **FOR_OPERATORS)
async def resume_play(player: str, reason: Reason, gateway: Gateway, caller: Caller) -> ConductView:
    """End a suspension from play before its time."""
    command = ResumePlay(player=player, author=caller.id, reason=reason)
    return await taken(command, gateway, caller)


@post(f"{CONDUCT}/closure-request", summary="Ask to close an account", **FOR_OPERATORS)
async def ask_for_closure(player: str, data: Why, gateway: Gateway, caller: Caller) -> ConductView:
    """Ask the licence holder to close the account."""
    command = AskForClosure(player=player, author=caller.id, reason=data.reason)
    return await taken(command, gateway, caller)


@post(f"{CONDUCT}/report", summary="Report to the authorities", **FOR_OPERATORS)
async def report(player: str, data: Why, gateway: Gateway, caller: Caller) -> ConductView:
    """Note that the authorities were told; where the law is broken no warning comes first."""
    command = ReportToAuthorities(player=player, author=caller.id, reason=data.reason)
    return await taken(command, gateway, caller)


async def taken(command: Any, gateway: Gateway, caller: Caller) -> ConductView:
    """Ask the wallet for a step, and show the history with it."""
    await shown(gateway, await gateway.ask("wallet", JOURNAL, command, caller.actor))
    return await conduct_of(command.player, gateway, caller)


async def conduct_of(player: str, gateway: Gateway, caller: Caller) -> ConductView:
    """Join the wallet's word on the account with the steps as this gateway has read them."""
    standing = await account(player, gateway, caller)
    steps = [msgspec.Raw(text.encode()) for text in gateway.conducts.history(player)]
    return ConductView(standing, tuple(steps))
