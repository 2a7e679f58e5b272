"""The local provider's process: Litestar under uvicorn, and one task that delivers webhooks."""

import asyncio
import os
import sys
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager, suppress
from typing import Final

import msgspec
import uvicorn
from litestar import Litestar, Response, get
from litestar.di import Provide
from litestar.exceptions import HTTPException
from prometheus_client import CONTENT_TYPE_LATEST, REGISTRY, generate_latest

from services.provider.settings import ProviderSettings
from services.provider.shell import api, pages
from services.provider.shell.delivery import Delivering
from services.provider.shell.provider import Provider
from services.provider.shell.refusals import Refusal, on_http, on_refusal
from services.provider.shell.store import Store
from shared.runtime import logs
from shared.runtime.service import of_other_services
from shared.runtime.settings import SettingsError, load

BODY_BYTES_MAX: Final = 16 * 1024
STOP_SECONDS: Final = 3


class Readiness(msgspec.Struct, frozen=True):
    """What is wrong with the provider, as every service says it; nothing ever is."""

    ready: bool
    reasons: dict[str, str]


@get("/livez", status_code=204)
async def livez() -> None:
    """The process runs its event loop."""


@get("/readyz")
async def readyz() -> Readiness:
    """It is ready once it answers."""
    return Readiness(True, {})


@get("/metrics")
async def metrics() -> Response[bytes]:
    """Return all numbers of this process for Prometheus."""
    return Response(generate_latest(REGISTRY), media_type=CONTENT_TYPE_LATEST)


HANDLERS: Final = [
    api.take_payment,
    api.choose_scenario,
    api.say_word,
    api.read_payment,
    pages.show_page,
    pages.decide,
    livez,
    readyz,
    metrics,
]


def application(settings: ProviderSettings) -> Litestar:
    """Put the provider together; it delivers as long as the application runs."""
    provider = Provider(settings, Store(settings.provider_data))

    @asynccontextmanager
    async def delivering(_app: Litestar) -> AsyncIterator[None]:
        delivering = Delivering(provider)
        task = asyncio.create_task(delivering.run())
        task.add_done_callback(fallen)
        try:
            yield
        finally:
            task.cancel()
            with suppress(asyncio.CancelledError):
                await task
            await delivering.close()
            provider.store.close()

    return Litestar(
        HANDLERS,
        dependencies={"provider": Provide(lambda: provider, sync_to_thread=False)},
        exception_handlers={Refusal: on_refusal, HTTPException: on_http},
        request_max_body_size=BODY_BYTES_MAX,
        lifespan=[delivering],
        openapi_config=None,
        logging_config=None,
    )


def fallen(task: asyncio.Task[None]) -> None:
    """A provider that does not deliver any more is of no use: end, for whoever starts it anew."""
    if not task.cancelled() and task.exception():
        sys.stderr.write(f"provider: {task.exception()!r}\n")
        os._exit(1)


def run() -> None:
    """Run the provider until SIGTERM; a refusal to start is one line and exit code 2."""
    try:
        settings = load(ProviderSettings, os.environ, of_other_services("provider", os.environ))
    except SettingsError as error:
        sys.stderr.write(f"provider: {error}\n")
        sys.exit(2)
    logs.configure("provider", settings.build, settings.log_level)
    uvicorn.run(
        application(settings),
        host=settings.http_host,
        port=settings.http_port,
        log_config=None,
        log_level="warning",
        access_log=False,
        server_header=False,
        timeout_graceful_shutdown=STOP_SECONDS,
    )
