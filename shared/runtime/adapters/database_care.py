"""A platform's database as an operator finds it: which platform it is, and a new name for it.

Also what lies in it under which vault key.
"""

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from typing import LiteralString, NamedTuple
from uuid import uuid4

import psycopg
from psycopg.sql import SQL, Identifier

from shared.runtime.adapters import read_model
from shared.runtime.adapters.deployment import CONNECT_SECONDS, NotMigrated, stored
from shared.runtime.adapters.recorder import EVENTS
from shared.runtime.adapters.schema import schema_of
from shared.runtime.ports import Deployment, Line, StoreUnavailable

HANDS_SEALED: LiteralString = """SELECT key, count(*), max(at) FROM (
    SELECT substring(convert_from(state, 'UTF8') FROM '"vault_key":"([a-z0-9_]+)"') AS key,
    substring(convert_from(state, 'UTF8') FROM '"at":"([^"]+)"') AS at
    FROM {} WHERE position('"type":"dealer.deck-committed.'::bytea IN state) > 0
    ) AS sealed GROUP BY key"""


class HandsSealed(NamedTuple):
    """How many hands were dealt under a vault key, and when the last one was."""

    key: str
    hands: int
    last_at: str


def read(database_url: str) -> Deployment:
    """Return the platform that a database holds; raise StoreUnavailable or NotMigrated."""
    with opened(database_url) as connection:
        return stored(connection)


def renew(database_url: str) -> Deployment:
    """Give the platform of a restored database a name of its own, and return it.

    The processes of the database that it was restored from then cannot share a NATS with its
    own: either refuses the other's leases.
    """
    with opened(database_url) as connection:
        name = f"dep_{uuid4().hex[:16]}"
        connection.execute("UPDATE platform.deployment SET id = %s", (name,))
        return stored(connection)


def hands_sealed(database_url: str, lines: Sequence[Line]) -> dict[str, HandsSealed]:
    """Count the hands of the dealer's lines by vault key; this reads whole logs."""
    found: dict[str, HandsSealed] = {}
    with opened(database_url) as connection:
        for line in lines:
            query = SQL(HANDS_SEALED).format(Identifier(schema_of(line), EVENTS))
            for key, hands, last_at in connection.execute(query):
                before = found.get(key, HandsSealed(key, 0, ""))
                found[key] = HandsSealed(key, before.hands + hands, max(before.last_at, last_at))
    return found


def empty_read_model(database_url: str, line: Line) -> int:
    """Empty what a line's read model holds, for its owner to fill it again.

    Return how many commits were in it.
    """
    with opened(database_url) as connection:
        return read_model.empty(connection, line, schema_of(line))


@contextmanager
def opened(database_url: str) -> Iterator[psycopg.Connection]:
    """Connect for one transaction; what goes wrong becomes what the callers promise."""
    try:
        with psycopg.connect(database_url, connect_timeout=CONNECT_SECONDS) as connection:
            yield connection
    except (psycopg.errors.UndefinedTable, psycopg.errors.InvalidSchemaName) as error:
        raise NotMigrated("the migrate step has not been run") from error
    except psycopg.Error as error:
        raise StoreUnavailable(str(error).strip()) from error
