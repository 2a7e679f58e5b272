"""The store on PostgreSQL: one schema per line, one writer and one reader thread per process."""

import asyncio
import time
from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from functools import partial
from typing import Any, LiteralString, TypeVar

import psycopg
from eventsourcing.persistence import IntegrityError, PersistenceError
from psycopg.sql import SQL, Identifier

from shared.contracts.edge import LogRow
from shared.runtime.adapters.connection import Impatient
from shared.runtime.adapters.datastore import Away, datastore
from shared.runtime.adapters.recorder import (
    ALIVE,
    EVENTS,
    LIVE,
    PARKED,
    POSITIONS,
    SNAPSHOTS,
    LineRecorder,
)
from shared.runtime.adapters.schema import MISSING, schema_of
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
    StoreUnavailable,
)

NEWEST = 10_000
AWAY_SECONDS = 0.5
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


class PostgresStore:
    """The `Store` of one line."""

    def __init__(
        self,
        database_url: str,
        line: Line,
        threads: Threads,
        role: str = "",
        *,
        patient: bool = False,
    ) -> None:
        """Work as a role, or as the login where there is none; an owner is not patient."""
        self._threads = threads
        self._datastore = datastore(database_url, schema_of(line), role, patient=patient)
        if not patient:
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
        append = partial(self._recorder.append, commits, advances, liveness, parked, unparked)
        return await self._in(self._threads.writer, append)

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
