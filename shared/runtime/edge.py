"""The edge of a service on FastStream: requests over NATS, probes and metrics over HTTP.

A handler gets the bytes as they came and gives bytes back; decoding, and with it every typed
refusal, is the intake's. Subscribers of a shard come and go with its ownership.
"""

import asyncio
from collections.abc import Mapping
from contextlib import suppress
from typing import Any

import msgspec
import structlog
from faststream.asgi import AsgiFastStream, AsgiResponse, get
from faststream.nats import NatsBroker, NatsMessage
from faststream.nats.prometheus import NatsPrometheusMiddleware
from faststream.specification import AsyncAPI
from prometheus_client import REGISTRY, make_asgi_app

from shared.contracts.edge import Declined, encode
from shared.runtime.adapters.nats import PING_SECONDS, PINGS_UNANSWERED, servers_of
from shared.runtime.health import Health
from shared.runtime.log_reading import Serve
from shared.runtime.ports import Line

log = structlog.get_logger()

DRAIN_SECONDS = 5.0
LEAVE_SECONDS = 0.5  # Well below the life of a lease, which nobody renews meanwhile.
HAND_ON_SECONDS = 0.05
WORKERS = 256  # Requests that wait for one group commit together.


class Edge:
    """One process's FastStream application; `serve` adds a shard's verbs."""

    def __init__(self, service: str, nats_url: str, build: str, health: Health) -> None:
        self._service = service
        self._health = health
        self._serving: dict[Line, list[Any]] = {}
        self._under_way: dict[Line, set[asyncio.Task[Any]]] = {}
        self.broker = NatsBroker(
            servers_of(nats_url),
            logger=None,
            decoder=undecoded,
            apply_types=False,  # Filling in a handler's parameters takes a thread for each request.
            serializer=None,
            graceful_timeout=DRAIN_SECONDS,
            max_reconnect_attempts=-1,
            reconnect_time_wait=1,
            ping_interval=PING_SECONDS,
            max_outstanding_pings=PINGS_UNANSWERED,
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
        """Name a shard's verbs.

        Every owner gets each request, were there two: in a queue group one that is frozen would
        swallow half of what its successor can answer.
        """
        self._serving[line] = [
            self._subscriber(line, verb, handler) for verb, handler in verbs.items()
        ]

    def _subscriber(self, line: Line, verb: str, handler: Serve) -> Any:
        subscriber = self.broker.subscriber(
            line.request(verb),
            max_workers=WORKERS,
            description=handler.__doc__,
            persistent=False,
        )
        subscriber(answering(line.request(verb), self._counted(line, handler)))
        return subscriber

    def _counted(self, line: Line, handler: Serve) -> Serve:
        async def counted(data: bytes) -> bytes:
            task = asyncio.current_task()
            assert task is not None
            under_way = self._under_way.setdefault(line, set())
            under_way.add(task)
            try:
                return await handler(data)
            finally:
                under_way.discard(task)

        return counted

    async def begin(self, line: Line) -> None:
        """Take a shard's requests from now on."""
        for subscriber in self._serving[line]:
            await subscriber.start()

    async def hush(self, line: Line) -> None:
        """Take a shard's requests no more; those that have come are with their handlers then.

        What comes later finds nobody here, so that whoever asks turns to the next owner.
        """
        begun = [taken for taken in self._serving.get(line, ()) if taken.subscription]
        with suppress(TimeoutError):
            async with asyncio.timeout(LEAVE_SECONDS):
                draining = [taken.subscription.drain() for taken in begun]
                await asyncio.gather(*draining, return_exceptions=True)
        for subscriber in begun:
            subscriber.subscription = None  # Or it would be left once more, which raises.
        if begun:
            await asyncio.sleep(HAND_ON_SECONDS)

    async def leave(self, line: Line) -> None:
        """Take a shard's requests no more, and answer those that have come, within a second."""
        await self.hush(line)
        if under_way := self._under_way.pop(line, None):
            await asyncio.wait(under_way, timeout=LEAVE_SECONDS)
        for subscriber in self._serving.pop(line, ()):
            await subscriber.stop()

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


def answering(subject: str, handler: Serve) -> Serve:
    """Wrap a handler: whoever asks is answered, whatever goes wrong."""

    async def answer(data: bytes) -> bytes:
        try:
            return await handler(data)
        except Exception:
            log.exception("request_failed", subject=subject)
            return encode(Declined(reason="internal_error"))

    return answer


async def undecoded(message: NatsMessage) -> bytes:
    """Leave the bytes to the intake: FastStream would parse them too, and fall over some."""
    return message.body
