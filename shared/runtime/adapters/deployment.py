"""Which platform a database holds, and how many shards each service has: written once, for good.

A stream's shard follows from the number of shards, so another number would look for it elsewhere.
"""

from collections import Counter
from collections.abc import Mapping, Sequence
from uuid import uuid4

import psycopg

from shared.runtime.adapters import decks, person_keys, roles, schema
from shared.runtime.adapters.connection import take_role
from shared.runtime.ports import Deployment, Line, StartRefused, StoreUnavailable

CONNECT_SECONDS = 2
CREATE = (
    "CREATE SCHEMA IF NOT EXISTS platform",
    *decks.CREATE,
    *person_keys.CREATE,
    "CREATE TABLE IF NOT EXISTS platform.deployment (one boolean PRIMARY KEY, id text NOT NULL)",
    "CREATE TABLE IF NOT EXISTS platform.shards (service text PRIMARY KEY, count int NOT NULL)",
)


class NotMigrated(StoreUnavailable):
    """The database holds no platform yet: the migrate step has not come by."""


def migrate(database_url: str, lines: Sequence[Line]) -> None:
    """Write down what this platform is and create what its lines need; harmless when done before.

    Raise StartRefused when a service was divided otherwise before, or the roles that services work
    as cannot be made.
    """
    with psycopg.connect(database_url) as connection:
        for statement in CREATE:
            connection.execute(statement)
        connection.execute(
            "INSERT INTO platform.deployment VALUES (true, %s) ON CONFLICT DO NOTHING",
            (f"dep_{uuid4().hex[:16]}",),
        )
        for service, count in Counter(line.service for line in lines).items():
            connection.execute(
                "INSERT INTO platform.shards VALUES (%s, %s) ON CONFLICT DO NOTHING",
                (service, count),
            )
        compare(stored(connection).shards, Counter(line.service for line in lines))
    schema.migrate(database_url, lines)
    roles.grant(database_url, lines)


def check(database_url: str, service: str, shards: Mapping[str, int]) -> Deployment:
    """Return the platform that a database holds.

    Raise StoreUnavailable when it cannot be read, NotMigrated when it is not there yet, and
    StartRefused when the login may not work as the service's role, or a service has another number
    of shards than the settings say.
    """
    try:
        with psycopg.connect(database_url, connect_timeout=CONNECT_SECONDS) as connection:
            become(connection, service)
            found = stored(connection)
    except (
        psycopg.errors.UndefinedTable,
        psycopg.errors.InvalidSchemaName,
        psycopg.errors.InsufficientPrivilege,
    ) as error:
        raise NotMigrated("the migrate step has not been run") from error
    except psycopg.Error as error:
        raise StoreUnavailable(str(error).strip()) from error
    if service not in found.shards:
        raise NotMigrated(f"the migrate step has not been run for {service}")
    compare(found.shards, shards)
    return found


def become(connection: psycopg.Connection, service: str) -> None:
    """Work as a service's role; raise NotMigrated without one, StartRefused when we may not."""
    role = roles.role_of(service)
    try:
        take_role(connection, role)
    except psycopg.errors.InvalidParameterValue as error:
        raise NotMigrated(f"the migrate step has not made the role {role}") from error
    except psycopg.errors.InsufficientPrivilege as error:
        raise StartRefused(
            f"{connection.info.user} may not work as {role}: see {roles.RUNBOOK}"
        ) from error


def stored(connection: psycopg.Connection) -> Deployment:
    """Read what the migrate step has written."""
    row = connection.execute("SELECT id FROM platform.deployment").fetchone()
    if row is None:
        raise NotMigrated("the migrate step has not been run")
    counts = connection.execute("SELECT service, count FROM platform.shards ORDER BY service")
    return Deployment(row[0], dict(counts.fetchall()))


def compare(found: Mapping[str, int], given: Mapping[str, int]) -> None:
    """Raise StartRefused at the first service that is divided otherwise than the settings say."""
    for service, count in given.items():
        if found.get(service, count) != count:
            raise StartRefused(
                f"the settings say {count} shards for {service}, the database was made for"
                f" {found[service]}; the number cannot be changed"
            )
