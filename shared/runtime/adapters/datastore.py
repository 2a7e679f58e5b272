"""Connections to PostgreSQL: a small pool a line, quick to notice what is dead or away."""

import select
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any

from eventsourcing.persistence import OperationalError, PersistenceError
from eventsourcing.postgres import PostgresDatastore
from psycopg import Connection
from psycopg.conninfo import conninfo_to_dict
from psycopg.rows import DictRow
from psycopg_pool import PoolTimeout

from shared.runtime.adapters.connection import take_role

IDLE_IN_TRANSACTION_SECONDS = 2
TRANSACTION_MS = 3_000
CONNECT_SECONDS = 2.0
PATIENT_CONNECT_SECONDS = 30.0
GIVE_UP_SECONDS = 1.0  # A pool that waits longer between its tries outlasts the outage.
DEAD_PEER_MS = 10_000


class Away(PersistenceError):
    """No connection could be had; not among the errors that the stock recorder tries ten times.

    Each of those tries would wait in vain again, and hold up the one writer for half a minute. A
    connection that broke is worth the next try: it tells whether the last one was committed.
    """


class Datastore(PostgresDatastore):
    """The pool, opened by its first use: an owner starts before its database when it must."""

    def __init__(self, role: str, **given: Any) -> None:
        """Every connection works as this role, or as the login where there is none."""
        self._role = role
        super().__init__(**given)

    def after_connect_func(self) -> Callable[[Connection[Any]], None]:
        role, prepare = self._role, super().after_connect_func()

        def after_connect(connection: Connection[Any]) -> None:
            prepare(connection)
            take_role(connection, role)

        return after_connect

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
            raise Away("the server closes every connection")
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
    database_url: str, schema: str, role: str = "", *, patient: bool = False
) -> PostgresDatastore:
    """Open a small pool on one schema; what else the DSN says, such as `sslmode`, holds too.

    Frozen within a transaction, an owner would block its successor: in a pipeline PostgreSQL's
    time-out for idle transactions does not count, the one for whole transactions does. A patient
    one is no owner's: it may take its time, and waits for a server that is busy.
    """
    connect_seconds = PATIENT_CONNECT_SECONDS if patient else CONNECT_SECONDS
    parts = {key: str(value) for key, value in conninfo_to_dict(database_url).items()}
    opened = Datastore(
        role,
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
        connect_timeout=connect_seconds,
    )
    given = opened.pool.kwargs
    assert isinstance(given, dict)
    options = f"{given.get('options', '')} {parts.get('options', '')}"
    limit = f"-c transaction_timeout={0 if patient else TRANSACTION_MS}"
    given |= {
        "connect_timeout": round(connect_seconds),  # Else a try lasts two minutes.
        "tcp_user_timeout": DEAD_PEER_MS,
        **parts,
        "options": f"{options} {limit}".strip(),
    }
    opened.pool.reconnect_timeout = connect_seconds if patient else GIVE_UP_SECONDS
    return opened
