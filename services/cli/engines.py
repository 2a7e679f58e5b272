"""The engines of a local run: those that the environment names, else embedded ones."""

import os
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path
from typing import NamedTuple

from shared.runtime.adapters.engines import nats_server, postgres


class Engines(NamedTuple):
    """Where PostgreSQL and NATS are."""

    database_url: str
    nats_url: str


@contextmanager
def engines(home: Path | None) -> Iterator[Engines]:
    """Use `$DATABASE_URL` and `$NATS_URL` where set; embedded engines keep their data in `home`.

    Without a home they are thrown away at the end.
    """
    with ExitStack() as stack:
        database_url = os.environ.get("DATABASE_URL") or stack.enter_context(
            postgres(home and home / "postgres")
        )
        nats_url = os.environ.get("NATS_URL") or stack.enter_context(
            nats_server(home and home / "nats")
        )
        yield Engines(database_url, nats_url)
