"""The port to what the whole platform knows of used decks and vault keys; the dealer's alone.

It says nothing about any card: a used deck is a keyed hash, a vault key is its fingerprint, and
the key of the hashes is sealed.
"""

from collections.abc import Sequence
from typing import NamedTuple, Protocol


class KeyUse(NamedTuple):
    """A vault key that has sealed decks: since when, and whether its hands were given up."""

    key: str
    since: str
    retired: bool


class SealedKey(NamedTuple):
    """The registry's key, sealed under a vault key."""

    vault_key: str
    box: bytes


class UsedDecks(Protocol):
    """Used decks, vault keys and the registry's key; every call may raise StoreUnavailable."""

    async def vault_keys(self) -> list[KeyUse]:
        """Return every vault key that was ever the current one, the oldest first."""
        ...

    async def use_key(self, key: str) -> None:
        """Write down that a vault key is about to seal decks."""
        ...

    async def registry_key(self, offered: SealedKey) -> SealedKey:
        """Return the registry's key; the one offered becomes it when there is none yet."""
        ...

    async def seal_again(self, before: SealedKey, after: SealedKey) -> None:
        """Put the same key under another vault key, unless somebody else was first."""
        ...

    async def enter(self, decks: Sequence[bytes]) -> set[bytes]:
        """Write down decks as used, and return those that were not before."""
        ...

    async def claim(self, decks: Sequence[bytes], claims: Sequence[bytes]) -> set[bytes]:
        """Write down decks as used, and a claim beside each that was not before, in one.

        Return those of these claims that stand, now or since an earlier call.
        """
        ...
