"""The recorder of one line: eventsourcing's, with gapless numbers and compare-and-set positions.

What differs from the stock recorder, and why: rows are bound as binary arrays; the number is
max + 1 under an advisory lock, so that it is gapless and equals the JetStream sequence; that
lock is a statement of its own, since a statement's snapshot must be younger than the lock;
positions are compared and set, so that two owners fence each other; liveness and parked facts
are written in the same transaction; nobody is notified, since the relay is woken in the owner's
process.
"""

from collections.abc import Sequence
from typing import Any
from zlib import crc32

from eventsourcing.persistence import IntegrityError, StoredEvent
from eventsourcing.postgres import PostgresDatastore, PostgresProcessRecorder
from psycopg import Cursor
from psycopg.rows import DictRow
from psycopg.sql import SQL, Composed, Identifier, Literal

from shared.runtime.ports import Advance, Liveness, Parked

EVENTS = "commits"
POSITIONS = "positions"
LIVE = "live_streams"
PARKED = "parked"
ALIVE = "alive"
SNAPSHOTS = "snapshots"


class LineRecorder(PostgresProcessRecorder):
    """Inserts commits, positions and liveness of one line in one transaction."""

    def __init__(self, datastore: PostgresDatastore) -> None:
        super().__init__(datastore, events_table_name=EVENTS, tracking_table_name="unused")
        schema = datastore.schema
        names = {
            "events": Identifier(schema, EVENTS),
            "positions": Identifier(schema, POSITIONS),
            "live": Identifier(schema, LIVE),
            "parked": Identifier(schema, PARKED),
            "alive": Identifier(schema, ALIVE),
            "snapshots": Identifier(schema, SNAPSHOTS),
        }
        key = Literal(crc32(f"{schema}.{EVENTS}".encode()))
        self.lock_table_statements = [SQL("SELECT pg_advisory_xact_lock({})").format(key)]
        self.insert_events_statement = SQL(
            "INSERT INTO {events}"
            " (originator_id, originator_version, topic, state, notification_id)"
            " SELECT id, version, topic, state,"
            " nth + (SELECT coalesce(max(notification_id), 0) FROM {events})"
            " FROM unnest(%b::text[], %b::int8[], %b::text[], %b::bytea[])"
            " WITH ORDINALITY AS e(id, version, topic, state, nth)"
            " RETURNING notification_id"
        ).format(**names)
        self.advance_statement = SQL(
            "UPDATE {positions} p SET reached = a.reached, last_hash = a.last_hash"
            " FROM unnest(%b::text[], %b::int8[], %b::int8[], %b::bytea[])"
            " AS a(upstream, expected, reached, last_hash)"
            " WHERE p.upstream = a.upstream AND p.reached = a.expected RETURNING p.upstream"
        ).format(**names)
        self.live_statement = SQL(
            "INSERT INTO {live} SELECT unnest(%b::text[]) ON CONFLICT DO NOTHING"
        ).format(**names)
        self.idle_statement = SQL("DELETE FROM {live} WHERE stream = ANY(%b::text[])").format(
            **names
        )
        self.park_statement = SQL(
            "INSERT INTO {parked} SELECT * FROM unnest"
            "(%b::text[], %b::int8[], %b::text[], %b::text[], %b::text[], %b::bytea[])"
            " ON CONFLICT DO NOTHING RETURNING number"
        ).format(**names)
        self.unpark_statement = SQL(
            "DELETE FROM {parked} p USING unnest(%b::text[], %b::int8[]) AS a(upstream, number)"
            " WHERE p.upstream = a.upstream AND p.number = a.number RETURNING p.number"
        ).format(**names)
        self.sql_create_statements += self._tables(names)

    def _tables(self, names: dict[str, Identifier]) -> list[Composed]:
        """What stands beside the stock tables."""
        return [
            SQL(
                "CREATE TABLE IF NOT EXISTS {positions}"
                " (upstream text PRIMARY KEY, reached bigint NOT NULL, last_hash bytea NOT NULL)"
            ).format(**names),
            SQL("CREATE TABLE IF NOT EXISTS {live} (stream text PRIMARY KEY)").format(**names),
            SQL(
                "CREATE TABLE IF NOT EXISTS {parked} (upstream text, number bigint,"
                " stream text NOT NULL, reason text NOT NULL, at text NOT NULL,"
                " data bytea NOT NULL, PRIMARY KEY (upstream, number))"
            ).format(**names),
            SQL(
                "CREATE TABLE IF NOT EXISTS {snapshots} (stream text, n bigint, part int,"
                " data bytea NOT NULL, PRIMARY KEY (stream, n, part))"
            ).format(**names),
            SQL(
                "CREATE TABLE IF NOT EXISTS {alive}"
                " (one boolean PRIMARY KEY CHECK (one), at_ms bigint NOT NULL)"
            ).format(**names),
            SQL("INSERT INTO {alive} VALUES (true, 0) ON CONFLICT DO NOTHING").format(**names),
            SQL(
                "CREATE INDEX IF NOT EXISTS {by_class} ON {events} (notification_id)"
                " WHERE topic = 'm'"
            ).format(by_class=Identifier(f"{EVENTS}_m"), **names),
        ]

    def _insert_events(
        self, curs: Cursor[DictRow], stored_events: Sequence[StoredEvent], **kwargs: Any
    ) -> None:
        self._lock_table(curs)
        self._write_liveness(curs, kwargs.get("liveness", ()))
        self._advance(curs, kwargs.get("advances", ()))
        self._park(curs, kwargs.get("parked", ()), kwargs.get("unparked", ()))

    def _write_liveness(self, curs: Cursor[DictRow], liveness: Sequence[Liveness]) -> None:
        live = [row.stream for row in liveness if row.live]
        idle = [row.stream for row in liveness if not row.live]
        if live:
            curs.execute(self.live_statement, [live], binary=True)
        if idle:
            curs.execute(self.idle_statement, [idle], binary=True)

    def _advance(self, curs: Cursor[DictRow], advances: Sequence[Advance]) -> None:
        if not advances:
            return
        columns = [list(column) for column in zip(*advances, strict=True)]
        curs.execute(self.advance_statement, columns, binary=True)
        if len(curs.fetchall()) != len(advances):  # In a pipeline rowcount is still -1 here.
            raise IntegrityError("a position moved: another owner was here")

    def _park(
        self, curs: Cursor[DictRow], parked: Sequence[Parked], unparked: Sequence[Parked]
    ) -> None:
        """Take away what waits no longer, then add what waits from now on."""
        for statement, rows in (
            (self.unpark_statement, [row[:2] for row in unparked]),
            (self.park_statement, list(parked)),
        ):
            if rows:
                columns = [list(column) for column in zip(*rows, strict=True)]
                curs.execute(statement, columns, binary=True)
                if len(curs.fetchall()) != len(rows):
                    raise IntegrityError("a parked fact moved: another owner was here")

    def _insert_stored_events(
        self, curs: Cursor[DictRow], stored_events: Sequence[StoredEvent], **_: Any
    ) -> None:
        rows = [(e.originator_id, e.originator_version, e.topic, e.state) for e in stored_events]
        columns = [list(column) for column in zip(*rows, strict=True)]
        curs.execute(self.insert_events_statement, columns, binary=True)
