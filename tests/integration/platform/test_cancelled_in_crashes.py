"""A tournament of bots is given up while a service is killed at every arrow of the cancellation."""

import asyncio

import msgspec
import pytest
from msgspec.structs import replace

from services.cli.bots.crew import Crew
from services.cli.run.terms import quick_terms
from services.cli.tournament import interrupted
from services.cli.verdicts import judge, read_lines
from services.cli.verify.command import verify
from tests.integration.platform.desk import Desk, as_many, at_hand, killed, payouts, total
from tests.integration.platform.watching import until

PLAYERS, SEATS = 8, 4
PAUSE_MS = 1_000  # Between hands, so that it is not over before it is given up.


@pytest.mark.long
@pytest.mark.timeout(300)
@pytest.mark.parametrize("victim", ["director", "table", "wallet"])
async def test_whoever_dies_everybody_is_paid_the_sheet_once(platform, victim, capsys, monkeypatch):
    async with Crew(platform.url("gateway"), platform.operator_token, PLAYERS, seed=3) as crew:
        name = await crew.start(replace(quick_terms(PLAYERS, SEATS), pause_ms=PAUSE_MS))
        await until(lambda: at_hand(crew), bool)
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
        await until(lambda: as_many(platform, len(sheet["lines"])), bool)
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
