"""What a line has in PostgreSQL: its schema, made by the migrate step, and a log without gaps."""

from collections.abc import Sequence
from typing import LiteralString

import psycopg
from psycopg.sql import SQL, Identifier

from shared.runtime.adapters import read_model
from shared.runtime.adapters.datastore import datastore
from shared.runtime.adapters.recorder import EVENTS, LineRecorder
from shared.runtime.ports import Line, StartRefused

NUMBER_MAX = 2**63 - 1
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
        with datastore(database_url, schema_of(line), patient=True) as opened:
            LineRecorder(opened).create_table()
    with psycopg.connect(database_url, autocommit=True) as connection:
        for line in lines:
            read_model.make(connection, line, schema_of(line))
            check_whole(connection, line)


def check_whole(connection: psycopg.Connection, line: Line) -> None:
    """Raise StartRefused when a commit is missing anywhere in a log."""
    events = Identifier(schema_of(line), EVENTS)
    whole = connection.execute(SQL(IS_WHOLE).format(events=events)).fetchone()
    if whole == (True,):
        return
    query = SQL(MISSING).format(events=events)
    missing = connection.execute(query, {"newest": NUMBER_MAX}).fetchone()
    raise StartRefused(f"the log of {line} lacks its commit {missing[0] if missing else '?'}")


def schema_of(line: Line) -> str:
    """The PostgreSQL schema of a line, such as `table_0`."""
    return f"{line.service}_{line.shard}"
