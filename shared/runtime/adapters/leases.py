"""The registry on a NATS key-value bucket: keys with a time to live, compared and set.

One bucket per service, in memory: after a loss of the broker there is nothing to remember. It is
written as the stream that it is: the client's `kv.update` drops the time to live, and a delete
leaves a marker that still counts as a key. A purge up to a sequence is a compared delete.
"""

import asyncio
from collections.abc import AsyncIterator, Callable, Iterable, Mapping
from contextlib import asynccontextmanager, suppress
from typing import NamedTuple

import msgspec
import nats.errors
from nats.aio.client import Client
from nats.aio.msg import Msg
from nats.js import JetStreamContext
from nats.js.api import DiscardPolicy, StorageType, StreamConfig, StreamInfo
from nats.js.errors import APIError, BadRequestError, NoStreamResponseError, NotFoundError

from shared.runtime.adapters.renewals import Renewals
from shared.runtime.adapters.replicas import NAME_IN_USE, Leaderless, Replicas, told
from shared.runtime.health import Health
from shared.runtime.ports import BrokerUnavailable, Deployment, LeaseTaken, Line, StartRefused

CALLS_PER_TTL = 3
LOOK_SECONDS = 2.0
WRONG_LAST_SEQUENCE = 10071


class Holder(msgspec.Struct, frozen=True):
    """The process behind a key: its name, and which of its lives it is."""

    instance: str
    life: str


class Key(msgspec.Struct, frozen=True):
    """A key as it stands, and the revision that a change has to name."""

    revision: int = 0
    holder: Holder | None = None


class Bucket:
    """The names in one service's bucket."""

    def __init__(self, service: str) -> None:
        self.service = service
        self.stream = f"KV_leases_{service}"
        self.keys = f"$KV.leases_{service}."
        self.deployment = f"{self.keys}deployment"
        self.changes = f"leases.{service}.changed"
        self.renewals = f"leases.{service}.renewed"
        self.beats = f"leases.{service}.beat"

    def member(self, instance: str) -> str:
        """The key that says that a process is there."""
        return f"{self.keys}member.{instance}"

    def shard(self, number: int | str) -> str:
        """The key of one shard's lease."""
        return f"{self.keys}shard.{number}"


decode_holder = msgspec.json.Decoder(Holder).decode
decode_deployment = msgspec.json.Decoder(Deployment).decode
encode = msgspec.json.Encoder().encode


class NatsRegistry:
    """The `Registry` of one process."""

    def __init__(
        self,
        client: Client,
        service: str,
        instance: str,
        life: str,
        ttl_s: int,
        replicas: int = 1,
        health: Health | None = None,
    ) -> None:
        self._client = client
        self._js = client.jetstream(timeout=ttl_s / CALLS_PER_TTL)
        self._bucket = Bucket(service)
        self._holder = Holder(instance, life)
        self._ttl_s = ttl_s
        self._replicas = Replicas(self._js, replicas, health)
        self._leaderless = Leaderless(self._js, self._bucket.stream)
        self._deployment: Deployment | None = None
        self._announced = 0
        self._change = asyncio.Event()
        self._renewals = Renewals(ttl_s)

    @property
    def me(self) -> str:
        return self._holder.instance

    async def open(self, deployment: Deployment) -> None:
        first = self._deployment is None
        self._deployment = deployment
        async with reached():
            await self._make()
            if first:
                await self._client.subscribe(self._bucket.changes, cb=self._heard)
                await self._client.subscribe(self._bucket.renewals, cb=self._heard_renewal)

    async def _make(self) -> None:
        """Make the bucket; it bears the name of the platform that made it first."""
        try:
            await self._replicas.make(self._config())
        except BadRequestError as error:
            if error.err_code != NAME_IN_USE:
                raise
        ours = self._deployment
        assert ours is not None
        data = encode(ours)
        with suppress(LeaseTaken):
            await self._set(self._bucket.deployment, data, 0, lives=False)
            return
        found = await deployment_of(self._js, self._bucket)
        if found is None:
            raise NotFoundError(description="the bucket has just gone")
        if found.id != ours.id:
            raise StartRefused(
                f"the leases on this NATS belong to deployment {found.id},"
                f" the database to deployment {ours.id}"
            )
        if found != ours:
            await self._js.publish(self._bucket.deployment, data)

    def _config(self) -> StreamConfig:
        return StreamConfig(
            name=self._bucket.stream,
            subjects=[f"{self._bucket.keys}>"],
            max_msgs_per_subject=1,
            discard=DiscardPolicy.NEW,
            storage=StorageType.MEMORY,
            deny_delete=True,
            allow_rollup_hdrs=True,
            allow_direct=True,
            allow_msg_ttl=True,
        )

    async def announce(self) -> None:
        try:
            await self._announce()
        except BrokerUnavailable:
            await self._leaderless.missed()
            raise
        self._leaderless.reached()

    async def _announce(self) -> None:
        come = self._announced == 0
        async with reached():
            try:
                self._announced = await self._present(come=come)
            except LeaseTaken as taken:
                raise BrokerUnavailable(f"{taken} is being written by another") from taken
            await self._client.publish(self._bucket.renewals, self.me.encode())
            if come:
                await self._tell()

    async def _present(self, *, come: bool) -> int:
        """Write our member key; what another life of ours has left is taken over on coming."""
        key = self._bucket.member(self.me)
        with suppress(LeaseTaken):
            return await self._put(key, self._announced)
        found = await look(self._js, self._bucket, key)
        if not come and found.holder is not None and found.holder.life != self._holder.life:
            raise StartRefused(f"another process is called {self.me} too")
        return await self._put(key, found.revision)

    async def members(self) -> tuple[str, ...]:
        async with reached():
            info = await self._js.stream_info(
                self._bucket.stream, subjects_filter=self._bucket.member("*")
            )
            await self._replicas.keep(info)
        names = names_in(info)
        self._renewals.found(names)
        return names

    async def lives(self) -> dict[str, str]:
        """Return who is there, by name, and which of its lives each is in."""
        members = [self._bucket.member(name) for name in await self.members()]
        async with reached():
            found = await asyncio.gather(*[look(self._js, self._bucket, key) for key in members])
        return {key.holder.instance: key.holder.life for key in found if key.holder}

    async def hold(self, line: Line, revision: int) -> int:
        key = self._bucket.shard(line.shard)
        async with reached():
            with suppress(LeaseTaken):
                return await self._put(key, revision)
            found = await look(self._js, self._bucket, key)
            if found.holder is not None and found.holder.instance != self.me:
                raise LeaseTaken(found.holder.instance)
            return await self._put(key, found.revision)

    async def release(self, line: Line, revision: int) -> None:
        await self._delete(self._bucket.shard(line.shard), revision)

    async def leave(self) -> None:
        await self._delete(self._bucket.member(self.me), self._announced)

    async def changed(self, seconds: float) -> None:
        with suppress(TimeoutError):
            async with asyncio.timeout(self._renewals.pause(seconds)):
                await self._change.wait()
        self._change.clear()

    async def _heard(self, _message: Msg) -> None:
        self._change.set()

    async def _heard_renewal(self, message: Msg) -> None:
        name = message.data.decode()
        if name != self.me:
            self._renewals.heard(name)

    async def _tell(self) -> None:
        await self._client.publish(self._bucket.changes)

    async def _put(self, key: str, last: int) -> int:
        """Write our name; a bucket that was lost is made again."""
        data = encode(self._holder)
        try:
            return await self._set(key, data, last)
        except NoStreamResponseError:
            await self._make()
            return await self._set(key, data, 0)

    async def _set(self, key: str, data: bytes, last: int, *, lives: bool = True) -> int:
        """Write a key that still has this revision; raise LeaseTaken when it has another."""
        headers = {"Nats-Expected-Last-Subject-Sequence": str(last)}
        ttl = self._ttl_s if lives else None
        try:
            return int((await self._js.publish(key, data, headers=headers, msg_ttl=ttl)).seq)
        except APIError as error:
            if error.err_code == WRONG_LAST_SEQUENCE:
                raise LeaseTaken(key) from error
            raise

    async def _delete(self, key: str, revision: int) -> None:
        """Delete a key, unless it was written since; and tell the others."""
        async with reached():
            await self._js.purge_stream(self._bucket.stream, seq=revision + 1, subject=key)
            await self._tell()


async def look(js: JetStreamContext, bucket: Bucket, key: str) -> Key:
    """Read who stands in a key; revision 0 when nobody does."""
    try:
        found = await js.get_last_msg(bucket.stream, key)
    except NotFoundError:
        return Key()
    return Key(found.seq or 0, decode_holder(found.data or b""))


async def deployment_of(js: JetStreamContext, bucket: Bucket) -> Deployment | None:
    """Read which platform a bucket belongs to; None when there is no bucket."""
    try:
        found = await js.get_last_msg(bucket.stream, bucket.deployment)
    except NotFoundError:
        return None
    return decode_deployment(found.data or b"")


async def deployments(client: Client, services: Iterable[str]) -> dict[str, Deployment]:
    """Read which platform each service's bucket belongs to, where there is a bucket."""
    js = client.jetstream(timeout=LOOK_SECONDS)
    async with reached():
        found = {service: await deployment_of(js, Bucket(service)) for service in services}
    return {service: one for service, one in found.items() if one is not None}


async def hear_beats(client: Client, service: str, heard: Callable[[str], None]) -> None:
    """Call back with its life whenever a process of a service says that it is there.

    That is a subject of its own: whoever listened to the keys themselves would keep NATS from
    telling their writers that the bucket is lost.
    """

    async def on_beat(message: Msg) -> None:
        heard(message.data.decode())

    await client.subscribe(Bucket(service).beats, cb=on_beat)


class Shared(NamedTuple):
    """How the processes of one service share its lines at this moment."""

    deployment: Deployment | None
    members: tuple[str, ...] = ()
    holders: Mapping[int, str] = {}


async def read_shared(client: Client, service: str) -> Shared:
    """Read a service's bucket, for those who look on; raise BrokerUnavailable."""
    js, bucket = client.jetstream(timeout=LOOK_SECONDS), Bucket(service)
    async with reached():
        deployment = await deployment_of(js, bucket)
        if deployment is None:
            return Shared(None)
        count = deployment.shards.get(service, 0)
        keys = [look(js, bucket, bucket.shard(number)) for number in range(count)]
        found = await asyncio.gather(*keys)
    holders = {number: key.holder.instance for number, key in enumerate(found) if key.holder}
    return Shared(deployment, await members_of(js, bucket), holders)


async def members_of(js: JetStreamContext, bucket: Bucket) -> tuple[str, ...]:
    """Read the names of all processes that are there."""
    async with reached():
        return names_in(await js.stream_info(bucket.stream, subjects_filter=bucket.member("*")))


def names_in(info: StreamInfo) -> tuple[str, ...]:
    """Take the names of processes from their keys."""
    return tuple(subject.rpartition(".")[2] for subject in info.state.subjects or ())


@asynccontextmanager
async def reached() -> AsyncIterator[None]:
    """What the client raises becomes what the port promises."""
    try:
        yield
    except (APIError, nats.errors.Error, TimeoutError) as error:
        raise BrokerUnavailable(told(error)) from error
