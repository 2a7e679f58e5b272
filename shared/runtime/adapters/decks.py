"""Used decks and vault keys in PostgreSQL: a few rows, and one unique index for the platform.

The tables lie beside those that say which platform this is, whatever shards the dealer has.
"""

from collections.abc import Sequence
from typing import LiteralString

from shared.runtime.adapters.one_connection import OneConnection
from shared.runtime.decks import KeyUse, SealedKey

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


class PostgresDecks:
    """The port `UsedDecks`, and what operators do to vault keys."""

    def __init__(self, database_url: str, role: str = "") -> None:
        """Work as a role, or as the login where there is none."""
        self._database = OneConnection(database_url, "decks", role)

    async def vault_keys(self) -> list[KeyUse]:
        rows = await self._database.rows(KEYS)
        return [KeyUse(row["id"], row["since"], row["retired"]) for row in rows]

    async def use_key(self, key: str) -> None:
        await self._database.changed(USE_KEY, (key,))

    async def registry_key(self, offered: SealedKey) -> SealedKey:
        await self._database.changed(OFFER, offered)
        (row,) = await self._database.rows(REGISTRY_KEY)
        return SealedKey(row["vault_key"], bytes(row["box"]))

    async def seal_again(self, before: SealedKey, after: SealedKey) -> None:
        await self._database.changed(SEAL_AGAIN, (*after, *before))

    async def enter(self, decks: Sequence[bytes]) -> set[bytes]:
        rows = await self._database.rows(ENTER, (list(decks),))
        return {bytes(row["deck"]) for row in rows}

    async def claim(self, decks: Sequence[bytes], claims: Sequence[bytes]) -> set[bytes]:
        """Two statements: the second sees what another owner has written meanwhile."""
        await self._database.changed(CLAIM, (list(decks), list(claims)))
        rows = await self._database.rows(STANDING, (list(claims),))
        return {bytes(row["deck"]) for row in rows}

    async def sealing_key(self) -> str:
        """Return the vault key that the registry's key is sealed under, "" without one."""
        rows = await self._database.rows(REGISTRY_KEY)
        return str(rows[0]["vault_key"]) if rows else ""

    async def retire(self, key: str) -> bool:
        """Give up the hands of a vault key; say whether it was in use."""
        return await self._database.changed(RETIRE, (key,)) > 0

    async def forget_registry_key(self, key: str) -> None:
        """Drop the registry's key together with the vault key that it was sealed under."""
        await self._database.changed(FORGET, (key,))

    def close(self) -> None:
        """End the connection."""
        self._database.close()
