"""An outsider's check of one opened card, with SHA-256 and nothing of the dealer's.

Written from the words of `services/dealer/core/commitment.py`, as anybody could: the tree over
52 leaves splits at the largest power of two below its size (RFC 6962).
"""

from collections.abc import Sequence
from hashlib import sha256

from shared.contracts.dealer import Opening

DECK = 52
HASH_BYTES = 32
RANKS, SUITS = "23456789TJQKA", "cdhs"


def opens(root: bytes, hand: str, opening: Opening) -> bool:
    """Say whether the deck committed to under this root has this card at this position."""
    card, salt = opening.card, opening.salt
    if len(card) != 2 or card[0] not in RANKS or card[1] not in SUITS:
        return False
    if not 0 <= opening.position < DECK or len(salt) != HASH_BYTES:
        return False
    name = hand.encode()
    content = b"".join(
        (
            b"rollforward/deck-leaf/v1\x00",
            len(name).to_bytes(2, "big"),
            name,
            bytes([opening.position]),
            card.encode(),
            salt,
        )
    )
    leaf = sha256(b"\x00" + content).digest()
    return root_over(leaf, opening.position, DECK, opening.path) == root


def root_over(leaf: bytes, index: int, size: int, path: Sequence[bytes]) -> bytes | None:
    """Rebuild the root from the top: the last sibling is the other half of the whole tree."""
    if size == 1:
        return None if path else leaf
    if not path or len(path[-1]) != HASH_BYTES:
        return None
    left_size = 1 << (size - 1).bit_length() - 1
    *below, sibling = path
    if index < left_size:
        half = root_over(leaf, index, left_size, below)
        return None if half is None else sha256(b"\x01" + half + sibling).digest()
    half = root_over(leaf, index - left_size, size - left_size, below)
    return None if half is None else sha256(b"\x01" + sibling + half).digest()
