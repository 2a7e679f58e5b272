"""The keys of persons in PostgreSQL: a table beside the logs, and in none of them.

A key is made when somebody is sealed for the first time. One that is destroyed leaves its row
without a key, so that nobody makes another for this player.
"""

from collections.abc import Mapping, Sequence
from typing import LiteralString

from shared.runtime.adapters.one_connection import OneConnection, Rows
from shared.runtime.person_keys import PersonKey

CREATE: tuple[LiteralString, ...] = (
    """CREATE TABLE IF NOT EXISTS platform.person_keys (player text PRIMARY KEY,
    key bytea CHECK (octet_length(key) = 32))""",
)
FIND: LiteralString = "SELECT player, key FROM platform.person_keys WHERE player = ANY(%s::text[])"
OFFER: LiteralString = (
    "INSERT INTO platform.person_keys SELECT * FROM unnest(%s::text[], %b::bytea[])"
    " ON CONFLICT DO NOTHING"
)
DESTROY: LiteralString = (
    "INSERT INTO platform.person_keys AS held SELECT unnest(%s::text[]), NULL"
    " ON CONFLICT (player) DO UPDATE SET key = NULL WHERE held.key IS NOT NULL"
)


class PostgresPersonKeys:
    """The port `PersonKeys`."""

    def __init__(self, database_url: str, role: str = "") -> None:
        self._database = OneConnection(database_url, "person-keys", role)

    async def find(self, players: Sequence[str]) -> dict[str, PersonKey]:
        return by_player(await self._database.rows(FIND, (list(players),)))

    async def obtain(self, offered: Mapping[str, bytes]) -> dict[str, PersonKey]:
        """Two statements: the second sees what another owner has made meanwhile."""
        players = sorted(offered)
        await self._database.changed(OFFER, (players, [offered[player] for player in players]))
        return await self.find(players)

    async def destroy(self, players: Sequence[str]) -> None:
        await self._database.changed(DESTROY, (sorted(set(players)),))

    def close(self) -> None:
        """End the connection."""
        self._database.close()


def by_player(rows: Rows) -> dict[str, PersonKey]:
    """Read keys out of rows, and None where a key was destroyed."""
    return {row["player"]: None if row["key"] is None else bytes(row["key"]) for row in rows}
