"""The broker on NATS JetStream: streams per line, atomic batches, ordered consumers, requests.

Batches follow JetStream's atomic publishing: headers name the batch, the first message carries
the fence, the last one commits.
"""

import json
from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager, suppress
from typing import Any
from uuid import uuid4

import nats.errors
import structlog
from nats.aio.client import Client
from nats.js.api import DiscardPolicy, StreamConfig
from nats.js.errors import APIError, NotFoundError

from shared.runtime.adapters.deliveries import Deliveries
from shared.runtime.adapters.replicas import Replicas, told
from shared.runtime.health import Health
from shared.runtime.metrics import BROKER_ERRORS
from shared.runtime.ports import (
    BrokerUnavailable,
    Delivery,
    Line,
    NoResponders,
    NoStream,
    Outgoing,
    StreamMoved,
    Tail,
)

PUBLISH_SECONDS = 5.0
PING_SECONDS = 1
PINGS_UNANSWERED = 2  # With the third a connection that swallows everything is given up.
WRONG_LAST_SEQUENCE = 10071

__all__ = ["Client", "NatsBroker", "connect", "disconnect", "servers_of"]

log = structlog.get_logger()


class Connection(Client):
    """A client that lets go of a dead connection at once.

    The library's own first waits until all that it has written is sent, on the connection that
    it has just found dead; where packets vanish the kernel tries that for a quarter of an hour.
    """

    async def _attempt_reconnect(self) -> None:
        writer = getattr(self._transport, "_io_writer", None)
        if writer is not None:
            writer.transport.abort()
        await super()._attempt_reconnect()


def servers_of(url: str) -> list[str]:
    """Return the addresses of `NATS_URL`: one server, or those of a cluster with commas."""
    return [part.strip() for part in url.split(",") if part.strip()]


async def connect(url: str, name: str, health: Health | None = None) -> Client:
    """Connect for good: reconnects for ever, and tells the log what the client swallows."""

    async def on_loss() -> None:
        if health:
            health.wrong("nats", "disconnected")

    async def on_return() -> None:
        if health:
            health.right("nats")

    async def on_error(error: Exception) -> None:
        BROKER_ERRORS.inc()
        log.warning("broker_error", error=repr(error))

    options: dict[str, Any] = {
        "max_reconnect_attempts": -1,
        "reconnect_time_wait": 0.2,
        "ping_interval": PING_SECONDS,
        "max_outstanding_pings": PINGS_UNANSWERED,
        "pending_size": 64 * 1024 * 1024,
    }
    client = Connection()
    await client.connect(
        servers_of(url),
        name=name,
        error_cb=on_error,
        disconnected_cb=on_loss,
        reconnected_cb=on_return,
        **options,
    )
    return client


async def disconnect(client: Client) -> None:
    """Close for good; what a lost connection could not send any more goes with it."""
    with suppress(nats.errors.Error, OSError):
        await client.close()


class NatsBroker:
    """The `Broker` port on one connection."""

    def __init__(
        self,
        client: Client,
        replicas: int = 1,
        health: Health | None = None,
        *,
        deny_deletes: bool = True,
    ) -> None:
        self._client = client
        self._js = client.jetstream(timeout=PUBLISH_SECONDS)
        self._replicas = Replicas(self._js, replicas, health)
        self._deny_deletes = deny_deletes

    async def tail(self, line: Line) -> Tail:
        try:
            try:
                info = await self._js.stream_info(line.stream)
            except NotFoundError:
                info = await self._replicas.make(self._config(line))
            await self._replicas.keep(info)
            last = info.state.last_seq
            if last == 0:
                return Tail(0, None)
            return Tail(last, await self._message(line, last))
        except (APIError, nats.errors.Error, TimeoutError) as error:
            raise BrokerUnavailable(told(error)) from error

    def _config(self, line: Line) -> StreamConfig:
        return StreamConfig(
            name=line.stream,
            subjects=[line.subjects],
            discard=DiscardPolicy.NEW,
            deny_delete=self._deny_deletes,
            deny_purge=self._deny_deletes,
            allow_atomic=True,
            allow_direct=True,
        )

    async def _message(self, line: Line, sequence: int) -> bytes | None:
        with suppress(NotFoundError):
            return (await self._js.get_msg(line.stream, sequence)).data
        return None

    async def publish(self, line: Line, messages: Sequence[Outgoing], last: int) -> int:
        try:
            return await self._batch(messages, last)
        except APIError as error:
            if error.err_code == WRONG_LAST_SEQUENCE:
                raise StreamMoved(line.stream) from error
            raise BrokerUnavailable(told(error)) from error
        except (nats.errors.Error, TimeoutError) as error:
            raise BrokerUnavailable(told(error)) from error

    async def _batch(self, messages: Sequence[Outgoing], last: int) -> int:
        """Publish atomically; only the first and the last message are answered."""
        batch = uuid4().hex
        count = len(messages)
        answer: dict[str, int] = {}
        for index, message in enumerate(messages, 1):
            headers = {"Prev-M": str(message.prev_m)}
            if count > 1:
                headers |= {"Nats-Batch-Id": batch, "Nats-Batch-Sequence": str(index)}
            if index == 1:
                headers["Nats-Expected-Last-Sequence"] = str(last)
            if count > 1 and index == count:
                headers["Nats-Batch-Commit"] = "1"
            if index in (1, count):
                answer = await self._asked(message, headers)
            else:
                await self._client.publish(message.subject, message.data, headers=headers)
        return int(answer["seq"])

    async def _asked(self, message: Outgoing, headers: dict[str, str]) -> dict[str, int]:
        reply = await self._client.request(
            message.subject, message.data, timeout=PUBLISH_SECONDS, headers=headers
        )
        answer = json.loads(reply.data) if reply.data else {}
        if "error" in answer:
            APIError.from_error(answer["error"])
        return dict(answer)

    @asynccontextmanager
    async def deliveries(
        self, line: Line, klass: str, after: int
    ) -> AsyncIterator[AsyncIterator[list[Delivery]]]:
        subject = f"evt.{line.service}.{line.shard}.{klass or '*'}.>"
        opened = Deliveries(self._client)
        try:
            try:
                await opened.open(self._js, line.stream, subject, after)
            except NotFoundError as error:
                raise NoStream(line.stream) from error
            yield opened.groups()
        except (APIError, nats.errors.Error, TimeoutError) as error:
            raise BrokerUnavailable(told(error)) from error
        finally:
            with suppress(nats.errors.Error):
                await opened.close()

    async def request(self, subject: str, data: bytes, timeout: float) -> bytes:
        try:
            return bytes((await self._client.request(subject, data, timeout=timeout)).data)
        except nats.errors.NoRespondersError as error:
            raise NoResponders(subject) from error
        except (nats.errors.Error, TimeoutError) as error:
            raise BrokerUnavailable(f"{subject}: {error!r}") from error
