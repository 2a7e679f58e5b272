"""The edge of a service on FastStream: requests over NATS, probes and metrics over HTTP.

A handler gets the bytes as they came and gives bytes back; decoding, and with it every typed
refusal, is the intake's. Subscribers of a shard come and go with its ownership.
"""

from collections.abc import Mapping
from typing import Any

import msgspec
import structlog
from faststream.asgi import AsgiFastStream, AsgiResponse, get
from faststream.nats import NatsBroker, NatsMessage
from faststream.nats.prometheus import NatsPrometheusMiddleware
from faststream.specification import AsyncAPI
from prometheus_client import REGISTRY, make_asgi_app

from shared.contracts.edge import Declined, encode
from shared.runtime.health import Health
from shared.runtime.intake import Serve
from shared.runtime.ports import Line

log = structlog.get_logger()

DRAIN_SECONDS = 5.0
WORKERS = 256  # Requests that wait for one group commit together.


class Edge:
    """One process's FastStream application; `serve` adds a shard's verbs."""

    def __init__(self, service: str, nats_url: str, build: str, health: Health) -> None:
        self._service = service
        self._health = health
        self.broker = NatsBroker(
            nats_url,
            logger=None,
            decoder=undecoded,
            graceful_timeout=DRAIN_SECONDS,
            max_reconnect_attempts=-1,
            reconnect_time_wait=1,
            middlewares=(NatsPrometheusMiddleware(registry=REGISTRY),),
        )
        self.app = AsgiFastStream(
            self.broker,
            logger=None,
            specification=AsyncAPI(title=f"rollforward {service}", version=build),
            asgi_routes=[
                ("/livez", livez),
                ("/readyz", self._readyz()),
                ("/metrics", make_asgi_app(REGISTRY)),
            ],
        )

    def serve(self, line: Line, verbs: Mapping[str, Serve]) -> None:
        """Answer a shard's verbs, in a queue group so that one owner gets each request."""
        for verb, handler in verbs.items():
            subscriber = self.broker.subscriber(
                line.request(verb),
                queue=str(line),
                max_workers=WORKERS,
                description=handler.__doc__,
            )
            subscriber(answering(handler))

    def _readyz(self) -> Any:
        @get
        async def readyz(_scope: Any) -> AsgiResponse:
            reasons = self._health.reasons()
            body = msgspec.json.encode({"ready": not reasons, "reasons": reasons})
            status = 200 if not reasons else 503
            return AsgiResponse(body, status, {"content-type": "application/json"})

        return readyz


@get
async def livez(_scope: Any) -> AsgiResponse:
    """The process runs its event loop."""
    return AsgiResponse(b"", 204)


def answering(handler: Serve) -> Any:
    """Wrap a handler as FastStream wants it; whoever asks is answered, whatever goes wrong."""

    async def answer(message: NatsMessage) -> bytes:
        try:
            return await handler(message.body)
        except Exception:
            log.exception("request_failed", subject=message.raw_message.subject)
            return encode(Declined(reason="internal_error"))

    return answer


async def undecoded(message: NatsMessage) -> bytes:
    """Leave the bytes to the intake: FastStream would parse them too, and fall over some."""
    return message.body
