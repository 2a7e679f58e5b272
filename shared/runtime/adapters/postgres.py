"""The store on PostgreSQL: one schema per line, one writer and one reader thread per process."""

import asyncio
import select
import time
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from functools import partial
from typing import Any, LiteralString, TypeVar

import psycopg
from eventsourcing.persistence import (
    IntegrityError,
    OperationalError,
    PersistenceError,
    StoredEvent,
)
from eventsourcing.postgres import PostgresDatastore
from psycopg import Connection
from psycopg.conninfo import conninfo_to_dict
from psycopg.rows import DictRow
from psycopg.sql import SQL, Identifier
from psycopg_pool import PoolTimeout

from shared.contracts.edge import LogRow
from shared.runtime.adapters.connection import Impatient
from shared.runtime.adapters.recorder import (
    ALIVE,
    EVENTS,
    LIVE,
    PARKED,
    POSITIONS,
    SNAPSHOTS,
    LineRecorder,
)
from shared.runtime.ports import (
    CLOCK_OFF_MS,
    Advance,
    Alive,
    Conflict,
    Line,
    Liveness,
    NewCommit,
    Parked,
    Position,
    StartRefused,
    StoreUnavailable,
)

IDLE_IN_TRANSACTION_SECONDS = 2
TRANSACTION_MS = 3_000
NEWEST = 10_000
CONNECT_SECONDS = 2.0
AWAY_SECONDS = 0.5
GIVE_UP_SECONDS = 1.0  # A pool that waits longer between its tries outlasts the outage.
DEAD_PEER_MS = 10_000
VERSION_MAX = 2**63 - 1
OF_CLASS: dict[str, LiteralString] = {"": "TRUE", "m": "topic = 'm'", "d": "topic = 'd'"}
SELECT_ROWS: LiteralString = (
    "SELECT notification_id, originator_id, originator_version, topic, state FROM {events}"
)
BEAT: LiteralString = (
    "WITH beaten AS (UPDATE {alive} SET at_ms = %(at)s"
    " WHERE at_ms >= %(since)s AND at_ms < %(at)s"
    " AND %(at)s <= %(off)s + extract(epoch FROM clock_timestamp()) * 1000)"
    " SELECT at_ms, (extract(epoch FROM clock_timestamp()) * 1000)::int8 AS store_ms FROM {alive}"
)
MISSING: LiteralString = (
    "SELECT before + 1 AS missing FROM (SELECT number, coalesce(lag(number) OVER (ORDER BY number),"
    " CASE WHEN count(*) OVER () < %(newest)s THEN 0 ELSE number - 1 END) AS before"
    " FROM (SELECT notification_id AS number FROM {events}"
    " ORDER BY notification_id DESC LIMIT %(newest)s) AS newest) AS pairs"
    " WHERE number <> before + 1 ORDER BY number LIMIT 1"
)
IS_WHOLE: LiteralString = (
    "SELECT count(*) = coalesce(max(notification_id), 0) AS whole FROM {events}"
)

Params = tuple[Any, ...] | dict[str, Any]
T = TypeVar("T")


class Threads:
    """The two threads of a process that talk to PostgreSQL, shared by all its lines."""

    def __init__(self) -> None:
        self.writer = ThreadPoolExecutor(1, "store-writer")
        self.reader = ThreadPoolExecutor(1, "store-reader")
        self.away_until = 0.0

    def close(self) -> None:
        """Wait for what is under way and end."""
        self.writer.shutdown()
        self.reader.shutdown()


class Away(PersistenceError):
    """No connection could be had; not among the errors that the stock recorder tries ten times.

    Each of those tries would wait in vain again, and hold up the one writer for half a minute. A
    connection that broke is worth the next try: it tells whether the last one was committed.
    """


class Datastore(PostgresDatastore):
    """The pool, opened by its first use: an owner starts before its database when it must."""

    @contextmanager
    def get_connection(self) -> Iterator[Connection[DictRow]]:
        """Yield a connection; what the server closed while it lay idle is replaced, unasked."""
        try:
            for _ in range(self.pool.max_size + 1):
                with super().get_connection() as connection:
                    if not is_spoken_to(connection):
                        yield connection
                        return
                    connection.close()
        except OperationalError as error:
            if isinstance(error.__cause__, PoolTimeout):
                raise Away(str(error)) from error
            raise

    def register_type_adapters(self) -> None:
        """Look nothing up: composite types serve database functions, which we never use."""


def is_spoken_to(connection: Connection[DictRow]) -> bool:
    """Say whether an idle connection has something to read: a farewell, or its end.

    Asking the server, as the stock pool does, costs every query a way there and back.
    """
    poll = select.poll()
    poll.register(connection.fileno(), select.POLLIN)
    return bool(poll.poll(0))


def datastore(
    database_url: str, schema: str, transaction_ms: int = TRANSACTION_MS
) -> PostgresDatastore:
    """Open a small pool on one schema; what else the DSN says, such as `sslmode`, holds too.

    Frozen within a transaction, an owner would block its successor: in a pipeline PostgreSQL's
    time-out for idle transactions does not count, the one for whole transactions does.
    """
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
        connect_timeout=CONNECT_SECONDS,
    )
    given = opened.pool.kwargs
    assert isinstance(given, dict)
    options = f"{given.get('options', '')} {parts.get('options', '')}"
    limit = f"-c transaction_timeout={transaction_ms}"
    given |= {
        "connect_timeout": round(CONNECT_SECONDS),  # Else a try lasts two minutes.
        "tcp_user_timeout": DEAD_PEER_MS,
        **parts,
        "options": f"{options} {limit}".strip(),
    }
    opened.pool.reconnect_timeout = GIVE_UP_SECONDS
    return opened


def migrate(database_url: str, lines: Sequence[Line]) -> None:
    """Create what the lines need; harmless when it exists.

    Raise StartRefused when a log that exists has lost a commit: the one time that it is counted
    in full, since that takes a second for every ten million.
    """
    with psycopg.connect(database_url, autocommit=True) as connection:
        for line in lines:
            connection.execute(
                SQL("CREATE SCHEMA IF NOT EXISTS {}").format(Identifier(schema_of(line)))
            )
    for line in lines:
        with datastore(database_url, schema_of(line), transaction_ms=0) as opened:
            LineRecorder(opened).create_table()
    with psycopg.connect(database_url, autocommit=True) as connection:
        for line in lines:
            check_whole(connection, line)


def check_whole(connection: psycopg.Connection, line: Line) -> None:
    """Raise StartRefused when a commit is missing anywhere in a log."""
    events = Identifier(schema_of(line), EVENTS)
    whole = connection.execute(SQL(IS_WHOLE).format(events=events)).fetchone()
    if whole == (True,):
        return
    query = SQL(MISSING).format(events=events)
    missing = connection.execute(query, {"newest": VERSION_MAX}).fetchone()
    raise StartRefused(f"the log of {line} lacks its commit {missing[0] if missing else '?'}")


def schema_of(line: Line) -> str:
    """The PostgreSQL schema of a line, such as `table_0`."""
    return f"{line.service}_{line.shard}"


class PostgresStore:
    """The `Store` of one line."""

    def __init__(self, database_url: str, line: Line, threads: Threads) -> None:
        self._threads = threads
        self._datastore = datastore(database_url, schema_of(line))
        self._datastore.pool.connection_class = Impatient
        self._recorder = LineRecorder(self._datastore)
        schema = schema_of(line)
        self._names = {
            "events": Identifier(schema, EVENTS),
            "positions": Identifier(schema, POSITIONS),
            "live": Identifier(schema, LIVE),
            "parked": Identifier(schema, PARKED),
            "alive": Identifier(schema, ALIVE),
            "snapshots": Identifier(schema, SNAPSHOTS),
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

    async def read_streams(self, streams: Sequence[str]) -> dict[str, list[LogRow]]:
        where = " WHERE originator_id = ANY(%s::text[]) ORDER BY originator_id, originator_version"
        found: dict[str, list[LogRow]] = {}
        for row in await self._rows(where, (list(streams),)):
            found.setdefault(row.stream, []).append(row)
        return found

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

    async def beat(self, at_ms: int, since_ms: int) -> Alive:
        values = {"at": at_ms, "since": since_ms, "off": CLOCK_OFF_MS}
        row = (await self._select(BEAT, values))[0]
        return Alive(row["at_ms"], row["store_ms"])

    async def first_missing(self) -> int | None:
        rows = await self._select(MISSING, {"newest": NEWEST})
        return int(rows[0]["missing"]) if rows else None

    async def keep_snapshot(self, stream: str, n: int, first: int, parts: Sequence[bytes]) -> None:
        written = (
            "INSERT INTO {snapshots} SELECT %(stream)s, %(n)s, %(first)s + nth - 1, data"
            " FROM unnest(%(parts)b::bytea[]) WITH ORDINALITY AS p(data, nth)"
            " ON CONFLICT (stream, n, part) DO UPDATE SET data = excluded.data RETURNING part"
        )
        others_gone: LiteralString = (
            "WITH others AS (DELETE FROM {snapshots} WHERE stream = %(stream)s AND n <> %(n)s) "
        )
        values = {"stream": stream, "n": n, "first": first, "parts": list(parts)}
        await self._select(written if first else others_gone + written, values)

    async def snapshot_label(self, stream: str) -> bytes | None:
        query = (
            "SELECT data FROM {snapshots} WHERE stream = %s AND part = 0 ORDER BY n DESC LIMIT 1"
        )
        rows = await self._select(query, (stream,))
        return bytes(rows[0]["data"]) if rows else None

    async def snapshot_parts(self, stream: str, n: int, after: int, limit: int) -> list[bytes]:
        query = (
            "SELECT data FROM {snapshots} WHERE stream = %s AND n = %s"
            " AND part > %s AND part <= %s ORDER BY part"
        )
        rows = await self._select(query, (stream, n, after, after + limit))
        return [bytes(row["data"]) for row in rows]

    def close(self) -> None:
        """Give the connections back; no thread that still waits for PostgreSQL is waited for."""
        self._datastore.pool.close(timeout=0)

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

    async def _select(self, query: LiteralString, params: Params) -> list[dict[str, Any]]:
        composed = SQL(query).format(**self._names)

        def read() -> list[dict[str, Any]]:
            with self._datastore.get_connection() as connection:
                return connection.execute(composed, params, prepare=True).fetchall()

        return await self._in(self._threads.reader, read)

    def _tried(self, work: Callable[[], T]) -> T:
        """Spare those who have queued behind a vain wait for a connection the same wait again."""
        if time.monotonic() < self._threads.away_until:
            raise StoreUnavailable("PostgreSQL could not be reached a moment ago")
        try:
            return work()
        except Away:
            self._threads.away_until = time.monotonic() + AWAY_SECONDS
            raise

    async def _in(self, thread: ThreadPoolExecutor, work: Callable[[], T]) -> T:
        """Run in one of the threads; what the library raises becomes what the port promises."""
        loop = asyncio.get_running_loop()
        try:
            return await loop.run_in_executor(thread, partial(self._tried, work))
        except IntegrityError as error:
            raise Conflict(str(error)) from error
        except (PersistenceError, psycopg.Error) as error:
            raise StoreUnavailable(str(error)) from error
