"""The port to the keys of persons; the wallet's alone.

What is known of a person stands in the log as ciphertext under a key of this one person. The keys
are no part of the log: a key that is destroyed takes the person with it, and every hash stays.
"""

from collections.abc import Mapping, Sequence
from typing import Protocol

PersonKey = bytes | None
"""32 bytes; None where a key was destroyed: there will never be another for this player."""


class PersonKeys(Protocol):
    """Keys by player; every call may raise StoreUnavailable."""

    async def find(self, players: Sequence[str]) -> dict[str, PersonKey]:
        """Return what is there of these players' keys; who never had one is missing."""
        ...

    async def obtain(self, offered: Mapping[str, bytes]) -> dict[str, PersonKey]:
        """Return these players' keys; one offered becomes a player's who never had any."""
        ...

    async def destroy(self, players: Sequence[str]) -> None:
        """Destroy these players' keys, and leave word that they were; harmless when done before."""
        ...
