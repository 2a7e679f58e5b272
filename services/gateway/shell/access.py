"""Who may: guards for Litestar's routes. A handler gets the caller as a dependency after them."""

from typing import Any, Final

from litestar import Request
from litestar.connection import ASGIConnection
from litestar.handlers import BaseRouteHandler
from litestar.openapi.spec import SecurityRequirement
from litestar.types import Guard

from services.gateway.shell.refusals import REFUSED_WITH_TOKEN, Refusal
from services.gateway.shell.tokens import Caller, Role, Tokens

Connection = ASGIConnection[Any, Any, Any, Any]
SCHEME: Final = "bearer "
TOKEN: Final[list[SecurityRequirement]] = [{"token": []}]


def bearer(header: str | None) -> str | None:
    """Return the token of an Authorization header; None when there is no header."""
    if header is None:
        return None
    return header[len(SCHEME) :].strip() if header.lower().startswith(SCHEME) else ""


def known_caller(tokens: Tokens, token: str | None) -> Caller:
    """Return whose token this is."""
    if token is None:
        raise Refusal("unauthorized", "a bearer token is needed")
    caller = tokens.caller(token)
    if caller is None:
        raise Refusal("unauthorized", "the token is not one of ours")
    return caller


def players_only(connection: Connection, _handler: BaseRouteHandler) -> None:
    """Let players in."""
    let_in(connection, "player")


def operators_only(connection: Connection, _handler: BaseRouteHandler) -> None:
    """Let operators in."""
    let_in(connection, "operator")


def anybody_known(connection: Connection, _handler: BaseRouteHandler) -> None:
    """Let players and operators in."""
    tokens: Tokens = connection.app.state.tokens
    known_caller(tokens, bearer(connection.headers.get("authorization")))


def for_players(tag: str, **more: Any) -> dict[str, Any]:
    """Return what every route for players says of itself."""
    return guarded(players_only, tag) | more


def for_operators(tag: str, **more: Any) -> dict[str, Any]:
    """Return what every route for operators says of itself."""
    return guarded(operators_only, tag) | more


def for_anybody(tag: str) -> dict[str, Any]:
    """Return what every route for players and operators says of itself."""
    return guarded(anybody_known, tag)


def guarded(guard: Guard, tag: str) -> dict[str, Any]:
    """Describe a route that asks for a token, and its refusals."""
    return {
        "guards": [guard],
        "responses": REFUSED_WITH_TOKEN,
        "security": TOKEN,
        "tags": [tag],
    }


def let_in(connection: Connection, role: Role) -> None:
    """Note the caller on the connection, or refuse."""
    tokens: Tokens = connection.app.state.tokens
    caller = known_caller(tokens, bearer(connection.headers.get("authorization")))
    if caller.role != role:
        raise Refusal("forbidden", f"for {role}s only")
    connection.state.caller = caller


def caller_of(request: Request[Any, Any, Any]) -> Caller:
    """Return the caller whom the guard let in."""
    caller: Caller = request.state.caller
    return caller
