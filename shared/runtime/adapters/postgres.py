"""The store on PostgreSQL: one schema per line, one writer and one reader thread per process."""

import asyncio
from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from typing import Any, LiteralString, TypeVar

import psycopg
from eventsourcing.persistence import (
    IntegrityError,
    PersistenceError,
    StoredEvent,
)
from eventsourcing.postgres import PostgresDatastore
from psycopg.conninfo import conninfo_to_dict
from psycopg.sql import SQL, Identifier

from shared.contracts.edge import LogRow
from shared.runtime.adapters.recorder import EVENTS, LIVE, PARKED, POSITIONS, LineRecorder
from shared.runtime.ports import (
    Advance,
    Conflict,
    Line,
    Liveness,
    NewCommit,
    Parked,
    Position,
    StoreUnavailable,
)

IDLE_IN_TRANSACTION_SECONDS = 2
CONNECT_SECONDS = 2.0
GIVE_UP_SECONDS = 1.0  # A pool that waits longer between its tries outlasts the outage.
DEAD_PEER_MS = 10_000
VERSION_MAX = 2**63 - 1
OF_CLASS: dict[str, LiteralString] = {"": "TRUE", "m": "topic = 'm'", "d": "topic = 'd'"}
SELECT_ROWS: LiteralString = (
    "SELECT notification_id, originator_id, originator_version, topic, state FROM {events}"
)

T = TypeVar("T")


class Threads:
    """The two threads of a process that talk to PostgreSQL, shared by all its lines."""

    def __init__(self) -> None:
        self.writer = ThreadPoolExecutor(1, "store-writer")
        self.reader = ThreadPoolExecutor(1, "store-reader")

    def close(self) -> None:
        """Wait for what is under way and end."""
        self.writer.shutdown()
        self.reader.shutdown()


class Datastore(PostgresDatastore):
    """The pool, opened by its first use: an owner starts before its database when it must."""

    def register_type_adapters(self) -> None:
        """Look nothing up: composite types serve database functions, which we never use."""


def datastore(database_url: str, schema: str) -> PostgresDatastore:
    """Open a small pool on one schema; what else the DSN says, such as `sslmode`, holds too."""
    parts = {key: str(value) for key, value in conninfo_to_dict(database_url).items()}
    opened = Datastore(
        dbname=parts.get("dbname", "postgres"),
        host=parts.get("host", "127.0.0.1"),
        port=parts.get("port", "5432"),
        user=parts.get("user", "postgres"),
        password=parts.get("password", ""),
        schema=schema,
        originator_id_type="text",
        pool_size=1,
        max_overflow=1,
        idle_in_transaction_session_timeout=IDLE_IN_TRANSACTION_SECONDS,
        pre_ping=True,
        connect_timeout=CONNECT_SECONDS,
    )
    given = opened.pool.kwargs
    assert isinstance(given, dict)
    given |= {"tcp_user_timeout": DEAD_PEER_MS, **parts}
    opened.pool.reconnect_timeout = GIVE_UP_SECONDS
    return opened


def migrate(database_url: str, lines: Sequence[Line]) -> None:
    """Create what the lines need; harmless when it exists."""
    with psycopg.connect(database_url, autocommit=True) as connection:
        for line in lines:
            connection.execute(
                SQL("CREATE SCHEMA IF NOT EXISTS {}").format(Identifier(schema_of(line)))
            )
    for line in lines:
        with datastore(database_url, schema_of(line)) as opened:
            LineRecorder(opened).create_table()


def schema_of(line: Line) -> str:
    """The PostgreSQL schema of a line, such as `table_0`."""
    return f"{line.service}_{line.shard}"


class PostgresStore:
    """The `Store` of one line."""

    def __init__(self, database_url: str, line: Line, threads: Threads) -> None:
        self._threads = threads
        self._datastore = datastore(database_url, schema_of(line))
        self._recorder = LineRecorder(self._datastore)
        schema = schema_of(line)
        self._names = {
            "events": Identifier(schema, EVENTS),
            "positions": Identifier(schema, POSITIONS),
            "live": Identifier(schema, LIVE),
            "parked": Identifier(schema, PARKED),
        }

    async def append(
        self,
        commits: Sequence[NewCommit],
        advances: Sequence[Advance] = (),
        liveness: Sequence[Liveness] = (),
        parked: Sequence[Parked] = (),
        unparked: Sequence[Parked] = (),
    ) -> int:
        rows = [StoredEvent(c.stream, c.n, c.klass, c.data) for c in commits]

        def write() -> int:
            numbers = self._recorder.insert_events(
                rows, advances=advances, liveness=liveness, parked=parked, unparked=unparked
            )
            return numbers[-1] if numbers else 0

        return await self._in(self._threads.writer, write)

    async def read_stream(
        self, stream: str, after: int = 0, upto: int | None = None
    ) -> list[LogRow]:
        where = (
            " WHERE originator_id = %s AND originator_version > %s AND originator_version <= %s"
            " ORDER BY originator_version"
        )
        return await self._rows(where, (stream, after, VERSION_MAX if upto is None else upto))

    async def read_log(self, after: int, limit: int, klass: str = "") -> list[LogRow]:
        where = OF_CLASS.get(klass, "FALSE")
        order = " ORDER BY notification_id LIMIT %s"
        return await self._rows(f" WHERE notification_id > %s AND {where}{order}", (after, limit))

    async def last_number(self) -> int:
        query = "SELECT coalesce(max(notification_id), 0) AS last FROM {events}"
        return int((await self._select(query, ()))[0]["last"])

    async def last_m(self, upto: int) -> int:
        query = (
            "SELECT notification_id AS last FROM {events} WHERE notification_id <= %s"
            " AND topic = 'm' ORDER BY notification_id DESC LIMIT 1"
        )
        rows = await self._select(query, (upto,))
        return int(rows[0]["last"]) if rows else 0

    async def heads(self, streams: Sequence[str]) -> dict[str, int]:
        query = (
            "SELECT s.id, (SELECT max(originator_version) FROM {events}"
            " WHERE originator_id = s.id) AS n FROM unnest(%s::text[]) AS s(id)"
        )
        rows = await self._select(query, (list(streams),))
        return {row["id"]: row["n"] for row in rows if row["n"] is not None}

    async def position(self, upstream: str) -> Position:
        query = (
            "INSERT INTO {positions} VALUES (%s, 0, '') ON CONFLICT (upstream)"
            " DO UPDATE SET upstream = excluded.upstream RETURNING reached, last_hash"
        )
        row = (await self._select(query, (upstream,)))[0]
        return Position(row["reached"], bytes(row["last_hash"]))

    async def parked(self, upstream: str, after: int, limit: int) -> list[Parked]:
        query = (
            "SELECT upstream, number, stream, reason, at, data FROM {parked}"
            " WHERE upstream = %s AND number > %s ORDER BY number LIMIT %s"
        )
        rows = await self._select(query, (upstream, after, limit))
        return [Parked(**{**row, "data": bytes(row["data"])}) for row in rows]

    async def parked_streams(self) -> dict[str, dict[str, int]]:
        query = (
            "SELECT upstream, stream, count(*) AS count FROM {parked}"
            " GROUP BY upstream, stream ORDER BY upstream, stream"
        )
        found: dict[str, dict[str, int]] = {}
        for row in await self._select(query, ()):
            found.setdefault(row["upstream"], {})[row["stream"]] = row["count"]
        return found

    async def live_streams(self) -> list[str]:
        rows = await self._select("SELECT stream FROM {live} ORDER BY stream", ())
        return [row["stream"] for row in rows]

    def close(self) -> None:
        """Give the connections back."""
        self._datastore.close()

    async def _rows(self, tail: LiteralString, params: tuple[Any, ...]) -> list[LogRow]:
        return [
            LogRow(
                row["notification_id"],
                row["originator_id"],
                row["originator_version"],
                row["topic"],
                bytes(row["state"]),
            )
            for row in await self._select(SELECT_ROWS + tail, params)
        ]

    async def _select(self, query: LiteralString, params: tuple[Any, ...]) -> list[dict[str, Any]]:
        composed = SQL(query).format(**self._names)

        def read() -> list[dict[str, Any]]:
            with self._datastore.get_connection() as connection:
                return connection.execute(composed, params, prepare=True).fetchall()

        return await self._in(self._threads.reader, read)

    async def _in(self, thread: ThreadPoolExecutor, work: Callable[[], T]) -> T:
        """Run in one of the threads; what the library raises becomes what the port promises."""
        loop = asyncio.get_running_loop()
        try:
            return await loop.run_in_executor(thread, work)
        except IntegrityError as error:
            raise Conflict(str(error)) from error
        except (PersistenceError, psycopg.Error) as error:
            raise StoreUnavailable(str(error)) from error
