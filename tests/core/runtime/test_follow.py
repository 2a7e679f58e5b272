"""What a follower believes: its position, the upstream's log, a stream that agrees with it."""

import asyncio
from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager

import pytest

from shared.contracts.commit import hash_of
from shared.contracts.edge import LogPage, LogRow, decode_read, encode
from shared.runtime.follow import Fact, Follower
from shared.runtime.health import Health
from shared.runtime.ports import Delivery, Line, Position, Tail
from tests.core.runtime.clock import StandingClock, settled

LINE = Line("table", 0)
WHAT = "follow table-0"


def commits(count: int, word: str = "as it was") -> list[bytes]:
    return [f"{word} {number}".encode() for number in range(1, count + 1)]


class Upstream:
    """As much of the `Broker` as a follower uses: a stream, and the log of its line's owner."""

    def __init__(self, log: Sequence[bytes], stream: Sequence[bytes]) -> None:
        self.log = log
        self.stream = stream
        self.opened = 0

    async def tail(self, line: Line) -> Tail:
        return Tail(len(self.stream), self.stream[-1] if self.stream else None)

    @asynccontextmanager
    async def deliveries(
        self, line: Line, klass: str, after: int
    ) -> AsyncIterator[AsyncIterator[list[Delivery]]]:
        self.opened += 1

        async def groups() -> AsyncIterator[list[Delivery]]:
            yield [Delivery(n, n - 1, data) for n, data in enumerate(self.stream, 1) if n > after]
            await asyncio.Event().wait()

        yield groups()

    async def request(self, subject: str, data: bytes, timeout: float) -> bytes:
        read = decode_read(data)
        rows = [LogRow(n, "tbl", n, "m", data) for n, data in enumerate(self.log, 1)]
        page = rows[read.after : read.after + read.limit]
        return encode(LogPage(rows=tuple(page), last=len(rows)))


class Reader:
    """A follower at work, and what it has taken."""

    def __init__(self, upstream: Upstream, at: int = 0) -> None:
        clock = StandingClock()
        self.health = Health(clock)
        self.taken: list[int] = []
        position = Position(at, hash_of(upstream.log[at - 1]) if at else b"")
        follower = Follower(LINE, "m", position, upstream, clock)
        self.running = asyncio.create_task(follower.run(self.take, self.health))

    async def take(self, facts: Sequence[Fact]) -> None:
        self.taken += [fact.number for fact in facts]


@pytest.mark.parametrize("at", [0, 3])
async def test_a_stream_that_agrees_with_its_log_is_read(at):
    upstream = Upstream(commits(9), commits(7))
    reader = Reader(upstream, at)
    await settled(lambda: reader.taken == list(range(at + 1, 8)))
    assert reader.health.ready
    reader.running.cancel()


@pytest.mark.parametrize("at", [0, 3])
@pytest.mark.parametrize(
    ("stream", "why"),
    [(commits(7), "ahead of the log, at 7"), (commits(5, "another"), "other bytes at 5")],
)
async def test_nothing_is_read_of_a_stream_that_its_log_contradicts(at, stream, why):
    """Such as after a restore: what the log does not know are facts no more."""
    upstream = Upstream(commits(5), stream)
    reader = Reader(upstream, at)
    await settled(lambda: upstream.opened > 3)
    assert reader.taken == []
    assert why in reader.health.reasons()[WHAT]
    upstream.stream = commits(5)
    await settled(lambda: reader.taken == list(range(at + 1, 6)))
    assert reader.health.ready
    reader.running.cancel()


async def test_a_stream_that_is_being_rebuilt_is_waited_for():
    upstream = Upstream(commits(9), commits(2))
    reader = Reader(upstream, at=5)
    await settled(lambda: reader.health.ready and upstream.opened == 1)
    assert reader.taken == []
    reader.running.cancel()
