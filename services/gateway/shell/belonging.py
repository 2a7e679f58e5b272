"""Which platform this gateway belongs to: what the other services say of it, over NATS alone.

A gateway with another number of shards would follow too few lines, or look for tables where they
are not; one between two platforms would mix them.
"""

from collections.abc import Awaitable, Callable, Mapping
from typing import Final

import structlog

from shared.runtime.health import Health
from shared.runtime.ports import BrokerUnavailable, Clock, Deployment, StartRefused

WHAT: Final = "platform"
WAIT_SECONDS: Final = 0.2
LOOK_SECONDS: Final = 5.0

Read = Callable[[], Awaitable[dict[str, Deployment]]]

log = structlog.get_logger()


class Belonging:
    """Compares what the services have written into their buckets with our settings."""

    def __init__(self, read: Read, shards: Mapping[str, int], clock: Clock, health: Health) -> None:
        self._read = read
        self._shards = shards
        self._clock = clock
        self._health = health
        self._ours = ""

    async def found(self) -> Deployment:
        """Wait until a service has joined; raise StartRefused when it is not as our settings say.

        It stays wrong until the first look that finds nothing wrong.
        """
        self._health.wrong(WHAT, "no service has joined")
        while True:
            try:
                deployment = the_one(await self._read(), self._shards)
            except BrokerUnavailable as error:
                self._health.wrong(WHAT, f"{type(error).__name__}: {error}")
            else:
                if deployment is not None:
                    self._ours = deployment.id
                    return deployment
                self._health.wrong(WHAT, "no service has joined")
            await self._clock.sleep(WAIT_SECONDS)

    async def watch(self) -> None:
        """Look for ever whether it is still so; a broker that is away changes nothing."""
        while True:
            try:
                self._look(await self._read())
            except BrokerUnavailable:
                log.debug("platform_unread")
            await self._clock.sleep(LOOK_SECONDS)

    def _look(self, found: Mapping[str, Deployment]) -> None:
        try:
            deployment = the_one(found, self._shards)
        except StartRefused as refused:
            self._alarm(str(refused))
            return
        if deployment is None or deployment.id == self._ours:
            self._health.right(WHAT)
        else:
            self._alarm(f"this NATS is now deployment {deployment.id}'s, we joined {self._ours}")

    def _alarm(self, why: str) -> None:
        log.critical("platform_changed", why=why)
        self._health.wrong(WHAT, why)


def the_one(found: Mapping[str, Deployment], shards: Mapping[str, int]) -> Deployment | None:
    """Return the deployment that all services name; raise StartRefused when they or we differ."""
    first: Deployment | None = None
    for service, deployment in sorted(found.items()):
        if first is not None and deployment.id != first.id:
            raise StartRefused(
                f"{service} belongs to deployment {deployment.id}, others on this NATS to"
                f" {first.id}"
            )
        first = deployment
        compare(deployment, shards)
    return first


def compare(deployment: Deployment, shards: Mapping[str, int]) -> None:
    """Raise StartRefused at the first service that is divided otherwise than our settings say."""
    for service, count in shards.items():
        there = deployment.shards.get(service, count)
        if there != count:
            raise StartRefused(
                f"the settings say {count} shards for {service}, deployment {deployment.id} has"
                f" {there}"
            )
