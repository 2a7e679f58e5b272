"""The recorder of one line: eventsourcing's, which makes its tables, and another way to write them.

How it writes, and why, is told in `appending.py`. Nobody is notified, since the relay is woken in
the owner's process.
"""

from collections.abc import Sequence
from typing import Any
from zlib import crc32

from eventsourcing.persistence import InterfaceError, OperationalError
from eventsourcing.postgres import PostgresDatastore, PostgresProcessRecorder
from eventsourcing.utils import retry
from psycopg import Connection
from psycopg.rows import DictRow
from psycopg.sql import SQL, Composed, Identifier, Literal

from shared.runtime.adapters import appending
from shared.runtime.adapters.appending import COMMIT_COLUMNS
from shared.runtime.ports import Advance, Liveness, NewCommit, Parked

EVENTS = "commits"
POSITIONS = "positions"
LIVE = "live_streams"
PARKED = "parked"
ALIVE = "alive"
SNAPSHOTS = "snapshots"
APPEND = "append"


class LineRecorder(PostgresProcessRecorder):
    """Appends commits, positions, liveness and parked facts of one line in one transaction."""

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
            "append": Identifier(schema, APPEND),
        }
        key = Literal(crc32(f"{schema}.{EVENTS}".encode()))
        self._commits = SQL(appending.COMMITS).format(**names)
        self._all = SQL(appending.ALL).format(**names)
        self.sql_create_statements += self._tables(names)
        self.sql_create_statements.append(SQL(appending.CREATE).format(key=key, **names))

    @retry((InterfaceError, OperationalError), max_attempts=10, wait=0.2)
    def append(
        self,
        commits: Sequence[NewCommit],
        advances: Sequence[Advance] = (),
        liveness: Sequence[Liveness] = (),
        parked: Sequence[Parked] = (),
        unparked: Sequence[Parked] = (),
    ) -> int:
        """Write all of it or nothing; return the log's last number.

        A connection that broke is worth another try: it tells whether the last one was committed.
        Raise IntegrityError when something of it is there already, or has moved.
        """
        values = appending.values_of(commits, advances, liveness, parked, unparked)
        with self.datastore.get_connection() as connection:
            return self.called(connection, values)

    def called(self, connection: Connection[DictRow], values: list[list[Any]]) -> int:
        """Call the function that writes, in a transaction of its own unless there is one."""
        statement = self._commits if len(values) == COMMIT_COLUMNS else self._all
        row = connection.execute(statement, values, prepare=True, binary=True).fetchone()
        assert row is not None
        return int(row["last_number"])

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
