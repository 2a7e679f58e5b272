"""The projection of one line: its own log into tables, behind the commits and never before them.

The rows of some commits and the position behind them are one transaction, and the position is
compared and set: two owners, or one that was thought dead, write each row once. What was decided
does not wait for this. Reads do: they are answered once the tables have what the log had when
they were asked, so a client that was just answered sees what it did.
"""

import asyncio
from collections.abc import Awaitable, Callable, Mapping, Sequence
from typing import Any, LiteralString, NamedTuple, Protocol

from shared.contracts.commit import raw
from shared.contracts.edge import Accepted, Answer, Declined, LogRow
from shared.contracts.message import Reply
from shared.kernel.decider import Refused
from shared.runtime.bell import Bell
from shared.runtime.health import Health
from shared.runtime.metrics import PROJECTION_LAG
from shared.runtime.ports import Clock, Conflict, Line, Store, StoreUnavailable
from shared.runtime.supervisor import LineStopped

BATCH = 500
PIECE = 50
PAUSE_SECONDS = 0.02  # Under load some commits gather: fewer, larger transactions.
IDLE_SECONDS = 5.0
RETRY_SECONDS = 0.2
READ_SECONDS = 1.5  # Whoever asks gives up after two.
BEHIND_MAX = 10_000

Row = tuple[int | str, ...]
Rows = Mapping[str, Sequence[Row]]
RowsOf = Callable[[LogRow], Rows]
"""The rows that one commit leads to, by table, in the order of the tables' columns; pure."""


class Contradicted(Exception):
    """A row breaks a condition of its table: the log says what cannot be."""


class Tables(Protocol):
    """The tables of one line, with the number of the last commit that is in them."""

    async def reached(self) -> int:
        """Return that number; raise StoreUnavailable when the tables are another build's."""
        ...

    async def write(self, expected: int, reached: int, rows: Rows) -> None:
        """Write rows and position; raise Conflict unless the position is as expected.

        Raise Contradicted when a row breaks a condition.
        """
        ...

    async def select(
        self, query: LiteralString, values: Mapping[str, Any], number: int
    ) -> list[dict[str, Any]]:
        """Return what a query finds in one snapshot; it names the tables in braces.

        Beside them there are the log, `{commits}`, and the position, `{read_model}`. Raise
        Conflict when the tables do not have commit `number` any more: somebody has emptied them.
        """
        ...


class Reading(NamedTuple):
    """What a read is answered from: the tables, once they have commit `number`."""

    tables: Tables
    number: int

    async def select(self, query: LiteralString, **values: Any) -> list[dict[str, Any]]:
        """Return what a query finds; `number` is among its values."""
        return await self.tables.select(query, {**values, "number": self.number}, self.number)


Read = Callable[[Reading, Any], Awaitable[Reply | Refused]]
"""Answers one kind of read."""


class Projection:
    """Fills the tables of an owned line, and answers reads from them."""

    def __init__(
        self, line: Line, rows_of: RowsOf, store: Store, tables: Tables, clock: Clock, wake: Bell
    ) -> None:
        self._line = line
        self._rows_of = rows_of
        self._store = store
        self._tables = tables
        self._clock = clock
        self._wake = wake
        self._reached = 0
        self._batch = BATCH
        self._doubted = False
        self._stopped = ""
        self._waiting: list[tuple[int, asyncio.Future[None]]] = []
        self._lag = PROJECTION_LAG.labels(str(line))

    async def run(self, health: Health) -> None:
        """Project for ever; raise LineStopped when the log says what cannot be."""
        what = f"projection {self._line}"
        while True:
            try:
                await self._project_on(health, what)
            except Conflict:
                continue  # Another owner was here, or somebody has emptied the tables.
            except StoreUnavailable as error:
                health.wrong(what, f"{type(error).__name__}: {error}")
                await self._clock.sleep(RETRY_SECONDS)
            except Contradicted as error:
                if self._batch == 1:
                    self._stopped = f"commit {self._reached + 1}: {error}"
                    raise LineStopped(self._stopped) from error
                self._batch = 1  # All that comes before the wrong one is right.

    async def _project_on(self, health: Health, what: str) -> None:
        self._doubted = False
        self._stand_at(await self._tables.reached())
        while True:
            self._wake.clear()
            rows = await self._store.read_log(self._reached, self._batch)
            if rows:
                await self._tables.write(self._reached, rows[-1].number, await self._project(rows))
                self._stand_at(rows[-1].number)
            full = len(rows) == self._batch
            await self._tell(health, what, full=full)
            if full:
                continue
            if not self._waiting:
                await self._clock.sleep(PAUSE_SECONDS)
            if not await self._wake.wait(IDLE_SECONDS) or self._doubted:
                return  # To see where the tables really are.

    async def _project(self, rows: Sequence[LogRow]) -> Rows:
        """Let go of the loop now and then: decisions come first."""
        found: dict[str, list[Row]] = {}
        for nth, row in enumerate(rows, 1):
            for table, made in self._rows_of(row).items():
                found.setdefault(table, []).extend(made)
            if nth % PIECE == 0:
                await asyncio.sleep(0)
        return found

    async def _tell(self, health: Health, what: str, *, full: bool) -> None:
        """Say how far behind the tables are; only a full batch leaves something open."""
        behind = await self._store.last_number() - self._reached if full else 0
        self._lag.set(behind)
        if behind > BEHIND_MAX:
            health.wrong(what, f"{behind} commits behind")
        else:
            health.right(what)

    def _stand_at(self, reached: int) -> None:
        self._reached = reached
        waiting, self._waiting = self._waiting, []
        for number, arrived in waiting:
            if number > reached:
                self._waiting.append((number, arrived))
            elif not arrived.done():
                arrived.set_result(None)

    async def answer(self, stream: str, command: Any, read: Read) -> Answer:
        """Answer a read once the tables have what the log has now."""
        if self._stopped:
            return Declined(reason="unavailable", detail=f"the read model stopped: {self._stopped}")
        try:
            async with asyncio.timeout(READ_SECONDS):
                await self._reach(await self._store.last_number())
                reading = Reading(self._tables, self._reached)
                found = await read(reading, command)
        except (TimeoutError, Conflict) as error:
            self._doubted |= isinstance(error, Conflict)
            self._wake.set()
            return Declined(reason="unavailable", detail="the read model is behind")
        except StoreUnavailable as error:
            return Declined(reason="unavailable", detail=str(error))
        if isinstance(found, Refused):
            return Declined(reason=found.reason, detail=found.detail)
        return Accepted(stream=stream, n=reading.number, reply=raw(found))

    async def _reach(self, number: int) -> None:
        if self._reached >= number:
            return
        arrived = asyncio.get_running_loop().create_future()
        self._waiting.append((number, arrived))
        self._wake.set()
        await arrived
