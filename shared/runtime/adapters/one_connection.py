"""A connection beside the log's, for a few small tables of the platform.

One thread with one connection: a group is one statement, and nothing else is in a hurry.
"""

import asyncio
from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from typing import Any, LiteralString, TypeVar

import psycopg
from psycopg.conninfo import conninfo_to_dict, make_conninfo
from psycopg.rows import dict_row

from shared.runtime.adapters.connection import Impatient, take_role
from shared.runtime.ports import StoreUnavailable

CONNECT_SECONDS = 2
STATEMENT_MS = 3_000

Rows = list[dict[str, Any]]
T = TypeVar("T")


class OneConnection:
    """Runs statements one after the other, as a role if one is named.

    Raises StoreUnavailable for whatever goes wrong.
    """

    def __init__(self, database_url: str, name: str, role: str = "") -> None:
        self._given = {k: str(v) for k, v in conninfo_to_dict(database_url).items()}
        self._role = role
        self._thread = ThreadPoolExecutor(1, name)
        self._connection: Impatient | None = None

    async def rows(self, query: LiteralString, values: Sequence[object] = ()) -> Rows:
        """Return what a query finds."""
        cursor = await self._executed(query, values)
        return cursor.fetchall()

    async def changed(self, query: LiteralString, values: Sequence[object]) -> int:
        """Return how many rows a statement has changed."""
        cursor = await self._executed(query, values)
        return cursor.rowcount

    def close(self) -> None:
        """End thread and connection after what is under way; nobody waits for that."""
        self._thread.submit(self._disconnect)
        self._thread.shutdown(wait=False)

    def _disconnect(self) -> None:
        if self._connection is not None:
            self._connection.close()

    async def _executed(
        self, query: LiteralString, values: Sequence[object]
    ) -> psycopg.Cursor[dict[str, Any]]:
        return await self.run(lambda connection: connection.execute(query, values, prepare=True))

    async def run(self, work: Callable[[Impatient], T]) -> T:
        """Do several things with the connection, which commits each statement by itself."""
        loop = asyncio.get_running_loop()
        try:
            return await loop.run_in_executor(self._thread, lambda: work(self._connected()))
        except (psycopg.errors.UndefinedTable, psycopg.errors.InvalidSchemaName) as error:
            raise StoreUnavailable("the migrate step has not been run") from error
        except psycopg.Error as error:
            raise StoreUnavailable(str(error).strip()) from error

    def _connected(self) -> Impatient:
        """Return the connection; one that broke is made again by the next who asks."""
        if self._connection is None or self._connection.closed:
            options = f"{self._given.get('options', '')} -c statement_timeout={STATEMENT_MS}"
            given = {**self._given, "options": options.strip()}
            given.setdefault("connect_timeout", str(CONNECT_SECONDS))
            opened = Impatient.connect(
                make_conninfo("", **given), autocommit=True, row_factory=dict_row
            )
            take_role(opened, self._role)
            self._connection = opened
        return self._connection
