"""The gateway's process: Litestar under uvicorn, its share of the work, and a clean end."""

import asyncio
import os
import signal
import sys
from contextlib import suppress
from functools import partial

import structlog
import uvicorn

from services.gateway.settings import GatewaySettings
from services.gateway.shell.api.routes import application
from services.gateway.shell.company import Links
from services.gateway.shell.gateway import Gateway
from services.gateway.shell.play import MESSAGE_BYTES_MAX
from shared.runtime import logs
from shared.runtime.adapters.attendance import NatsAttendance
from shared.runtime.adapters.leases import NatsRegistry, deployments
from shared.runtime.adapters.nats import Client, NatsBroker, connect, disconnect
from shared.runtime.adapters.system import SystemClock, entropy
from shared.runtime.health import Health
from shared.runtime.ports import BrokerUnavailable, StartRefused
from shared.runtime.reach import GATEWAY
from shared.runtime.service import START_LOOK_SECONDS, Server, instance_at, of_other_services
from shared.runtime.settings import SettingsError, load
from shared.runtime.supervisor import Supervisor, cancel

STOP_SECONDS = 3

log = structlog.get_logger()


def run() -> None:
    """Run the gateway until SIGTERM; a refusal to start is one line and exit code 2."""
    try:
        known = of_other_services("gateway", os.environ)
        settings = load(GatewaySettings, os.environ, known)
        logs.configure("gateway", settings.build, settings.log_level)
        asyncio.run(serve(settings))
    except (SettingsError, StartRefused) as error:
        sys.stderr.write(f"gateway: {error}\n")
        sys.exit(2)


async def serve(settings: GatewaySettings) -> None:
    """Connect, serve until told to stop, and end cleanly; raise StartRefused when we may not."""
    stop = asyncio.Event()
    for number in (signal.SIGTERM, signal.SIGINT):
        asyncio.get_running_loop().add_signal_handler(number, stop.set)
    clock = SystemClock()
    health = Health(clock)
    client = await connect(settings.nats_url, "gateway", health)
    try:
        gateway = Gateway(
            settings,
            NatsBroker(client, settings.nats_replicas, health),
            clock,
            entropy,
            health,
            links(client, settings, health),
        )
        await serve_http(gateway, Supervisor(clock, health), stop)
    finally:
        with suppress(TimeoutError):
            await asyncio.wait_for(disconnect(client), STOP_SECONDS)
    log.info("stopped")


def links(client: Client, settings: GatewaySettings, health: Health) -> Links:
    """Join this life of the gateway with the others and with the platform."""
    life = entropy(8).hex()
    instance = settings.instance or instance_at(settings.http_port)
    return Links(
        life,
        NatsRegistry(
            client,
            GATEWAY,
            instance,
            life,
            settings.lease_ttl_s,
            settings.nats_replicas,
            health,
        ),
        NatsAttendance(client, life),
        partial(deployments, client, tuple(settings.shards())),
    )


async def serve_http(gateway: Gateway, supervisor: Supervisor, stop: asyncio.Event) -> None:
    """Run the application; a stopping process says so before it closes anything."""
    server = Server(
        uvicorn.Config(
            application(gateway),
            host=gateway.settings.http_host,
            port=gateway.settings.http_port,
            log_config=None,
            log_level="warning",
            access_log=False,
            server_header=False,
            ws="websockets-sansio",
            ws_max_size=MESSAGE_BYTES_MAX,
            ws_per_message_deflate=False,
            timeout_graceful_shutdown=STOP_SECONDS,
        )
    )
    serving = asyncio.create_task(server.serve())
    working = asyncio.create_task(work(gateway, supervisor, server))
    stopping = asyncio.create_task(stop.wait())
    await asyncio.wait({serving, working, stopping}, return_when=asyncio.FIRST_COMPLETED)
    gateway.health.wrong("gateway", "shutting down")
    stopping.cancel()
    if not working.done():
        await cancel([working])
    with suppress(BrokerUnavailable):
        await gateway.stop()
    server.should_exit = True
    await serving
    await gateway.close()
    await supervisor.close()
    if not working.cancelled():
        working.result()


async def work(gateway: Gateway, supervisor: Supervisor, server: Server) -> None:
    """Once probes are answered, become a gateway among the others."""
    while not server.started:
        await gateway.clock.sleep(START_LOOK_SECONDS)
    await gateway.work(supervisor)
