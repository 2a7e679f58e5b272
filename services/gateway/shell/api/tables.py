"""Acting at a table over HTTP, for those without a socket."""

import msgspec
from litestar import post

from services.gateway.shell.access import for_players
from services.gateway.shell.gateway import Gateway
from services.gateway.shell.moves import AnyMove, AnyWord, Back, Out, Say, Seed, table_id
from services.gateway.shell.refusals import Refusal
from services.gateway.shell.tokens import Caller
from shared.contracts.edge import Accepted

FOR_PLAYERS = for_players("tables", status_code=200)


class Done(msgspec.Struct, frozen=True):
    """What was recorded: the commit's stream and number, and its facts."""

    re: str
    stream: str
    n: int
    events: tuple[msgspec.Raw, ...]


@post("/api/tables/{table:str}/actions", summary="Act", **FOR_PLAYERS)
async def act(table: str, data: AnyMove, gateway: Gateway, caller: Caller) -> Done:
    """Fold, check, call, raise, show or muck; refused unless `decision` is the open one."""
    if data.table not in (None, table):
        raise Refusal("malformed", "the path names another table")
    return await done(gateway, table, data, caller)


@post("/api/tables/{table:str}/seeds", summary="Give a seed", **FOR_PLAYERS)
async def give_seed(table: str, data: Seed, gateway: Gateway, caller: Caller) -> Done:
    """Add 32 bytes of one's own to the chance of the coming hand's deck, before it starts."""
    if data.table not in (None, table):
        raise Refusal("malformed", "the path names another table")
    return await done(gateway, table, data, caller)


@post("/api/tables/{table:str}/chat", summary="Say something", **FOR_PLAYERS)
async def say(table: str, data: Say, gateway: Gateway, caller: Caller) -> Done:
    """Chat with everybody at the table; all of it is logged (PP-CONDUCT)."""
    if data.table not in (None, table):
        raise Refusal("malformed", "the path names another table")
    return await done(gateway, table, data, caller)


@post("/api/tables/{table:str}/out", summary="Out", **FOR_PLAYERS)
async def go_out(table: str, gateway: Gateway, caller: Caller) -> Done:
    """Let the system act from now on (PP-OUT)."""
    return await done(gateway, table, Out(table=table), caller)


@post("/api/tables/{table:str}/back", summary="Back", **FOR_PLAYERS)
async def come_back(table: str, gateway: Gateway, caller: Caller) -> Done:
    """Play again (PP-OUT)."""
    return await done(gateway, table, Back(table=table), caller)


async def done(gateway: Gateway, table: str, said: AnyWord, caller: Caller) -> Done:
    """Ask the table."""
    command_id = said.id or gateway.new_id("cmd")
    accepted: Accepted = await gateway.ask_table(table_id(table), said, caller, command_id)
    return Done(command_id, accepted.stream, accepted.n, accepted.events)
