"""An operator who gives a tournament of bots up, and what comes of it."""

import asyncio
from typing import Any

import httpx
import msgspec

from services.cli.bots.crew import Crew
from services.cli.platform import Platform
from shared.contracts.commit import decode
from shared.contracts.message import tag_of
from shared.contracts.wallet import PayoutPaid
from shared.runtime.adapters.whole_logs import read_logs
from tests.integration.platform.watching import SECONDS, until

HANDS = 6

Answer = dict[str, Any]


class Desk:
    """An operator whose requests are made again until a service that was killed is back."""

    def __init__(self, platform: Platform, tournament: str, token: str) -> None:
        self._path = f"{platform.url('gateway')}/api/operator/tournaments/{tournament}"
        self._headers = {"Authorization": f"Bearer {token}"}

    async def asked(self, method: str, path: str, **body: str) -> Answer:
        async with httpx.AsyncClient(headers=self._headers, timeout=SECONDS) as http:
            while True:
                answer = await http.request(method, f"{self._path}/{path}", json=body or None)
                if answer.status_code != 503:
                    answer.raise_for_status()
                    return dict(answer.json())

    async def final(self) -> Answer:
        async def look() -> Answer | None:
            sheet = await self.asked("GET", "sheet")
            return sheet if sheet["final"] else None

        return await until(look, bool)


async def killed(platform: Platform, victim: str) -> None:
    await asyncio.to_thread(platform.kill, victim)
    platform.spawn(victim)


def payouts(platform: Platform) -> list[PayoutPaid]:
    """Every share that stands in the journal."""
    lines = tuple(line for line in platform.lines if line.service == "wallet")
    logs = read_logs(platform.settings.database_url, lines)
    events = [event for rows in logs.values() for row in rows for event in decode(row.data).events]
    mark = tag_of(PayoutPaid).encode()
    return [msgspec.json.decode(event, type=PayoutPaid) for event in events if mark in bytes(event)]


async def at_hand(crew: Crew) -> bool:
    """Whether enough has been played that there is something to share out."""
    return len(crew.hands) >= HANDS


async def as_many(platform: Platform, count: int) -> bool:
    return len(await asyncio.to_thread(payouts, platform)) >= count


def total(paid: PayoutPaid) -> tuple[str, int]:
    return paid.player, paid.pool_cents + paid.commission_cents + paid.top_up_cents
