"""The role that each service works as in PostgreSQL: it appends to its own log, and no more.

What was committed is changed by nobody: a service's role may not update, delete or truncate its
log, and sees no other service's schema at all. Roles belong to the whole cluster and hold no
password: production has a login for each service that is a member of its role and nothing else
(deploy/runbooks/database-roles.md). Whoever migrates owns the tables, and is none of them.
"""

from collections.abc import Mapping, Sequence
from contextlib import suppress
from typing import LiteralString

import psycopg
from psycopg.sql import SQL, Identifier

from shared.runtime.adapters.read_model import POSITION
from shared.runtime.adapters.recorder import (
    ALIVE,
    APPEND,
    EVENTS,
    LIVE,
    PARKED,
    POSITIONS,
    SNAPSHOTS,
)
from shared.runtime.adapters.schema import schema_of
from shared.runtime.ports import Line, StartRefused
from shared.runtime.read_models import READ_MODELS, ReadModel

RUNBOOK = "deploy/runbooks/database-roles.md"
PLATFORM = "platform"
LINE_TABLES: Mapping[str, LiteralString] = {
    EVENTS: "SELECT, INSERT",
    POSITIONS: "SELECT, INSERT, UPDATE",
    LIVE: "SELECT, INSERT, DELETE",
    PARKED: "SELECT, INSERT, DELETE",
    ALIVE: "SELECT, UPDATE",
    SNAPSHOTS: "SELECT, INSERT, UPDATE, DELETE",
}
PLATFORM_TABLES: Mapping[str, LiteralString] = {"deployment": "SELECT", "shards": "SELECT"}
OWN_PLATFORM_TABLES: Mapping[str, Mapping[str, LiteralString]] = {
    "dealer": {
        "used_decks": "SELECT, INSERT",
        "vault_keys": "SELECT, INSERT",
        "deck_registry": "SELECT, INSERT, UPDATE",
    },
    "wallet": {"person_keys": "SELECT, INSERT, UPDATE"},
}
LOCK: LiteralString = "SELECT pg_advisory_xact_lock(hashtext('rollforward roles'))"


def role_of(service: str) -> str:
    """Name the role of a service, such as `rollforward_wallet`."""
    return f"rollforward_{service}"


def grant(database_url: str, lines: Sequence[Line]) -> None:
    """Make the roles of these lines' services, and let each do exactly what it needs.

    Raise StartRefused where that would protect nothing, or the login may not make roles.
    """
    services = tuple(dict.fromkeys(line.service for line in lines))
    with psycopg.connect(database_url, autocommit=True) as connection:
        for service in services:
            make(connection, role_of(service))
        with connection.transaction():
            connection.execute(LOCK)  # PostgreSQL does not grant twice at once.
            for service in services:
                grant_platform(connection, service)
            for line in lines:
                grant_line(connection, line)


def make(connection: psycopg.Connection, role: str) -> None:
    """Make a role unless it is there, and let the login that makes it work as it."""
    login = connection.info.user
    if login == role:
        raise StartRefused(f"{role} would own the log that it must not change; see {RUNBOOK}")
    found = connection.execute(
        "SELECT rolsuper FROM pg_roles WHERE rolname = %s", (role,)
    ).fetchone()
    if found == (True,):
        raise StartRefused(f"{role} is a superuser, whom nothing stops; see {RUNBOOK}")
    if found:
        return
    name = {"role": Identifier(role)}
    try:
        with suppress(psycopg.errors.DuplicateObject, psycopg.errors.UniqueViolation):
            connection.execute(SQL("CREATE ROLE {role} NOLOGIN").format(**name))
            connection.execute(
                SQL("GRANT {role} TO CURRENT_USER WITH INHERIT FALSE, SET TRUE").format(**name)
            )
    except psycopg.errors.InsufficientPrivilege as error:
        raise StartRefused(
            f"{login} may not create the role {role}; an administrator has to: see {RUNBOOK}"
        ) from error


def grant_platform(connection: psycopg.Connection, service: str) -> None:
    """Let a service see which platform this is, and use the tables there that are its own."""
    granted = {**PLATFORM_TABLES, **OWN_PLATFORM_TABLES.get(service, {})}
    give(connection, role_of(service), PLATFORM, granted)


def grant_line(connection: psycopg.Connection, line: Line) -> None:
    """Let a service use its line's tables, and append to its log."""
    role, schema = role_of(line.service), schema_of(line)
    give(connection, role, schema, {**LINE_TABLES, **of_read_model(READ_MODELS.get(line.service))})
    connection.execute(
        SQL("GRANT EXECUTE ON FUNCTION {} TO {}").format(
            Identifier(schema, APPEND), Identifier(role)
        )
    )


def of_read_model(model: ReadModel | None) -> dict[str, LiteralString]:
    """Say what filling a read model needs; only an operator empties it."""
    if model is None:
        return {}
    tables: dict[str, LiteralString] = {
        table.name: "SELECT, INSERT, UPDATE" if table.newest else "SELECT, INSERT"
        for table in model.tables
    }
    return {**tables, POSITION: "SELECT, UPDATE"}


def give(
    connection: psycopg.Connection,
    role: str,
    schema: str,
    granted: Mapping[str, LiteralString],
) -> None:
    """Take all that was granted in a schema, and give what is needed."""
    names = {"role": Identifier(role), "schema": Identifier(schema)}
    connection.execute(
        SQL("REVOKE ALL ON ALL TABLES IN SCHEMA {schema} FROM {role}").format(**names)
    )
    connection.execute(SQL("GRANT USAGE ON SCHEMA {schema} TO {role}").format(**names))
    for table, privileges in granted.items():
        connection.execute(
            SQL("GRANT {what} ON {table} TO {role}").format(
                what=SQL(privileges), table=Identifier(schema, table), **names
            )
        )
