"""Payments and what is to be delivered: in a SQLite file that outlives us, or in memory."""

import sqlite3
from typing import NamedTuple

import msgspec

from services.provider.core import Due, Payment, ScenarioName

TABLES = (
    """CREATE TABLE IF NOT EXISTS payments
    (key TEXT PRIMARY KEY, reference TEXT NOT NULL UNIQUE, data BLOB NOT NULL)""",
    "CREATE TABLE IF NOT EXISTS chosen (key TEXT PRIMARY KEY, scenario TEXT NOT NULL)",
    """CREATE TABLE IF NOT EXISTS outbox
    (id INTEGER PRIMARY KEY, key TEXT NOT NULL, sequence INTEGER NOT NULL, due_ms INTEGER NOT NULL,
    tries INTEGER NOT NULL DEFAULT 0, delivered INTEGER NOT NULL DEFAULT 0)""",
    "CREATE INDEX IF NOT EXISTS waiting ON outbox (due_ms) WHERE NOT delivered",
)

decode = msgspec.json.Decoder(Payment).decode


class Waiting(NamedTuple):
    """One delivery that is due, and how often it was tried."""

    id: int
    key: str
    sequence: int
    tries: int


class Delivered(NamedTuple):
    """How one word fared."""

    sequence: int
    tries: int
    delivered: bool


class Store:
    """What the provider knows; every call is one transaction."""

    def __init__(self, path: str) -> None:
        self._db = sqlite3.connect(path or ":memory:")
        self._db.execute("PRAGMA journal_mode = WAL")
        self._db.execute("PRAGMA synchronous = FULL")
        with self._db:
            for table in TABLES:
                self._db.execute(table)

    def by_key(self, key: str) -> Payment | None:
        """Find a payment by the merchant's key."""
        return self._found("SELECT data FROM payments WHERE key = ?", key)

    def by_reference(self, reference: str) -> Payment | None:
        """Find a payment by the name that we gave it."""
        return self._found("SELECT data FROM payments WHERE reference = ?", reference)

    def _found(self, query: str, name: str) -> Payment | None:
        row = self._db.execute(query, (name,)).fetchone()
        return decode(row[0]) if row else None

    def keep(self, payment: Payment, dues: tuple[Due, ...]) -> None:
        """Write a payment as it is now, and what of it is to be delivered."""
        data = msgspec.json.encode(payment)
        with self._db:
            self._db.execute(
                "INSERT INTO payments (key, reference, data) VALUES (?, ?, ?)"
                " ON CONFLICT (key) DO UPDATE SET data = excluded.data",
                (payment.key, payment.reference, data),
            )
            self._db.executemany(
                "INSERT INTO outbox (key, sequence, due_ms) VALUES (?, ?, ?)",
                [(payment.key, due.sequence, due.at_ms) for due in dues],
            )

    def choose(self, key: str, scenario: ScenarioName) -> None:
        """Note which course a payment is to take that is not there yet."""
        with self._db:
            self._db.execute("INSERT OR REPLACE INTO chosen VALUES (?, ?)", (key, scenario))

    def chosen(self, key: str) -> ScenarioName | None:
        """Return the course that was chosen for a key."""
        row = self._db.execute("SELECT scenario FROM chosen WHERE key = ?", (key,)).fetchone()
        return msgspec.convert(row[0], ScenarioName) if row else None

    def due(self, at_ms: int, limit: int) -> list[Waiting]:
        """Return what is to be delivered by now, the oldest first."""
        rows = self._db.execute(
            "SELECT id, key, sequence, tries FROM outbox WHERE NOT delivered AND due_ms <= ?"
            " ORDER BY due_ms, id LIMIT ?",
            (at_ms, limit),
        )
        return [Waiting(*row) for row in rows]

    def note(self, waiting: Waiting, *, delivered: bool, again_ms: int) -> None:
        """Write how a try came out, and when the next one is."""
        with self._db:
            self._db.execute(
                "UPDATE outbox SET tries = tries + 1, delivered = ?, due_ms = ? WHERE id = ?",
                (delivered, again_ms, waiting.id),
            )

    def deliveries(self, key: str) -> list[Delivered]:
        """Return how the words on a payment fare."""
        rows = self._db.execute(
            "SELECT sequence, tries, delivered FROM outbox WHERE key = ? ORDER BY id", (key,)
        )
        return [Delivered(sequence, tries, bool(done)) for sequence, tries, done in rows]

    def close(self) -> None:
        """Let go of the file."""
        self._db.close()
