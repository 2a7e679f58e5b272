"""Whose room this is (PP-ACCOUNT): the operator's licence is shown to everybody."""

import msgspec
from litestar import get

from services.gateway.shell.gateway import Gateway


class About(msgspec.Struct, frozen=True):
    """The number of the operator's licence, as configured; "" where there is none."""

    licence: str


@get("/api/about", summary="Read whose room this is", tags=["players"])
async def about(gateway: Gateway) -> About:
    """Return the number of the operator's licence (PP-ACCOUNT)."""
    return About(gateway.settings.gateway_licence)
