"""What it takes to check a deal at home, with `rollforward deal verify`."""

from collections.abc import Awaitable
from typing import Final

from litestar import Response, get
from litestar.enums import MediaType

from services.gateway.shell.access import for_anybody
from services.gateway.shell.gateway import Gateway
from services.gateway.shell.refusals import Refusal
from shared.kernel.ids import is_derived_id
from shared.runtime.exports import NotExported, draw_lines, hand_lines

FOR_ANYBODY = for_anybody("proofs")
COMMITS: Final = "application/x-ndjson"


@get(
    "/api/hands/{hand:str}/proof",
    media_type=MediaType.TEXT,
    summary="Take a hand home",
    **FOR_ANYBODY,
)
async def hand_proof(hand: str, gateway: Gateway) -> Response[bytes]:
    """Return an ended hand's commits of dealer and table, a line each, as they are stored.

    `rollforward deal verify` checks them at home. Until the hand has ended it is `hand_not_ended`.
    """
    if not is_derived_id(hand, "hnd"):
        raise Refusal("hand_not_found")
    return await written(hand_lines(hand, gateway.owners.read))


@get(
    "/api/tournaments/{tournament:str}/draws",
    media_type=MediaType.TEXT,
    summary="Take a tournament's draws home",
    **FOR_ANYBODY,
)
async def draws_proof(tournament: str, gateway: Gateway) -> Response[bytes]:
    """Return every draw's commits of director and dealer, a line each, as they are stored.

    `rollforward deal verify` makes every draw again.
    """
    if not is_derived_id(tournament, "trn"):
        raise Refusal("unknown_tournament")
    return await written(draw_lines(tournament, gateway.owners.read))


async def written(lines: Awaitable[list[bytes]]) -> Response[bytes]:
    """Answer with commits, or refuse with the reason why there are none."""
    try:
        data = b"".join(line + b"\n" for line in await lines)
    except NotExported as error:
        raise Refusal(error.reason, error.detail) from None
    return Response(data, media_type=COMMITS)
