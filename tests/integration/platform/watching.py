"""What a test waits for on a platform that plays, and what it looks at when it is over."""

import asyncio
from collections.abc import Callable
from typing import Any

import httpx

from services.cli.bots.crew import LOOK_SECONDS, Crew
from services.cli.platform import Platform
from services.cli.run.command import is_over
from services.cli.verdicts import read_lines
from services.cli.verdicts.streams import LineCopy
from shared.runtime.ports import Line

SECONDS = 60


async def until(get: Callable[[], Any], wanted: Callable[[Any], Any]) -> Any:
    """Look again and again; whoever is killed meanwhile is looked for until it is back."""
    async with asyncio.timeout(SECONDS):
        while True:
            found = await get()
            if wanted(found):
                return found
            await asyncio.sleep(0.05)


async def ended(crew: Crew, name: str) -> None:
    """Wait until the last prize is paid."""
    while True:
        if is_over(await crew.lobby(name)):
            return
        await asyncio.sleep(LOOK_SECONDS)


async def settled(platform: Platform) -> dict[Line, LineCopy]:
    """Read logs and streams once every service is ready again and the relays have caught up."""
    await asyncio.to_thread(platform.wait_ready)
    settings = platform.settings
    return dict(await read_lines(settings.database_url, settings.nats_url, platform.lines, 20))


def metrics(platform: Platform, service: str) -> bytes:
    return httpx.get(f"{platform.url(service)}/metrics", timeout=5, follow_redirects=True).content


def all_paid(lobby) -> bool:
    return lobby["status"] == "finished" and all(
        place["paid"] for place in lobby["places"] if place["prize_cents"]
    )
