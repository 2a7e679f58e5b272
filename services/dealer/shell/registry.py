"""The registry of used decks (PP-RNG): no deck is dealt twice on the whole platform.

What is kept of a deck is the first 16 bytes of HMAC-SHA-256 under the registry's key, so that
nobody who reads the database can look a deck up; that two decks out of a billion have them in
common has a probability below 2 ** -69. The registry's key is 32 random bytes, made once. It
outlives every vault key, since the hashes must stay comparable: it lies in the database sealed
under the vault key that is current, and a dealer that starts with a new current key seals it
again. Lost with its vault key, it is made anew, and earlier decks are not recognised any more.
"""

import hmac
from collections.abc import Iterable, Sequence
from typing import Final

from services.dealer.shell.vault import Vault
from shared.runtime.decks import KeyUse, SealedKey, UsedDecks
from shared.runtime.ports import Entropy, StartRefused
from shared.runtime.sealed import KEY_BYTES, NONCE_BYTES, Unreadable, derived, seal, unseal

DECK_TAG: Final = b"rollforward/used-deck/v1\x00"
CLAIM_TAG: Final = b"rollforward/claimed-deck/v1\x00"
DECK_HASH_BYTES: Final = 16
SEALING: Final = "rollforward/registry-key/v1"

Cards = tuple[str, ...]


class Registry:
    """Knows the vault and the registry's key, and enters decks under their hashes."""

    def __init__(self, vault: Vault, entropy: Entropy, used: UsedDecks) -> None:
        self.vault = vault
        self._entropy = entropy
        self._used = used
        self._key = b""

    async def open(self) -> None:
        """Make ready to seal decks; raise StartRefused where the vault lacks a key in use."""
        if self._key:
            return
        refuse_without_keys(self.vault, await self._used.vault_keys())
        await self._used.use_key(self.vault.current)
        kept = await self._used.registry_key(self._sealed(self._entropy(KEY_BYTES)))
        key = self._unsealed(kept)
        if kept.vault_key != self.vault.current:
            await self._used.seal_again(kept, self._sealed(key))
        self._key = key

    async def enter(self, decks: Iterable[Cards]) -> list[bool]:
        """Write these decks down as used, and say of each whether that was news."""
        await self.open()
        hashes = [deck_hash(self._key, cards) for cards in decks]
        return in_turn(hashes, await self._used.enter(hashes))

    async def claim(self, decks: Sequence[tuple[str, Cards]]) -> list[bool]:
        """Write promised decks down as used by these hands; say of each whether it is the hand's.

        Its hand makes the same deck again after a crash, and finds it still its own.
        """
        await self.open()
        claims = [claim_hash(self._key, hand, cards) for hand, cards in decks]
        hashes = [deck_hash(self._key, cards) for _, cards in decks]
        standing = await self._used.claim(hashes, claims)
        return [claim in standing for claim in claims]

    def _sealed(self, key: bytes) -> SealedKey:
        current = self.vault.current
        nonce = self._entropy(NONCE_BYTES)
        sealing = derived(self.vault.keys[current], SEALING)
        return SealedKey(current, nonce + seal(sealing, nonce, key, SEALING))

    def _unsealed(self, kept: SealedKey) -> bytes:
        vault_key = self.vault.keys.get(kept.vault_key)
        if vault_key is None:
            raise StartRefused(
                f"the key of the used decks is sealed under vault key {kept.vault_key},"
                " which is not in the vault: put it back"
            )
        nonce, box = kept.box[:NONCE_BYTES], kept.box[NONCE_BYTES:]
        try:
            return unseal(derived(vault_key, SEALING), nonce, box, SEALING)
        except Unreadable:
            raise StartRefused(
                f"the key of the used decks does not open with vault key {kept.vault_key}"
            ) from None


def refuse_without_keys(vault: Vault, keys: Sequence[KeyUse]) -> None:
    """A dealer that cannot open what it has dealt would leave hands waiting for ever."""
    for use in keys:
        if use.retired and use.key == vault.current:
            raise StartRefused(f"vault key {use.key} is retired: put a new key on top")
        if not use.retired and use.key not in vault.keys:
            raise StartRefused(
                f"vault key {use.key}, in use since {use.since}, is not in the vault: put it"
                f" back, or give up its hands with `rollforward vault retire {use.key}`"
            )


def deck_hash(key: bytes, cards: Cards) -> bytes:
    """Return what is kept of a used deck."""
    plain = DECK_TAG + "".join(cards).encode("ascii")
    return hmac.digest(key, plain, "sha256")[:DECK_HASH_BYTES]


def claim_hash(key: bytes, hand: str, cards: Cards) -> bytes:
    """Return what is kept beside a used deck that this one hand may make again."""
    plain = CLAIM_TAG + "".join(cards).encode("ascii") + hand.encode()
    return hmac.digest(key, plain, "sha256")[:DECK_HASH_BYTES]


def in_turn(hashes: Sequence[bytes], news: set[bytes]) -> list[bool]:
    """Say of each whether it was news; of equal ones in a group, the first was."""
    left, found = set(news), []
    for one in hashes:
        found.append(one in left)
        left.discard(one)
    return found
