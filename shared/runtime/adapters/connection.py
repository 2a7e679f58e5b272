"""A connection to PostgreSQL that does not wait for ever.

Where packets vanish, or a proxy on the way stands still, nothing ever says that the server is
gone: the kernel gives up after minutes, or never. The library waits with it, and with the one
writer thread the whole process.
"""

import time
from typing import Any, TypeVar

import psycopg
from psycopg.abc import PQGen
from psycopg.rows import DictRow
from psycopg.sql import SQL, Identifier

SILENCE_SECONDS = 4.0  # The server ends a transaction of ours before that.

T = TypeVar("T")


def take_role(connection: psycopg.Connection[Any], role: str) -> None:
    """Work as a role from now on, or as the login where there is none.

    A statement, not an option of the connection: a pooler may leave options out, unasked.
    """
    if role:
        connection.execute(SQL("SET ROLE {}").format(Identifier(role)))


class Impatient(psycopg.Connection[DictRow]):
    """Gives up a server that says nothing for a while in the middle of an exchange."""

    def wait(self, gen: PQGen[T], interval: float = 0.1, timeout: float | None = None) -> T:
        return super().wait(self._listening(gen), interval, timeout)

    def _listening(self, gen: PQGen[T]) -> PQGen[T]:
        """Pass on what comes; a silence closes the connection, so that nobody uses it again."""
        heard = time.monotonic()
        try:
            wanted = next(gen)
            while True:
                ready = yield wanted
                now = time.monotonic()
                if ready:
                    heard = now
                elif now - heard > SILENCE_SECONDS:
                    self.close()
                    raise psycopg.OperationalError(
                        f"PostgreSQL has said nothing for {SILENCE_SECONDS:.0f} s"
                    )
                wanted = gen.send(ready)
        except StopIteration as end:
            found: T = end.value
            return found
