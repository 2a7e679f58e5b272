"""Used decks in memory, for the dealer in tests that have no database."""

from collections.abc import Coroutine, Sequence
from random import Random
from typing import Any

from services.dealer.shell.registry import Registry
from services.dealer.shell.shuffling import Shuffles
from services.dealer.shell.vault import Vault
from shared.runtime.decks import KeyUse, SealedKey
from shared.runtime.ports import Entropy


class DecksInMemory:
    """The port `UsedDecks`; it outlives the dealers that are composed on it."""

    def __init__(self) -> None:
        self.decks: set[bytes] = set()
        self.keys: dict[str, KeyUse] = {}
        self.sealed: SealedKey | None = None

    def copied(self) -> "DecksInMemory":
        """All that is known now, as a backup has it."""
        copy = DecksInMemory()
        copy.decks, copy.keys, copy.sealed = set(self.decks), dict(self.keys), self.sealed
        return copy

    async def vault_keys(self) -> list[KeyUse]:
        return list(self.keys.values())

    async def use_key(self, key: str) -> None:
        self.keys.setdefault(key, KeyUse(key, "2026-11-30", retired=False))

    async def registry_key(self, offered: SealedKey) -> SealedKey:
        self.sealed = self.sealed or offered
        return self.sealed

    async def seal_again(self, before: SealedKey, after: SealedKey) -> None:
        if self.sealed == before:
            self.sealed = after

    async def enter(self, decks: Sequence[bytes]) -> set[bytes]:
        news = set(decks) - self.decks
        self.decks |= news
        return news

    async def claim(self, decks: Sequence[bytes], claims: Sequence[bytes]) -> set[bytes]:
        for deck, claim in zip(decks, claims, strict=True):
            if deck not in self.decks:
                self.decks |= {deck, claim}
        return set(claims) & self.decks


def shuffles_of(vault: Vault, entropy: Entropy, used: DecksInMemory | None = None) -> Shuffles:
    """Make decks that nobody else has used; the key of the registry is no part of their chance."""
    return Shuffles(entropy, Registry(vault, Random(0).randbytes, used or DecksInMemory()))


def finished(work: Coroutine[Any, Any, Any]) -> Any:
    """Run a coroutine that waits for nothing."""
    try:
        work.send(None)
    except StopIteration as done:
        return done.value
    raise AssertionError("something was waited for")
