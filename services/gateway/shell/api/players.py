"""Players: signing up, and looking at the own account."""

from typing import Annotated

import msgspec
from litestar import get, post

from services.gateway.shell.access import for_players
from services.gateway.shell.gateway import Gateway
from services.gateway.shell.refusals import REFUSED
from services.gateway.shell.tokens import Caller
from shared.contracts.commit import Actor
from shared.contracts.wallet import AccountView, OpenAccount, ReadAccount
from shared.runtime.asking import reply_of

JOURNAL = "journal"

FOR_PLAYERS = for_players("players")


class SignUp(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The name that others see."""

    name: Annotated[str, msgspec.Meta(max_length=1_000)]


class SignedUp(msgspec.Struct, frozen=True):
    """Who you are from now on, and the bearer token that says so; it is not shown again."""

    player: str
    token: str


class TicketView(msgspec.Struct, frozen=True):
    """What `ticket` to name, the tournament that it is an entry to, and what it is worth."""

    ticket: str
    target: str
    value_cents: int


@post("/api/players", responses=REFUSED, summary="Sign up", tags=["players"])
async def sign_up(data: SignUp, gateway: Gateway) -> SignedUp:
    """Open an account (PP-ACCOUNT); it is pending until an operator has identified the player."""
    player = gateway.new_id("ply")
    by = Actor("player", player)
    await gateway.ask("wallet", JOURNAL, OpenAccount(player=player, name=data.name), by)
    return SignedUp(player, gateway.tokens.issue(player))


@get("/api/me", summary="Read the own account", **FOR_PLAYERS)
async def me(gateway: Gateway, caller: Caller) -> AccountView:
    """Return status and money of the account, as of now."""
    accepted = await gateway.ask("wallet", JOURNAL, ReadAccount(player=caller.id), caller.actor)
    view: AccountView = reply_of(accepted, AccountView)
    return view


@get("/api/me/tickets", summary="Read the own tickets", **FOR_PLAYERS)
async def my_tickets(gateway: Gateway, caller: Caller) -> list[TicketView]:
    """Return the tickets that were won and are not used (BH-SATELLITE)."""
    return [
        TicketView(won.ticket, won.target, won.value_cents) for won in gateway.tickets.of(caller.id)
    ]
