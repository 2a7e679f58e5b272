"""The secret half of a deck: made, sealed into the log, and read again from log and vault key.

A sealed deck is a 12-byte nonce and an AES-GCM box (AAD `hand/deck`) of 52 × 2 ASCII characters
and a 32-byte seed. The salt of a position is HMAC-SHA-256(seed, position as one byte): each
looks random to whoever has only the others.
"""

import hmac
from typing import Final

from services.dealer.core.commitment import PLACES, commitment_to, opened
from shared.contracts.dealer import DealtIn, DeckCommitted, Opening, SealedCards
from shared.kernel.hashing import MerkleTree
from shared.poker.deck import DECK_SIZE, seat_positions
from shared.runtime.ports import Entropy
from shared.runtime.sealed import (
    NONCE_BYTES,
    HoleCards,
    Withheld,
    derived,
    seal,
    seal_hole_cards,
    unseal,
)

SEED_BYTES: Final = 32
CARD_BYTES: Final = 2
CARDS_BYTES: Final = DECK_SIZE * CARD_BYTES


class Deck(Withheld, frozen=True):
    """All 52 cards, top card first, with their salts and the tree over them."""

    hand: str
    cards: tuple[str, ...]
    seed: bytes
    salts: tuple[bytes, ...]
    tree: MerkleTree

    def opened(self, positions: tuple[int, ...]) -> tuple[Opening, ...]:
        """Return the proofs of these positions."""
        return opened(self.tree, self.cards, self.salts, positions)

    def hole_cards(self, roster: tuple[DealtIn, ...], seat: int) -> HoleCards:
        """Return both cards of a seat of this roster."""
        first, second = seat_positions([dealt.seat for dealt in roster], seat)
        return self.cards[first], self.cards[second]


def deck_of(hand: str, cards: tuple[str, ...], seed: bytes) -> Deck:
    """Complete a deck: everything else follows from the cards and the seed."""
    salts = tuple(hmac.digest(seed, place, "sha256") for place in PLACES)
    tree = commitment_to(hand, cards, salts)
    return Deck(hand=hand, cards=cards, seed=seed, salts=salts, tree=tree)


def seal_deck(vault_key: bytes, deck: Deck, entropy: Entropy) -> bytes:
    """Seal what it takes to complete the deck again; always the same number of bytes."""
    nonce = entropy(NONCE_BYTES)
    plain = "".join(deck.cards).encode("ascii") + deck.seed
    return nonce + seal(deck_key(vault_key, deck.hand), nonce, plain, deck_context(deck.hand))


def unseal_deck(vault_key: bytes, committed: DeckCommitted) -> Deck:
    """Read the deck back, and check that it is the one committed to."""
    hand, sealed = committed.hand, committed.sealed_deck
    nonce, box = sealed[:NONCE_BYTES], sealed[NONCE_BYTES:]
    plain = unseal(deck_key(vault_key, hand), nonce, box, deck_context(hand))
    text = plain[:CARDS_BYTES].decode("ascii")
    cards = tuple(text[at : at + CARD_BYTES] for at in range(0, CARDS_BYTES, CARD_BYTES))
    deck = deck_of(hand, cards, plain[CARDS_BYTES:])
    if deck.tree.root != committed.root:
        raise ValueError("the sealed deck is not the one committed to")
    return deck


def seal_hands(
    vault_key: bytes, deck: Deck, roster: tuple[DealtIn, ...]
) -> tuple[SealedCards, ...]:
    """Seal each seat's hole cards under its own key, in roster order."""
    return tuple(
        SealedCards(seat=dealt.seat, box=sealed_hand(vault_key, deck, roster, dealt.seat))
        for dealt in roster
    )


def sealed_hand(vault_key: bytes, deck: Deck, roster: tuple[DealtIn, ...], seat: int) -> bytes:
    """Seal one seat's hole cards; doing it again gives the same bytes."""
    key = seat_key(vault_key, deck.hand, deck.tree.root, seat)
    return seal_hole_cards(key, deck.hole_cards(roster, seat), deck.hand, seat)


def seat_key(vault_key: bytes, hand: str, root: bytes, seat: int) -> bytes:
    """Derive one seat's key; the root is in it, so a deck thrown away shares no key."""
    return derived(vault_key, f"rollforward/seat-key/v1/{hand}/{seat}", salt=root)


def deck_key(vault_key: bytes, hand: str) -> bytes:
    """Derive the key of one hand's sealed deck."""
    return derived(vault_key, f"rollforward/deck-key/v1/{hand}")


def deck_context(hand: str) -> str:
    return f"{hand}/deck"
