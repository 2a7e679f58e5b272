"""Probes and metrics, as every service has them."""

import msgspec
from litestar import Response, get
from prometheus_client import CONTENT_TYPE_LATEST, REGISTRY, generate_latest

from services.gateway.shell.gateway import Gateway


class Readiness(msgspec.Struct, frozen=True):
    """Whether the gateway serves, and if not, what is wrong and for how long."""

    ready: bool
    reasons: dict[str, str]


@get("/livez", status_code=204, include_in_schema=False)
async def livez() -> None:
    """The process runs its event loop."""


@get("/readyz", include_in_schema=False)
async def readyz(gateway: Gateway) -> Response[Readiness]:
    """Ready when every line is read up to where it ended at the start, and followed."""
    reasons = gateway.health.reasons()
    return Response(Readiness(not reasons, reasons), status_code=503 if reasons else 200)


@get("/metrics", include_in_schema=False)
async def metrics() -> Response[bytes]:
    """Return all numbers of this process for Prometheus."""
    return Response(generate_latest(REGISTRY), media_type=CONTENT_TYPE_LATEST)
