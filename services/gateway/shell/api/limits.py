"""What players allow themselves, and staying away (BP-RESPONSIBLE)."""

from typing import Annotated

import msgspec
from litestar import get, post, put

from services.gateway.shell.access import for_players
from services.gateway.shell.api.players import JOURNAL
from services.gateway.shell.gateway import Gateway
from services.gateway.shell.tokens import Caller
from shared.contracts.wallet import (
    ExcludeSelf,
    LimitKind,
    LimitsView,
    LimitWindow,
    ReadLimits,
    SetLimit,
)
from shared.runtime.asking import reply_of

FOR_PLAYERS = for_players("limits")

Number = Annotated[int, msgspec.Meta(ge=-(2**53), le=2**53)]


class NewLimit(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """`amount` is cents, for `session` milliseconds, or null: no limit. Windows are UTC's."""

    kind: LimitKind
    window: LimitWindow
    amount: Number | None


class Exclusion(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """Until a moment in milliseconds since 1970 UTC, or null: for good."""

    until_ms: Number | None


@get("/api/me/limits", summary="Read the own limits", **FOR_PLAYERS)
async def read_limits(gateway: Gateway, caller: Caller) -> LimitsView:
    """Return limits, raises that wait, what is used in the windows of now, and self-exclusion."""
    return await own_limits(gateway, caller)


@put("/api/me/limits", summary="Set a limit", **FOR_PLAYERS)
async def set_limit(data: NewLimit, gateway: Gateway, caller: Caller) -> LimitsView:
    """Set or lower a limit at once, or raise or lift it after the cooling-off time."""
    command = SetLimit(player=caller.id, kind=data.kind, window=data.window, amount=data.amount)
    await gateway.ask("wallet", JOURNAL, command, caller.actor)
    return await own_limits(gateway, caller)


@post("/api/me/self-exclusion", status_code=200, summary="Stay away", **FOR_PLAYERS)
async def exclude_self(data: Exclusion, gateway: Gateway, caller: Caller) -> LimitsView:
    """No deposit and no entry until then; it can be made longer, not shorter.

    Seats already bought are played, and money can be taken out.
    """
    command = ExcludeSelf(player=caller.id, until_ms=data.until_ms)
    await gateway.ask("wallet", JOURNAL, command, caller.actor)
    return await own_limits(gateway, caller)


async def own_limits(gateway: Gateway, caller: Caller) -> LimitsView:
    """Read the limits as they are after what was done."""
    request = ReadLimits(player=caller.id, at_ms=gateway.clock.now_ms())
    accepted = await gateway.ask("wallet", JOURNAL, request, caller.actor)
    view: LimitsView = reply_of(accepted, LimitsView)
    return view
