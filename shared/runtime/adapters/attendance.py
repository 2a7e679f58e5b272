"""Who has sessions with which gateway: keys in the gateways' own bucket, beside the members' keys.

One key for each life of a gateway and player, so that no two processes ever write the same one.
"Not any more" is a message too: everybody hears it, and it vanishes by itself.
"""

from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager, suppress

import msgspec
import nats.errors
from nats.aio.client import Client
from nats.js.errors import NotFoundError

from shared.runtime.adapters.deliveries import Deliveries
from shared.runtime.adapters.leases import Bucket, hear_beats, reached
from shared.runtime.ports import Attends, BrokerUnavailable, Delivery

CALL_SECONDS = 1.0
GONE_SECONDS = 60
LASTED_KEPT_SECONDS = 600


class Lasted(msgspec.Struct, frozen=True):
    """The last moment that a life of a gateway is known to have lasted."""

    at_ms: int


encode = msgspec.json.Encoder().encode
decode = msgspec.json.Decoder(Attends).decode
decode_lasted = msgspec.json.Decoder(Lasted).decode


class NatsAttendance:
    """The `Attendance` as one life of a gateway writes and reads it."""

    def __init__(self, client: Client, life: str, service: str = "gateway") -> None:
        self._client = client
        self._js = client.jetstream(timeout=CALL_SECONDS)
        self._life = life
        self._bucket = Bucket(service)

    async def note(self, attends: Attends) -> None:
        key = f"{self._bucket.keys}session.{attends.life}.{attends.player}"
        await self._put(key, encode(attends), None if attends.here else GONE_SECONDS)

    async def beat(self) -> None:
        async with reached():
            await self._client.publish(self._bucket.beats, self._life.encode())

    async def listen(self, heard: Callable[[str], None]) -> None:
        async with reached():
            await hear_beats(self._client, self._bucket.service, heard)

    async def lasts(self, at_ms: int) -> None:
        await self._put(self._alive(self._life), encode(Lasted(at_ms)), LASTED_KEPT_SECONDS)

    async def _put(self, key: str, data: bytes, ttl_s: int | None) -> None:
        async with reached():
            await self._js.publish(key, data, msg_ttl=ttl_s)

    async def lasted_until(self, life: str) -> int | None:
        async with reached():
            with suppress(NotFoundError):
                found = await self._js.get_last_msg(self._bucket.stream, self._alive(life))
                return decode_lasted(found.data or b"").at_ms
        return None

    def _alive(self, life: str) -> str:
        return f"{self._bucket.keys}alive.{life}"

    @asynccontextmanager
    async def noted(self) -> AsyncIterator[AsyncIterator[list[Attends]]]:
        opened = Deliveries(self._client)
        subject = f"{self._bucket.keys}session.>"
        try:
            async with reached():
                count = await opened.open(self._js, self._bucket.stream, subject, 0)
            yield whole_first(opened.groups(), count)
        finally:
            with suppress(nats.errors.Error):
                await opened.close()


async def whole_first(
    groups: AsyncIterator[list[Delivery]], count: int
) -> AsyncIterator[list[Attends]]:
    """Gather what stood when the reading began into the first group.

    Some of it may vanish while it is read: nothing more coming is the end of it too.
    """
    standing: list[Attends] = []
    try:
        async for group in groups:
            standing += [decode(delivery.data) for delivery in group]
            if len(standing) >= count or not group:
                break
        yield standing
        async for group in groups:
            yield [decode(delivery.data) for delivery in group]
    except nats.errors.Error as error:
        raise BrokerUnavailable(repr(error)) from error
