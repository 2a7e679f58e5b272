"""A tournament of bots is given up while a service is killed at every arrow of the cancellation."""

import asyncio
from collections.abc import Awaitable, Callable
from typing import Any

import httpx
import msgspec
import pytest
from msgspec.structs import replace

from services.cli.bots.crew import LOOK_SECONDS, Crew
from services.cli.platform import Platform
from services.cli.run.terms import quick_terms
from services.cli.tournament import interrupted
from services.cli.verdicts import judge, read_lines
from services.cli.verify.command import verify
from shared.contracts.commit import decode
from shared.contracts.message import tag_of
from shared.contracts.wallet import PayoutPaid
from shared.runtime.adapters.whole_logs import read_logs

PLAYERS, SEATS = 8, 4
HANDS = 6
PAUSE_MS = 1_000  # Between hands, so that it is not over before it is given up.
SECONDS = 60

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

        return await until(look)


async def until(look: Callable[[], Awaitable[Any]]) -> Any:
    """Look again and again until there is something to see."""
    async with asyncio.timeout(SECONDS):
        while True:
            found = await look()
            if found:
                return found
            await asyncio.sleep(LOOK_SECONDS)


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


@pytest.mark.long
@pytest.mark.timeout(300)
@pytest.mark.parametrize("victim", ["director", "table", "wallet"])
async def test_whoever_dies_everybody_is_paid_the_sheet_once(platform, victim, capsys, monkeypatch):
    async with Crew(platform.url("gateway"), platform.operator_token, PLAYERS, seed=3) as crew:
        name = await crew.start(replace(quick_terms(PLAYERS, SEATS), pause_ms=PAUSE_MS))
        await until(lambda: at_hand(crew))
        first = Desk(platform, name, platform.operator_token)
        second = Desk(platform, name, platform.second_token)
        await first.asked("POST", "cancellation", reason="the power is gone")
        await killed(platform, victim)
        sheet = await first.final()
        await killed(platform, victim)
        assert await first.final() == sheet
        for _ in range(2):
            await second.asked("POST", "sheet/approval", sheet_hash=sheet["sheet_hash"])
            await killed(platform, victim)
        await until(lambda: as_many(platform, len(sheet["lines"])))
    await asyncio.to_thread(platform.wait_ready)
    url, nats_url = platform.settings.database_url, platform.settings.nats_url
    copies = dict(await read_lines(url, nats_url, platform.lines, 20))
    assert not [verdict for verdict in judge(copies) if not verdict.true]
    monkeypatch.setenv("DATABASE_URL", url)
    assert await asyncio.to_thread(verify, logs_only=True) == 0
    platform.stop()
    assert sorted(map(total, payouts(platform))) == sorted(
        (line["player"], line["total_cents"]) for line in sheet["lines"]
    )
    capsys.readouterr()
    assert await asyncio.to_thread(interrupted.sheet, name, output="json", from_log=True) == 0
    alone = msgspec.json.decode(capsys.readouterr().out)
    assert (alone["stage"], alone["sheet_hash"]) == ("approved", sheet["sheet_hash"])


async def at_hand(crew: Crew) -> bool:
    """Whether enough has been played that there is something to share out."""
    return len(crew.hands) >= HANDS


async def as_many(platform: Platform, count: int) -> bool:
    return len(await asyncio.to_thread(payouts, platform)) >= count


def total(paid: PayoutPaid) -> tuple[str, int]:
    return paid.player, paid.pool_cents + paid.commission_cents + paid.top_up_cents
