"""The gateway's process: Litestar under uvicorn, with the broker in the application's lifespan."""

import asyncio
import os
import signal
import sys
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager, suppress

import structlog
import uvicorn
from litestar import Litestar

from services.gateway.settings import GatewaySettings
from services.gateway.shell.api.routes import application
from services.gateway.shell.gateway import Gateway
from services.gateway.shell.play import MESSAGE_BYTES_MAX
from shared.runtime import logs
from shared.runtime.adapters.nats import NatsBroker, connect
from shared.runtime.adapters.system import SystemClock, entropy
from shared.runtime.health import Health
from shared.runtime.service import of_other_services
from shared.runtime.settings import SettingsError, load
from shared.runtime.supervisor import Supervisor

STOP_SECONDS = 3

log = structlog.get_logger()


def run() -> None:
    """Run the gateway until SIGTERM; a mistake in the settings is one line and exit code 2."""
    try:
        known = of_other_services("gateway", os.environ)
        settings = load(GatewaySettings, os.environ, known)
        logs.configure("gateway", settings.build, settings.log_level)
        asyncio.run(serve(settings))
    except SettingsError as error:
        sys.stderr.write(f"gateway: {error}\n")
        sys.exit(2)


async def serve(settings: GatewaySettings) -> None:
    """Connect, serve until told to stop, and end cleanly."""
    stop = asyncio.Event()
    for number in (signal.SIGTERM, signal.SIGINT):
        asyncio.get_running_loop().add_signal_handler(number, stop.set)
    client = await connect(settings.nats_url, "gateway")
    clock = SystemClock()
    health = Health(clock)
    try:
        gateway = Gateway(settings, NatsBroker(client), clock, entropy, health)
        await serve_http(gateway, Supervisor(clock, health), stop)
    finally:
        with suppress(TimeoutError):
            await asyncio.wait_for(client.close(), STOP_SECONDS)
    log.info("stopped")


async def serve_http(gateway: Gateway, supervisor: Supervisor, stop: asyncio.Event) -> None:
    """Run the application; a stopping process says so before it closes anything."""

    @asynccontextmanager
    async def lifespan(_app: Litestar) -> AsyncIterator[None]:
        async with gateway.running(supervisor):
            yield
        await supervisor.close()

    server = uvicorn.Server(
        uvicorn.Config(
            application(gateway, lifespan),
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
    stopping = asyncio.create_task(stop.wait())
    await asyncio.wait({serving, stopping}, return_when=asyncio.FIRST_COMPLETED)
    gateway.health.wrong("gateway", "shutting down")
    gateway.sessions.end_all("shutting_down")
    server.should_exit = True
    stopping.cancel()
    await serving
