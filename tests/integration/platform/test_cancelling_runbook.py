"""The runbook of a cancellation, run as it stands by two operators."""

import asyncio
from pathlib import Path

import msgspec
import pytest
from msgspec.structs import replace

from services.cli.bots.crew import Crew
from services.cli.platform import Platform
from services.cli.run.terms import quick_terms
from tests.integration.platform.desk import Desk, as_many, at_hand
from tests.integration.platform.watching import until
from tests.integration.runbook import Duty

PLAYERS, SEATS = 9, 3
PAUSE_MS = 6_000


@pytest.mark.long
@pytest.mark.timeout(300)
async def test_the_runbook_from_the_preview_to_the_last_share(platform: Platform, tmp_path: Path):
    async with Crew(platform.url("gateway"), platform.operator_token, PLAYERS, seed=2) as crew:
        name = await crew.start(replace(quick_terms(PLAYERS, SEATS), pause_ms=PAUSE_MS))
        await until(lambda: at_hand(crew), bool)
        duty = Duty(
            "cancelling.md",
            {
                "GATEWAY_URL": platform.url("gateway"),
                "OPERATOR_TOKEN_FILE": str(platform.home / "operator.token"),
                "SECOND_TOKEN_FILE": str(platform.home / "second-operator.token"),
                "DATABASE_URL": platform.settings.database_url,
                "TOURNAMENT": name,
                "REASON": "the power is gone",
                "OUT": str(tmp_path),
            },
            None,
        )
        assert "preview" in await asyncio.to_thread(duty.run, "preview")
        await asyncio.to_thread(duty.run, "open")
        final = await Desk(platform, name, platform.operator_token).final()
        assert final["sheet_hash"] in await asyncio.to_thread(duty.run, "sheet")
        for step in ("keep", "approve"):
            await asyncio.to_thread(duty.run, step)
        await until(lambda: as_many(platform, len(final["lines"])), bool)
    assert "FALSE" not in await asyncio.to_thread(duty.run, "judge")
    await asyncio.to_thread(platform.stop)
    for step in ("alone", "export"):
        await asyncio.to_thread(duty.run, step)
    assert duty.done == [step.name for step in duty.steps if not step.case]
    kept, alone, elsewhere = (
        msgspec.json.decode((tmp_path / f"{file}.json").read_bytes())
        for file in ("sheet", "alone", "elsewhere")
    )
    assert alone == elsewhere
    assert (alone["stage"], alone["sheet_hash"]) == ("approved", kept["sheet_hash"])
    assert alone["players"] == kept["players"]
