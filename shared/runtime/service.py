"""One process of one service: adapters to ports, one owner per line, probes, a clean end."""

import asyncio
import os
import signal
import sys
from collections.abc import Callable, Mapping
from functools import partial
from typing import TypeVar

import structlog
import uvicorn

from shared.contracts.commit import Actor
from shared.contracts.registry import SERVICES, upstreams_of
from shared.runtime import logs
from shared.runtime.adapters.nats import Client, NatsBroker, connect
from shared.runtime.adapters.postgres import PostgresStore, Threads
from shared.runtime.adapters.system import SystemClock, entropy
from shared.runtime.aggregate import Aggregate
from shared.runtime.asking import Asking
from shared.runtime.edge import Edge
from shared.runtime.health import Health
from shared.runtime.owner import Owner
from shared.runtime.ports import Clock, Entropy, Line, Store, StoreUnavailable
from shared.runtime.settings import PREFIX, RuntimeSettings, SettingsError, load
from shared.runtime.supervisor import Supervisor

WATCH_SECONDS = 1.0

log = structlog.get_logger()
S = TypeVar("S", bound=RuntimeSettings)


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
    """Run a service until SIGTERM; a mistake in the settings is one line and exit code 2."""
    try:
        loaded = load(settings, os.environ, of_other_services(service, os.environ))
        logs.configure(service, loaded.build, loaded.log_level)
        asyncio.run(Process(service, loaded).run(lambda world: compose(loaded, world)))
    except SettingsError as error:
        sys.stderr.write(f"{service}: {error}\n")
        sys.exit(2)


def of_other_services(service: str, environ: Mapping[str, str]) -> tuple[str, ...]:
    """Return the variables that another service will check: they bear its name."""
    others = tuple(f"{PREFIX}{other.upper()}_" for other in SERVICES if other != service)
    return tuple(name for name in environ if name.startswith(others))


class Process:
    """Owns all lines of a service (leases come later) and serves until told to stop."""

    def __init__(self, service: str, settings: RuntimeSettings) -> None:
        self._service = service
        self._settings = settings
        self._clock = SystemClock()
        self._health = Health(self._clock)
        self._supervisor = Supervisor(self._clock, self._health)
        self._edge = Edge(service, settings.nats_url, settings.build, self._health)
        self._threads = Threads()
        self._stores: list[PostgresStore] = []
        self._owners: list[Owner] = []

    async def run(self, compose: Callable[[World], Aggregate]) -> None:
        """Start, serve, and end cleanly."""
        stop = asyncio.Event()
        for number in (signal.SIGTERM, signal.SIGINT):
            asyncio.get_running_loop().add_signal_handler(number, stop.set)
        client = await self._connected(stop)
        if client is None:
            return
        try:
            broker = NatsBroker(client)
            shards = self._settings.shards()
            me = Actor("service", self._service)
            asking = Asking(broker, self._clock, entropy, shards, me)
            aggregate = compose(World(self._clock, entropy, asking))
            self._own(aggregate, broker, shards)
            await self._serve_http(stop)
        finally:
            await self._close()
            await client.close()

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

    def _own(self, aggregate: Aggregate, broker: NatsBroker, shards: dict[str, int]) -> None:
        upstreams = [
            Line(upstream, number)
            for upstream in upstreams_of(self._service)
            for number in range(shards[upstream])
        ]
        count = shards[self._service]
        for number in range(count):
            line = Line(self._service, number)
            store = PostgresStore(self._settings.database_url, line, self._threads)
            self._stores.append(store)
            owner = Owner(
                line,
                aggregate,
                store,
                broker,
                self._clock,
                self._health,
                count,
                self._settings.build,
            )
            owner.start(self._supervisor, upstreams)
            owner.serve(self._edge)
            self._owners.append(owner)
            self._supervisor.start(f"watch {line}", partial(self._watch, line, store))

    async def _watch(self, line: Line, store: Store) -> None:
        """Look at the store every second: its own retries would hide an outage for long."""
        what = f"store {line}"
        while True:
            try:
                async with asyncio.timeout(WATCH_SECONDS):
                    await store.last_number()
                self._health.right(what)
            except (StoreUnavailable, TimeoutError) as error:
                self._health.wrong(what, f"{type(error).__name__}: {error}")
            await self._clock.sleep(WATCH_SECONDS)

    async def _serve_http(self, stop: asyncio.Event) -> None:
        """Serve probes, metrics and, by the application's lifespan, the requests."""
        config = uvicorn.Config(
            self._edge.app,
            host=self._settings.http_host,
            port=self._settings.http_port,
            log_config=None,
            access_log=False,
        )
        server = uvicorn.Server(config)
        serving = asyncio.create_task(server.serve())
        await asyncio.wait(
            {serving, asyncio.create_task(stop.wait())}, return_when=asyncio.FIRST_COMPLETED
        )
        self._health.wrong(self._service, "shutting down")
        server.should_exit = True
        await serving

    async def _close(self) -> None:
        await self._supervisor.close()
        for owner in self._owners:
            await owner.close()
        for store in self._stores:
            store.close()
        self._threads.close()
        log.info("stopped")
