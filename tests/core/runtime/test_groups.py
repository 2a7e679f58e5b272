"""Groups of inputs: formed as late as they can be, and few at a time for all lines of a process."""

import asyncio

import pytest
from hypothesis import given, strategies as st

from shared.contracts.commit import Actor, Cause
from shared.contracts.edge import Accepted
from shared.runtime.aggregate import ask_nobody
from shared.runtime.health import Health
from shared.runtime.memory import PAGE, portions
from shared.runtime.ports import Line
from shared.runtime.shard import Shard
from tests.core.runtime.clock import StandingClock, settled
from tests.core.runtime.log_in_memory import LogInMemory
from tests.integration.runtime.counting import Add, counters

LINES = [Line("counter", number) for number in range(3)]
BY = Actor("player", "ply_1")
BRIEFLY = 100


class SlowLog(LogInMemory):
    """Writes wait until they may; `sizes` are the commits of each."""

    def __init__(self, line):
        super().__init__(line)
        self.sizes = []
        self.may = asyncio.Event()
        self.reads = 0

    async def append(self, commits, *args):
        self.sizes.append(len(commits))
        await self.may.wait()
        return await super().append(commits, *args)

    async def read_streams(self, streams):
        self.reads += 1
        return await super().read_streams(streams)


class Process:
    """Some lines, which may have so many groups in hand at one time."""

    def __init__(self, at_once):
        self.clock = StandingClock()
        groups = asyncio.Semaphore(at_once)
        self.logs = [SlowLog(line) for line in LINES]
        self.shards = [
            Shard(line, counters(ask_nobody), log, self.clock, Health(self.clock), "b1", groups)
            for line, log in zip(LINES, self.logs, strict=True)
        ]
        self.running = [asyncio.create_task(shard.run()) for shard in self.shards]
        self.asked = []

    async def add(self, number):
        """Ask one line, and let all lines do what they can."""
        adding = self.shards[number].submit("ctr_1", Add(amount=1), BY, Cause(timer="test"))
        self.asked.append(asyncio.create_task(adding))
        for _ in range(BRIEFLY):
            await asyncio.sleep(0)

    async def close(self):
        for task in self.running:
            task.cancel()
        await asyncio.gather(*self.running, return_exceptions=True)
        for shard in self.shards:
            await shard.close()


@pytest.fixture
async def process():
    process = Process(at_once=2)
    yield process
    await process.close()


async def test_who_comes_while_others_are_written_joins_the_next_group(process):
    for number in (0, 1, 2, 2, 2, 0):
        await process.add(number)
    assert [log.sizes for log in process.logs] == [[1], [1], []]
    for log in process.logs:
        log.may.set()
    assert all(isinstance(answer, Accepted) for answer in await asyncio.gather(*process.asked))
    assert [log.sizes for log in process.logs] == [[1, 1], [1], [3]]


async def test_a_successor_reads_what_is_live_at_once_as_long_as_it_is_not_much(process):
    log, shard = process.logs[0], process.shards[0]
    log.may.set()
    names = [f"ctr_{number}" for number in range(300)]
    added = [shard.submit(name, Add(amount=1), BY, Cause(timer="test")) for name in names]
    await asyncio.gather(*added)
    log.disk.live = set(names)
    successor = Shard(LINES[0], shard.aggregate, log, process.clock, Health(process.clock), "b1")
    log.reads = 0
    await successor.take_up()
    assert log.reads == 1
    assert all(successor._memory.knows(name) for name in names)


@given(st.dictionaries(st.text(max_size=4), st.integers(0, PAGE), max_size=60))
def test_portions_are_all_streams_in_order_and_none_is_long(lengths):
    divided = portions(lengths)
    assert [stream for portion in divided for stream in portion] == list(lengths)
    assert all(sum(lengths[stream] for stream in portion) <= PAGE for portion in divided)


async def test_who_waits_when_the_line_closes_is_told(process):
    for number in (0, 1, 2):
        await process.add(number)
    for task in process.running:
        task.cancel()
    await asyncio.gather(*process.running, return_exceptions=True)
    await process.shards[2].close()
    await settled(lambda: all(asked.done() for asked in process.asked))
