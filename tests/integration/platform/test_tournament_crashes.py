"""A tournament whose services are killed at random: it ends, and every cent is right."""

import asyncio
from random import Random

import pytest

from services.cli.bots.crew import LOOK_SECONDS, Crew
from services.cli.platform import Platform
from services.cli.run.command import is_over
from services.cli.run.terms import quick_terms
from services.cli.verdicts import judge, search
from tests.integration.platform.watching import ended, metrics, settled
from tests.person_keys import keys_in

VICTIMS = ("table", "director", "wallet", "dealer", "ranking")
PLAYERS, SEATS = 12, 6
ROUNDS = 2
ENDS_WITHIN_SECONDS = 240


@pytest.mark.timeout(300)
async def test_a_tournament_survives_kill_9_of_everything_that_decides(platform: Platform):
    async with Crew(
        platform.url("gateway"), platform.operator_token, PLAYERS, seed=5, keep_frames=True
    ) as crew:
        name = await crew.start(quick_terms(PLAYERS, SEATS))
        await killed_in_turn(platform)
        assert not is_over(await crew.lobby(name))
        async with asyncio.timeout(ENDS_WITHIN_SECONDS):
            await ended(crew, name)
        frames = {player.player: list(player.frames) for player in crew.players}
    copies = await settled(platform)
    false = [verdict for verdict in judge(copies) if not verdict.true]
    assert not false
    leaks = search(
        copies,
        platform.home / "vault.key",
        logs=[platform.log(service) for service in (*VICTIMS, "gateway")],
        pages={service: metrics(platform, service) for service in (*VICTIMS, "gateway")},
        frames=frames,
        person_keys=keys_in(platform.settings.database_url),
    )
    assert not leaks


async def killed_in_turn(platform: Platform) -> None:
    """Kill one service after the other at random moments of the play; `make soak` never stops."""
    chance = Random(7)
    for victim in VICTIMS * ROUNDS:
        await asyncio.sleep(chance.uniform(0.2, 1.5))
        await asyncio.to_thread(platform.kill, victim)
        platform.spawn(victim)
        await asyncio.sleep(LOOK_SECONDS)
