"""Used decks and vault keys in PostgreSQL: a few rows, and one unique index for the platform.

The tables lie beside those that say which platform this is, whatever shards the dealer has. One
thread with one connection: a group of decks is one statement, and nothing else is in a hurry.
"""

import asyncio
from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from typing import Any, LiteralString, TypeVar

import psycopg
from psycopg.conninfo import conninfo_to_dict, make_conninfo
from psycopg.rows import dict_row

from shared.runtime.adapters.connection import Impatient
from shared.runtime.decks import KeyUse, SealedKey
from shared.runtime.ports import StoreUnavailable

CONNECT_SECONDS = 2
STATEMENT_MS = 3_000
CREATE: tuple[LiteralString, ...] = (
    "CREATE TABLE IF NOT EXISTS platform.used_decks (deck bytea PRIMARY KEY)",
    """CREATE TABLE IF NOT EXISTS platform.vault_keys (id text PRIMARY KEY,
    first_used timestamptz NOT NULL DEFAULT now(), retired timestamptz)""",
    """CREATE TABLE IF NOT EXISTS platform.deck_registry (one boolean PRIMARY KEY,
    vault_key text NOT NULL, box bytea NOT NULL)""",
)
KEYS: LiteralString = (
    "SELECT id, to_char(first_used AT TIME ZONE 'UTC', 'YYYY-MM-DD') AS since,"
    " retired IS NOT NULL AS retired FROM platform.vault_keys ORDER BY first_used, id"
)
USE_KEY: LiteralString = "INSERT INTO platform.vault_keys (id) VALUES (%s) ON CONFLICT DO NOTHING"
RETIRE: LiteralString = (
    "UPDATE platform.vault_keys SET retired = now() WHERE id = %s AND retired IS NULL"
)
OFFER: LiteralString = (
    "INSERT INTO platform.deck_registry VALUES (true, %s, %b) ON CONFLICT DO NOTHING"
)
REGISTRY_KEY: LiteralString = "SELECT vault_key, box FROM platform.deck_registry"
SEAL_AGAIN: LiteralString = (
    "UPDATE platform.deck_registry SET vault_key = %s, box = %b WHERE vault_key = %s AND box = %b"
)
FORGET: LiteralString = "DELETE FROM platform.deck_registry WHERE vault_key = %s"
ENTER: LiteralString = (
    "INSERT INTO platform.used_decks SELECT unnest(%b::bytea[]) ON CONFLICT DO NOTHING"
    " RETURNING deck"
)
CLAIM: LiteralString = (
    "WITH asked AS (SELECT DISTINCT ON (deck) deck, claim"
    " FROM unnest(%b::bytea[], %b::bytea[]) AS given (deck, claim)),"
    " news AS (INSERT INTO platform.used_decks SELECT deck FROM asked"
    " ON CONFLICT DO NOTHING RETURNING deck)"
    " INSERT INTO platform.used_decks SELECT claim FROM asked JOIN news USING (deck)"
    " ON CONFLICT DO NOTHING"
)
STANDING: LiteralString = "SELECT deck FROM platform.used_decks WHERE deck = ANY(%b::bytea[])"

Rows = list[dict[str, Any]]
T = TypeVar("T")


class PostgresDecks:
    """The port `UsedDecks`, and what operators do to vault keys."""

    def __init__(self, database_url: str) -> None:
        self._given = {k: str(v) for k, v in conninfo_to_dict(database_url).items()}
        self._thread = ThreadPoolExecutor(1, "decks")
        self._connection: Impatient | None = None

    async def vault_keys(self) -> list[KeyUse]:
        rows = await self._in_thread(lambda: self._rows(KEYS))
        return [KeyUse(row["id"], row["since"], row["retired"]) for row in rows]

    async def use_key(self, key: str) -> None:
        await self._in_thread(lambda: self._changed(USE_KEY, (key,)))

    async def registry_key(self, offered: SealedKey) -> SealedKey:
        await self._in_thread(lambda: self._changed(OFFER, offered))
        (row,) = await self._in_thread(lambda: self._rows(REGISTRY_KEY))
        return SealedKey(row["vault_key"], bytes(row["box"]))

    async def seal_again(self, before: SealedKey, after: SealedKey) -> None:
        await self._in_thread(lambda: self._changed(SEAL_AGAIN, (*after, *before)))

    async def enter(self, decks: Sequence[bytes]) -> set[bytes]:
        rows = await self._in_thread(lambda: self._rows(ENTER, (list(decks),)))
        return {bytes(row["deck"]) for row in rows}

    async def claim(self, decks: Sequence[bytes], claims: Sequence[bytes]) -> set[bytes]:
        """Two statements: the second sees what another owner has written meanwhile."""
        await self._in_thread(lambda: self._changed(CLAIM, (list(decks), list(claims))))
        rows = await self._in_thread(lambda: self._rows(STANDING, (list(claims),)))
        return {bytes(row["deck"]) for row in rows}

    async def sealing_key(self) -> str:
        """Return the vault key that the registry's key is sealed under, "" without one."""
        rows = await self._in_thread(lambda: self._rows(REGISTRY_KEY))
        return str(rows[0]["vault_key"]) if rows else ""

    async def retire(self, key: str) -> bool:
        """Give up the hands of a vault key; say whether it was in use."""
        return await self._in_thread(lambda: self._changed(RETIRE, (key,))) > 0

    async def forget_registry_key(self, key: str) -> None:
        """Drop the registry's key together with the vault key that it was sealed under."""
        await self._in_thread(lambda: self._changed(FORGET, (key,)))

    def close(self) -> None:
        """End the thread, and with it the connection."""
        self._thread.shutdown()
        if self._connection is not None:
            self._connection.close()

    async def _in_thread(self, work: Callable[[], T]) -> T:
        loop = asyncio.get_running_loop()
        try:
            return await loop.run_in_executor(self._thread, work)
        except (psycopg.errors.UndefinedTable, psycopg.errors.InvalidSchemaName) as error:
            raise StoreUnavailable("the migrate step has not been run") from error
        except psycopg.Error as error:
            raise StoreUnavailable(str(error).strip()) from error

    def _rows(self, query: LiteralString, values: Sequence[object] = ()) -> Rows:
        return self._connected().execute(query, values, prepare=True).fetchall()

    def _changed(self, query: LiteralString, values: Sequence[object]) -> int:
        return self._connected().execute(query, values).rowcount

    def _connected(self) -> Impatient:
        """Return the connection; one that broke is made again by the next who asks."""
        if self._connection is None or self._connection.closed:
            options = f"{self._given.get('options', '')} -c statement_timeout={STATEMENT_MS}"
            given = {**self._given, "options": options.strip()}
            given.setdefault("connect_timeout", str(CONNECT_SECONDS))
            self._connection = Impatient.connect(
                make_conninfo("", **given), autocommit=True, row_factory=dict_row
            )
        return self._connection
