"""A projection is behind its log, writes each row once, and stops where the log cannot be right."""

import asyncio
from contextlib import asynccontextmanager

import msgspec
import pytest

from shared.contracts.edge import Accepted, Declined, LogRow
from shared.contracts.message import Reply
from shared.kernel.decider import Refused
from shared.runtime import projection
from shared.runtime.bell import Bell
from shared.runtime.health import Health
from shared.runtime.ports import Conflict, Line, StoreUnavailable
from shared.runtime.projection import BATCH, BEHIND_MAX, Contradicted, Projection, Rows
from shared.runtime.supervisor import LineStopped
from tests.core.runtime.clock import StandingClock, settled

LINE = Line("wallet", 0)
WHAT = f"projection {LINE}"


class Log:
    """As much of a store as a projection uses."""

    def __init__(self, count: int = 0) -> None:
        self.rows: list[LogRow] = []
        self.away = False
        self.add(count)

    def add(self, count: int = 1) -> None:
        first = len(self.rows) + 1
        self.rows += [LogRow(n, "journal", n, "d", b"%d" % n) for n in range(first, first + count)]

    async def read_log(self, after: int, limit: int) -> list[LogRow]:
        if self.away:
            raise StoreUnavailable("gone")
        return self.rows[after : after + limit]

    async def last_number(self) -> int:
        return len(self.rows)


class TablesInMemory:
    """Rows as they were written; those of `wrong` commits break a condition."""

    def __init__(self) -> None:
        self.at = 0
        self.rows: list[int] = []
        self.wrong: set[int] = set()
        self.writes = 0

    async def reached(self) -> int:
        return self.at

    async def write(self, expected, reached, rows) -> None:
        if expected != self.at:
            raise Conflict("moved")
        if wrong := self.wrong.intersection(number for (number,) in rows["numbers"]):
            raise Contradicted(f"{wrong} are wrong")
        self.writes += 1
        self.at = reached
        self.rows += [number for (number,) in rows["numbers"]]

    async def select(self, query, values, number):
        if number > self.at:
            raise Conflict("emptied")
        return [{"count": len(self.rows)}]

    def empty(self) -> None:
        self.at, self.rows = 0, []


class Counted(Reply, frozen=True):
    count: int


async def count(reading, command) -> Reply | Refused:
    if command == "nonsense":
        return Refused("nonsense")
    (row,) = await reading.select("SELECT")
    return Counted(count=row["count"])


def rows_of(row: LogRow) -> Rows:
    return {"numbers": [(row.number,)]}


class Projecting:
    """A projection at work, and all that it works with."""

    def __init__(self, log: Log, tables: TablesInMemory) -> None:
        self.log, self.tables = log, tables
        self.clock, self.wake = StandingClock(), Bell()
        self.health = Health(self.clock)
        self.projection = Projection(LINE, rows_of, log, tables, self.clock, self.wake)

    async def read(self, command: str = "count"):
        return await self.projection.answer("journal", command, count)


@asynccontextmanager
async def projecting(log: Log, tables: TablesInMemory | None = None):
    one = Projecting(log, tables or TablesInMemory())
    task = asyncio.create_task(one.projection.run(one.health))
    yield one
    task.cancel()
    await asyncio.gather(task, return_exceptions=True)


async def test_all_that_is_there_is_projected_in_order_and_once():
    async with projecting(Log(2 * BATCH + 3)) as one:
        await settled(lambda: one.tables.at == 2 * BATCH + 3)
        assert one.tables.rows == list(range(1, 2 * BATCH + 4))
        assert one.tables.writes == 3


async def test_what_comes_later_is_projected_when_the_bell_rings():
    async with projecting(Log(1)) as one:
        await settled(lambda: one.tables.at == 1)
        one.log.add(2)
        one.wake.set()
        await settled(lambda: one.tables.rows == [1, 2, 3])


async def test_a_read_sees_all_that_was_in_the_log_when_it_was_asked():
    async with projecting(Log(1)) as one:
        await settled(lambda: one.tables.at == 1)
        one.log.add(4)
        answer = await one.read()
        assert isinstance(answer, Accepted)
        assert (answer.n, msgspec.json.decode(answer.reply)) == (5, {"count": 5})


async def test_a_read_that_is_refused_says_why():
    async with projecting(Log()) as one:
        assert await one.read("nonsense") == Declined(reason="nonsense")


async def test_a_read_that_has_to_wait_too_long_is_unavailable(monkeypatch):
    monkeypatch.setattr(projection, "READ_SECONDS", 0)
    async with projecting(Log()) as one:
        one.log.away = True
        one.log.add()
        answer = await one.read()
        assert answer == Declined(reason="unavailable", detail="the read model is behind")


async def test_what_another_owner_has_written_is_not_written_again():
    tables = TablesInMemory()
    log = Log(3)
    async with projecting(log, tables) as one, projecting(log, tables) as other:
        for _ in range(20):
            log.add(2)
            one.wake.set()
            other.wake.set()
            await settled(lambda: tables.at == len(log.rows))
        assert tables.rows == list(range(1, len(log.rows) + 1))


async def test_emptied_tables_are_noticed_by_the_next_read_and_filled_again():
    async with projecting(Log(5)) as one:
        await settled(lambda: one.tables.at == 5)
        one.tables.empty()
        assert (await one.read()).reason == "unavailable"
        await settled(lambda: one.tables.rows == [1, 2, 3, 4, 5])
        assert isinstance(await one.read(), Accepted)


async def test_it_stops_at_the_very_commit_that_cannot_be():
    one = Projecting(Log(9), TablesInMemory())
    one.tables.wrong = {6}
    with pytest.raises(LineStopped, match=r"commit 6: \{6\} are wrong"):
        await one.projection.run(one.health)
    assert one.tables.rows == [1, 2, 3, 4, 5]
    answer = await one.read()
    assert (answer.reason, "commit 6" in answer.detail) == ("unavailable", True)


async def test_a_store_that_is_away_is_said_and_waited_for():
    log = Log(1)
    log.away = True
    async with projecting(log) as one:
        await settled(lambda: WHAT in one.health.reasons())
        log.away = False
        await settled(lambda: one.health.ready and one.tables.rows == [1])


async def test_far_behind_is_not_ready():
    async with projecting(Log(BEHIND_MAX + 2 * BATCH)) as one:
        await settled(lambda: WHAT in one.health.reasons())
        assert "commits behind" in one.health.reasons()[WHAT]
        await settled(lambda: one.health.ready and one.tables.at == len(one.log.rows))
