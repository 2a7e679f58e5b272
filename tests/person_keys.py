"""Keys of persons in memory, for the wallet in tests that have no database."""

from collections.abc import Mapping, Sequence

import psycopg

from shared.runtime.person_keys import PersonKey


class KeysInMemory:
    """The port `PersonKeys`; it outlives the wallets that are composed on it."""

    def __init__(self) -> None:
        self.keys: dict[str, PersonKey] = {}

    def copied(self) -> "KeysInMemory":
        """All that is known now, as a backup has it."""
        copy = KeysInMemory()
        copy.keys = dict(self.keys)
        return copy

    async def find(self, players: Sequence[str]) -> dict[str, PersonKey]:
        return {player: self.keys[player] for player in players if player in self.keys}

    async def obtain(self, offered: Mapping[str, bytes]) -> dict[str, PersonKey]:
        self.keys = {**offered, **self.keys}
        return await self.find(list(offered))

    async def destroy(self, players: Sequence[str]) -> None:
        self.keys |= dict.fromkeys(players)


def keys_in(database_url: str) -> dict[str, bytes]:
    """Read all keys of a platform that were not destroyed, as somebody who may."""
    query = "SELECT player, key FROM platform.person_keys WHERE key IS NOT NULL"
    with psycopg.connect(database_url) as connection:
        return dict(connection.execute(query).fetchall())
