"""The stores of lines as tools open them: one command, one answer, no line that waits behind it."""

from collections.abc import Iterable, Iterator
from contextlib import contextmanager

from shared.runtime.adapters.postgres import PostgresStore, Threads
from shared.runtime.ports import Line


@contextmanager
def patient_stores(database_url: str, lines: Iterable[Line]) -> Iterator[dict[Line, PostgresStore]]:
    """Open the stores of lines for the length of a block; a busy server is waited for."""
    threads = Threads()
    stores = {line: PostgresStore(database_url, line, threads, patient=True) for line in lines}
    try:
        yield stores
    finally:
        for store in stores.values():
            store.close()
        threads.close()
