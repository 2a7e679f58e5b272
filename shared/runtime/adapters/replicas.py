"""In how many replicas NATS keeps a stream: raised when the setting says more, never lowered.

A process that was started without the setting must not take away what the others rely on, so a
lower setting only says so. What cannot be raised goes on as it is, not ready, until it can.
"""

import asyncio
from contextlib import suppress
from dataclasses import replace

import nats.errors
import structlog
from nats.js import JetStreamContext
from nats.js.api import StreamConfig, StreamInfo
from nats.js.errors import APIError

from shared.runtime.health import Health
from shared.runtime.ports import BrokerUnavailable

NAME_IN_USE = 10058
NO_PEERS = 10005
NO_CLUSTER = 10074
LEADERLESS_SECONDS = 10.0  # An election takes nine at most.

log = structlog.get_logger()


class Replicas:
    """The setting, for the streams of one process."""

    def __init__(self, js: JetStreamContext, count: int, health: Health | None = None) -> None:
        """Without a health nobody waits for this process, which only looks on."""
        self._js = js
        self._count = count
        self._health = health

    async def make(self, config: StreamConfig) -> StreamInfo:
        """Make a stream; raise BrokerUnavailable when there are too few servers for it."""
        try:
            return await self._js.add_stream(replace(config, num_replicas=self._count))
        except APIError as error:
            if error.err_code in (NO_PEERS, NO_CLUSTER):
                raise BrokerUnavailable(self._refusal(config.name, error)) from error
            raise

    async def keep(self, found: StreamInfo) -> None:
        """See that a stream has as many replicas as it should, and say so when it has not."""
        config, has = found.config, found.config.num_replicas or 1
        reason = ""
        if has < self._count:
            reason = await self._raise_of(config)
        elif has > self._count:
            reason = f"NATS keeps {config.name} in {has} replicas, the settings say {self._count}"
        if self._health and reason:
            self._health.wrong(f"replicas {config.name}", reason)
        elif self._health:
            self._health.right(f"replicas {config.name}")

    async def _raise_of(self, config: StreamConfig) -> str:
        try:
            await self._js.update_stream(replace(config, num_replicas=self._count))
        except APIError as error:
            return self._refusal(config.name, error)
        log.info("replicas_raised", stream=config.name, replicas=self._count)
        return ""

    def _refusal(self, name: str | None, error: APIError) -> str:
        return f"NATS cannot keep {name} in {self._count} replicas: {error.description}"


class Leaderless:
    """Notices a stream that stays without a leader while its cluster has one.

    So stays a stream in memory for ever, once most of its servers were down together: NATS lets
    nobody who came back empty vote until the last of them is there.
    """

    def __init__(self, js: JetStreamContext, stream: str) -> None:
        self._js = js
        self._stream = stream
        self._since: float | None = None

    def reached(self) -> None:
        """Take note that the stream works."""
        self._since = None

    async def missed(self) -> None:
        """Take note that it does not; delete it for good once that lasts."""
        now = asyncio.get_running_loop().time()
        try:
            await self._js.account_info()  # Answered by the leader of the cluster.
        except (nats.errors.Error, TimeoutError):
            self._since = None
            return
        if self._since is None:
            self._since = now
        elif now - self._since > LEADERLESS_SECONDS:
            self._since = None
            log.warning("leaderless_stream_deleted", stream=self._stream)
            with suppress(nats.errors.Error, TimeoutError):
                await self._js.delete_stream(self._stream)


def told(error: BaseException) -> str:
    """Say what the client raised; it hides NATS's own words from `repr`, others from `str`."""
    return str(error) if isinstance(error, APIError) else repr(error)
