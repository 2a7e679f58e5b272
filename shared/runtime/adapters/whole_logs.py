"""All logs of a platform as they stand at one moment, for those who judge them.

Lines name each other's commits; read one after the other while a platform plays, they would
contradict each other. One snapshot of the database does not.
"""

from collections.abc import Mapping, Sequence
from typing import LiteralString

import psycopg
from psycopg.sql import SQL, Identifier

from shared.contracts.edge import LogRow
from shared.runtime.adapters.recorder import EVENTS
from shared.runtime.adapters.schema import schema_of
from shared.runtime.ports import Line, StoreUnavailable

ONE_MOMENT: LiteralString = "SET TRANSACTION ISOLATION LEVEL REPEATABLE READ, READ ONLY"
ALL_ROWS: LiteralString = (
    "SELECT notification_id, originator_id, originator_version, topic, state FROM {}"
    " WHERE notification_id > %s ORDER BY notification_id"
)
CONNECT_SECONDS = 2


def read_logs(
    database_url: str, lines: Sequence[Line], after: Mapping[Line, int] | None = None
) -> dict[Line, list[LogRow]]:
    """Read the logs of all lines in one snapshot, from the start or behind a number of each.

    Raise StoreUnavailable.
    """
    begin = after or {}
    try:
        with psycopg.connect(database_url, connect_timeout=CONNECT_SECONDS) as connection:
            connection.execute(ONE_MOMENT)
            return {line: read_log(connection, line, begin.get(line, 0)) for line in lines}
    except psycopg.Error as error:
        raise StoreUnavailable(str(error).strip()) from error


def read_log(connection: psycopg.Connection, line: Line, after: int) -> list[LogRow]:
    """Read one log behind a number."""
    query = SQL(ALL_ROWS).format(Identifier(schema_of(line), EVENTS))
    return [LogRow(*row) for row in connection.execute(query, (after,))]


def has_commits(database_url: str, line: Line) -> bool:
    """Say whether a line has a log with anything in it; raise StoreUnavailable."""
    query = SQL("SELECT EXISTS (SELECT FROM {})").format(Identifier(schema_of(line), EVENTS))
    try:
        with psycopg.connect(database_url, connect_timeout=CONNECT_SECONDS) as connection:
            row = connection.execute(query).fetchone()
    except (psycopg.errors.UndefinedTable, psycopg.errors.InvalidSchemaName):
        return False
    except psycopg.Error as error:
        raise StoreUnavailable(str(error).strip()) from error
    return row == (True,)
