"""Two processes of each service, joining at once under load: slow perhaps, never wrong."""

import asyncio

from shared.contracts.edge import Accepted
from tests.integration.runtime.counting import Add
from tests.integration.runtime.running import Running
from tests.integration.runtime.verdict import all_is_exact


async def test_two_processes_of_a_service_decide_every_command_once(store_url, broker_url, client):
    with (
        Running("counter", store_url, broker_url) as one,
        Running("counter", store_url, broker_url) as other,
        Running("tally", store_url, broker_url) as first,
        Running("tally", store_url, broker_url) as second,
    ):
        for process in (one, other, first, second):
            await process.ready()
        repeated = [client.asking.command_id() for _ in range(10)]
        tries = [
            client.send("ctr_1", Add(amount=7), command_id)
            for command_id in repeated
            for _ in range(4)
        ]
        answers, _ = await asyncio.gather(asyncio.gather(*tries), client.load(6, 300))
        for index in range(len(repeated)):
            same = answers[4 * index : 4 * index + 4]
            assert all(isinstance(answer, Accepted) and answer == same[0] for answer in same)
        await all_is_exact(store_url, broker_url, client)
