"""One process of one service: adapters to ports, its share of the lines, probes, a clean end."""

import asyncio
import os
import signal
import socket
import sys
from collections.abc import Awaitable, Callable, Iterator, Mapping
from contextlib import contextmanager
from typing import TypeVar

import structlog
import uvicorn

from shared.contracts.commit import Actor
from shared.contracts.registry import SERVICES
from shared.runtime import logs
from shared.runtime.adapters import deployment
from shared.runtime.adapters.leases import NatsRegistry, hear_beats
from shared.runtime.adapters.nats import Client, NatsBroker, connect, disconnect
from shared.runtime.adapters.system import SystemClock, entropy
from shared.runtime.aggregate import Aggregate, no_clock
from shared.runtime.asking import Asking
from shared.runtime.collecting import collect_rarely
from shared.runtime.edge import Edge
from shared.runtime.gate import Gate
from shared.runtime.health import Health
from shared.runtime.leases import Leases
from shared.runtime.ownership import Ownership
from shared.runtime.ports import (
    BrokerUnavailable,
    Clock,
    Deployment,
    Entropy,
    Line,
    StartRefused,
    StoreUnavailable,
)
from shared.runtime.reach import GATEWAY, Reach, Reached
from shared.runtime.settings import PREFIX, RuntimeSettings, SettingsError, load
from shared.runtime.supervisor import cancel

STAND_INS = ("provider",)  # For parties outside; no service of ours.
RETRY_SECONDS = 0.2
START_LOOK_SECONDS = 0.01

log = structlog.get_logger()
S = TypeVar("S", bound=RuntimeSettings)
T = TypeVar("T")


class World:
    """What a composition root may use to build its aggregate."""

    def __init__(self, clock: Clock, entropy: Entropy, asking: Asking) -> None:
        self.clock = clock
        self.entropy = entropy
        self.asking = asking


def main(
    service: str,
    settings: type[S],
    compose: Callable[[S, World], Aggregate],
) -> None:
    """Run a service until SIGTERM; a refusal to start is one line and exit code 2."""
    try:
        loaded = load(settings, os.environ, of_other_services(service, os.environ))
        logs.configure(service, loaded.build, loaded.log_level)
        collect_rarely()
        asyncio.run(Process(service, loaded).run(lambda world: compose(loaded, world)))
    except (SettingsError, StartRefused) as error:
        sys.stderr.write(f"{service}: {error}\n")
        sys.exit(2)


def of_other_services(service: str, environ: Mapping[str, str]) -> tuple[str, ...]:
    """Return the variables that another service will check: they bear its name."""
    known = (*SERVICES, *STAND_INS)
    others = tuple(f"{PREFIX}{other.upper()}_" for other in known if other != service)
    return tuple(name for name in environ if name.startswith(others))


class Server(uvicorn.Server):
    """Leaves the signals to the process, which gives its lines back before it stops serving."""

    @contextmanager
    def capture_signals(self) -> Iterator[None]:
        yield


class Process:
    """Shares the lines of a service with its other processes, and serves until told to stop."""

    def __init__(self, service: str, settings: RuntimeSettings) -> None:
        self._service = service
        self._settings = settings
        self._instance = settings.instance or instance_at(settings.http_port)
        self._clock = SystemClock()
        self._health = Health(self._clock)
        self._gate = Gate()
        self._health.listen("nats", lambda works: self._gate.let("nats", through=works))
        self._edge = Edge(service, settings.nats_url, settings.build, self._health)
        self._leases: Leases | None = None

    async def run(self, compose: Callable[[World], Aggregate]) -> None:
        """Start, serve, and end cleanly; raise StartRefused when we may not work here."""
        stop = asyncio.Event()
        for number in (signal.SIGTERM, signal.SIGINT):
            asyncio.get_running_loop().add_signal_handler(number, stop.set)
        client = await self._connected(stop)
        if client is None:
            return
        broker = NatsBroker(client, self._settings.nats_replicas, self._health)
        asking = Asking(
            broker,
            self._clock,
            entropy,
            self._settings.shards(),
            Actor("service", self._service),
        )
        aggregate = compose(World(self._clock, entropy, asking))
        work = Ownership(
            self._settings,
            self._instance,
            aggregate,
            broker,
            self._edge,
            self._clock,
            self._health,
            self._gate,
            await self._reached(client, aggregate),
        )
        try:
            await self._serve(client, aggregate, work, stop)
        finally:
            await work.close()
            await disconnect(client)
            log.info("stopped")

    async def _reached(self, client: Client, aggregate: Aggregate) -> Callable[[], Reached] | None:
        """Listen for gateways where clocks run: without any of them players could not act."""
        if aggregate.clocks is no_clock:
            return None
        reach = Reach(self._clock)
        await hear_beats(client, GATEWAY, reach.heard)
        return reach.reached

    async def _connected(self, stop: asyncio.Event) -> Client | None:
        """Wait for the broker as long as it takes, but not longer than we are wanted."""
        connecting = asyncio.create_task(
            connect(self._settings.nats_url, self._service, self._health)
        )
        stopping = asyncio.create_task(stop.wait())
        await asyncio.wait({connecting, stopping}, return_when=asyncio.FIRST_COMPLETED)
        stopping.cancel()
        if stop.is_set():
            connecting.cancel()
            return None
        return await connecting

    async def _serve(
        self, client: Client, aggregate: Aggregate, work: Ownership, stop: asyncio.Event
    ) -> None:
        """Serve probes and metrics, and own lines, until told to stop or until one falls."""
        self._health.wrong("leases", "joining")
        server = Server(
            uvicorn.Config(
                self._edge.app,
                host=self._settings.http_host,
                port=self._settings.http_port,
                log_config=None,
                access_log=False,
            )
        )
        serving = asyncio.create_task(server.serve())
        owning = asyncio.create_task(self._own(client, aggregate, work, server))
        stopping = asyncio.create_task(stop.wait())
        await asyncio.wait({serving, owning, stopping}, return_when=asyncio.FIRST_COMPLETED)
        self._health.wrong(self._service, "shutting down")
        stopping.cancel()
        if not owning.done():
            await cancel([owning])
        if self._leases:
            await self._leases.close()
        server.should_exit = True
        await serving
        if not owning.cancelled():
            owning.result()

    async def _own(
        self, client: Client, aggregate: Aggregate, work: Ownership, server: Server
    ) -> None:
        """Once we can be asked, join those who share the lines."""
        while not server.started:
            await self._clock.sleep(START_LOOK_SECONDS)
        found = await self._deployment()
        await self._from_database(aggregate.open)
        life = entropy(8).hex()
        ttl_s = self._settings.lease_ttl_s
        registry = NatsRegistry(
            client,
            self._service,
            self._instance,
            life,
            ttl_s,
            self._settings.nats_replicas,
            self._health,
        )
        await self._opened(registry, found)
        count = self._settings.shards()[self._service]
        lines = [Line(self._service, number) for number in range(count)]
        self._leases = Leases(
            registry,
            lines,
            work,
            self._gate,
            self._clock,
            self._health,
            ttl_s,
            self._deployment,
        )
        work.fresh = self._leases.fresh
        await self._leases.run()

    async def _deployment(self) -> Deployment:
        """Read which platform this is."""
        url, shards = self._settings.database_url, self._settings.shards()
        return await self._from_database(
            lambda: asyncio.to_thread(deployment.check, url, self._service, shards)
        )

    async def _from_database(self, work: Callable[[], Awaitable[T]]) -> T:
        """Do what needs the database, however long it keeps us waiting."""
        what = "database"
        while True:
            try:
                found = await work()
            except StoreUnavailable as error:
                self._health.wrong(what, f"{type(error).__name__}: {error}")
                await self._clock.sleep(RETRY_SECONDS)
            else:
                self._health.right(what)
                return found

    async def _opened(self, registry: NatsRegistry, found: Deployment) -> None:
        """Open the registry, however long the broker keeps us waiting."""
        while True:
            try:
                await registry.open(found)
            except BrokerUnavailable as error:
                self._health.wrong("leases", f"{type(error).__name__}: {error}")
                await self._clock.sleep(RETRY_SECONDS)
            else:
                return


def instance_at(port: int) -> str:
    """Name a process by its host and port: the same after a restart, and nobody else's."""
    host = "".join(c if c.isalnum() or c == "-" else "-" for c in socket.gethostname())
    return f"{host}-{port or os.getpid()}"
