"""kill -9 at random under load: nothing lost, nothing twice, whatever moment it hits."""

import asyncio
import random

from tests.integration.runtime.running import Running
from tests.integration.runtime.verdict import all_is_exact

KILLS = 6


async def test_kill_9_at_random_under_load(store_url, broker_url, client):
    chance = random.Random(7)
    with (
        Running("counter", store_url, broker_url) as counter,
        Running("tally", store_url, broker_url) as tally,
    ):
        await counter.ready()
        load = asyncio.create_task(client.load(8, 10_000))
        for kill in range(KILLS):
            await asyncio.sleep(chance.uniform(0.05, 0.5))
            victim = (counter, tally)[kill % 2]
            victim.kill()
            victim.start()
            await victim.ready()
        client.enough = True
        await load
        assert len(client.accepted) > 100
        await all_is_exact(store_url, broker_url, client)
