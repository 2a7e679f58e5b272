"""The dealer is gone with a hand under way: operators give it up, and the tournament ends well."""

import asyncio

import pytest
from msgspec.structs import replace

from services.cli.bots.crew import Crew
from services.cli.platform import Platform
from services.cli.replay.folding import folded
from services.cli.replay.rows import rows_in_database
from services.cli.run.command import is_over
from services.cli.run.terms import quick_terms
from services.cli.status.reading import read
from services.cli.tournament.command import void_hand
from services.cli.tournament.desk import Desk
from services.cli.verdicts import judge, read_lines
from services.table.core.voiding import DOUBTED_MS
from shared.contracts.edge import OpenQuestion
from tests.integration.platform.watching import until

PLAYERS, SEATS = 4, 4
WHY = "the vault key is lost"


async def asked(platform: Platform) -> OpenQuestion | None:
    """The question that a table has put to the dealer, if any."""
    report = await read(platform.settings.nats_url, ["table"])
    found = [one for line in report.lines if line.status for one in line.status.questions]
    return found[0] if found else None


def hand_at(platform: Platform, table: str) -> str:
    """The hand that this table has begun last, as its state names it."""
    state = folded(table, rows_in_database(platform.settings.database_url, table))
    return str(state.hand.started.hand)


async def is_done(crew: Crew, name: str) -> bool:
    return is_over(await crew.lobby(name))


async def played(crew: Crew) -> bool:
    return len(crew.hands) >= 2


@pytest.mark.long
@pytest.mark.timeout(300)
async def test_a_hand_that_is_never_dealt_is_given_up(platform: Platform, capsys):
    desk = Desk(platform.url("gateway"), platform.home / "operator.token")
    async with Crew(platform.url("gateway"), platform.operator_token, PLAYERS, seed=4) as crew:
        name = await crew.start(replace(quick_terms(PLAYERS, SEATS), pause_ms=200))
        await until(lambda: played(crew), bool)
        await asyncio.to_thread(platform.kill, "dealer")
        waits = await until(lambda: asked(platform), bool)
        hand = await asyncio.to_thread(hand_at, platform, waits.stream)

        async def again() -> int:
            return await asyncio.to_thread(void_hand, waits.stream, hand, reason=WHY, desk=desk)

        assert await again() == 0
        assert "doubted" in capsys.readouterr().out
        assert await again() == 1
        assert "too_soon" in capsys.readouterr().err
        await asyncio.sleep(DOUBTED_MS / 1000)
        assert await again() == 0
        assert "void" in capsys.readouterr().out
        platform.spawn("dealer")
        await until(lambda: is_done(crew, name), bool)
    await asyncio.to_thread(platform.wait_ready)
    lines = await read_lines(
        platform.settings.database_url, platform.settings.nats_url, platform.lines, 20
    )
    assert not [verdict for verdict in judge(dict(lines)) if not verdict.true]
