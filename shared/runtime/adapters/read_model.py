"""Read models in PostgreSQL: tables beside a line's log, with the position that is in them."""

from collections.abc import Iterable, Mapping, Sequence
from hashlib import sha256
from typing import Any, LiteralString

import psycopg
from psycopg.sql import SQL, Composed, Identifier

from shared.runtime.adapters.connection import Impatient
from shared.runtime.adapters.one_connection import OneConnection
from shared.runtime.adapters.recorder import EVENTS
from shared.runtime.ports import Conflict, Line, StoreUnavailable
from shared.runtime.projection import Contradicted, Row, Rows
from shared.runtime.read_models import READ_MODELS, ReadModel, Table

POSITION = "read_model"
CREATE_POSITION: LiteralString = (
    "CREATE TABLE IF NOT EXISTS {read_model} (one boolean PRIMARY KEY CHECK (one),"
    " version text NOT NULL, reached bigint NOT NULL)"
)
FIND: LiteralString = "SELECT version, reached FROM {read_model}"
BEGIN_ANEW: LiteralString = (
    "INSERT INTO {read_model} VALUES (true, %s, 0)"
    " ON CONFLICT (one) DO UPDATE SET version = excluded.version, reached = 0"
)
ADVANCE: LiteralString = (
    "UPDATE {read_model} SET reached = %s WHERE version = %s AND reached = %s RETURNING reached"
)
ONE_MOMENT: LiteralString = "SET TRANSACTION ISOLATION LEVEL REPEATABLE READ, READ ONLY"

Names = Mapping[str, Identifier]


class PostgresTables:
    """The port `Tables` of one line."""

    def __init__(self, database_url: str, schema: str, model: ReadModel, role: str = "") -> None:
        """Work as a role, or as the login where there is none."""
        self._database = OneConnection(database_url, "read-model", role)
        self._version = version_of(model)
        self._names = names_in(schema, model)
        self._tables = {table.name: table for table in model.tables}
        self._inserts = {table.name: insert_into(table, self._names) for table in model.tables}

    async def reached(self) -> int:
        rows = await self._database.run(
            lambda connection: connection.execute(SQL(FIND).format(**self._names)).fetchall()
        )
        if not rows or rows[0]["version"] != self._version:
            raise StoreUnavailable("the read model was made for another build: migrate")
        return int(rows[0]["reached"])

    async def write(self, expected: int, reached: int, rows: Rows) -> None:
        columns = {
            name: columns_of(merged(self._tables[name], made))
            for name, made in rows.items()
            if made
        }

        def written(connection: Impatient) -> None:
            try:
                with connection.pipeline(), connection.transaction():
                    advance = SQL(ADVANCE).format(**self._names)
                    moved = connection.execute(advance, (reached, self._version, expected))
                    for name, given in columns.items():
                        connection.execute(self._inserts[name], given, binary=True)
                    if not moved.fetchall():
                        raise Conflict("another owner was here, or the tables were emptied")
            except psycopg.IntegrityError as error:
                raise Contradicted(told(error)) from error

        await self._database.run(written)

    async def select(
        self, query: LiteralString, values: Mapping[str, Any], number: int
    ) -> list[dict[str, Any]]:
        composed = SQL(query).format(**self._names)
        position = SQL(FIND).format(**self._names)

        def read(connection: Impatient) -> list[dict[str, Any]]:
            with connection.pipeline(), connection.transaction():
                connection.execute(ONE_MOMENT)
                found = connection.execute(position)
                rows = connection.execute(composed, values, prepare=True)
                if any(row["reached"] < number for row in found.fetchall()):
                    raise Conflict("the tables were emptied")
                return rows.fetchall()

        return await self._database.run(read)

    def close(self) -> None:
        """End the connection."""
        self._database.close()


def make(connection: psycopg.Connection, line: Line, schema: str) -> None:
    """Make a line's read model, anew and empty where it was made for another build."""
    model = READ_MODELS.get(line.service)
    if model is None:
        return
    names, version = names_in(schema, model), version_of(model)
    with connection.transaction():
        connection.execute(SQL(CREATE_POSITION).format(**names))
        found = connection.execute(SQL(FIND).format(**names)).fetchone()
        if found is not None and found[0] == version:
            return
        for table in model.tables:
            connection.execute(SQL("DROP TABLE IF EXISTS {}").format(names[table.name]))
            connection.execute(create(table, names))
        connection.execute(SQL(BEGIN_ANEW).format(**names), (version,))


def empty(connection: psycopg.Connection, line: Line, schema: str) -> int:
    """Empty a line's read model, so that its owner fills it again; return how far it had come.

    The position goes first: an owner that is just writing is waited for, and writes no more.
    """
    model = READ_MODELS[line.service]
    names = names_in(schema, model)
    with connection.transaction():
        found = connection.execute(SQL(f"{FIND} FOR UPDATE").format(**names)).fetchone()
        connection.execute(SQL(BEGIN_ANEW).format(**names), (version_of(model),))
        for table in model.tables:
            connection.execute(SQL("TRUNCATE {}").format(names[table.name]))
    return int(found[1]) if found else 0


def names_in(schema: str, model: ReadModel) -> dict[str, Identifier]:
    """Return what queries name in braces."""
    tables = (POSITION, EVENTS, *[table.name for table in model.tables])
    return {name: Identifier(schema, name) for name in tables}


def version_of(model: ReadModel) -> str:
    """Fingerprint a read model: tables that look or are filled otherwise are another's."""
    return sha256(repr(model).encode()).hexdigest()[:16]


def create(table: Table, names: Names) -> Composed:
    """Write the statement that makes a table; names are in an order that no locale changes."""
    columns = [
        SQL("{} {} NOT NULL").format(
            Identifier(name), SQL('text COLLATE "C"' if kind == "text" else "bigint")
        )
        for name, kind in table.columns.items()
    ]
    return SQL("CREATE TABLE {} ({}, PRIMARY KEY ({}), CHECK ({}))").format(
        names[table.name], SQL(", ").join(columns), listed(table.key), SQL(table.check)
    )


def insert_into(table: Table, names: Names) -> Composed:
    """Write the statement that adds rows, given as an array a column.

    What sums up is summed before it is written: a condition is looked at before a conflict is.
    """
    arrays = [
        SQL("%b::text[]" if kind == "text" else "%b::int8[]") for kind in table.columns.values()
    ]
    given = SQL("unnest({}) AS given ({})").format(SQL(", ").join(arrays), listed(table.columns))
    if not table.newest:
        return SQL("INSERT INTO {} SELECT * FROM {}").format(names[table.name], given)
    later = [name for name in table.columns if name not in table.key]
    return SQL(
        "INSERT INTO {table} SELECT {values} FROM {given} LEFT JOIN {table} AS there USING ({key})"
        " ON CONFLICT ({key}) DO UPDATE SET {later}"
    ).format(
        table=names[table.name],
        values=SQL(", ").join([value_of(table, name) for name in table.columns]),
        given=given,
        key=listed(table.key),
        later=SQL(", ").join([SQL("{0} = excluded.{0}").format(Identifier(n)) for n in later]),
    )


def value_of(table: Table, column: str) -> Composed:
    """Write what a column gets: what is given, with what is there already where it sums up."""
    name = Identifier(column)
    if column in table.sums:
        return SQL("given.{0} + coalesce(there.{0}, 0)").format(name)
    return SQL("given.{}").format(name)


def listed(columns: Iterable[str]) -> Composed:
    return SQL(", ").join([Identifier(column) for column in columns])


def merged(table: Table, rows: Sequence[Row]) -> Sequence[Row]:
    """Leave one row a key where only the newest counts: a statement meets each key once."""
    if not table.newest:
        return rows
    names = list(table.columns)
    key = [names.index(column) for column in table.key]
    sums = [names.index(column) for column in table.sums]
    found: dict[tuple[int | str, ...], Row] = {}
    for row in rows:
        name = tuple([row[place] for place in key])
        found[name] = added(found[name], row, sums) if name in found else row
    return list(found.values())


def added(before: Row, row: Row, sums: Sequence[int]) -> Row:
    """Return a row with what stood in the columns that sum up added to it."""
    values = list(row)
    for place in sums:
        values[place] = int(values[place]) + int(before[place])
    return tuple(values)


def columns_of(rows: Sequence[Row]) -> list[list[int | str]]:
    return [list(column) for column in zip(*rows, strict=True)]


def told(error: psycopg.Error) -> str:
    """Say which condition a row breaks, and which row that is."""
    return f"{error.diag.message_primary}: {error.diag.message_detail}"
