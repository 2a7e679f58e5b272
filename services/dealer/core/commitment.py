"""The promise made before the first card: 52 salted leaves under one Merkle root.

How to check an opening with nothing but SHA-256, without this program: the tree is that of
RFC 6962 over 52 leaves, in deck order, top card first. The content of the leaf at `position` is
these bytes, one after the other:

    24 bytes   ASCII `rollforward/deck-leaf/v1`
     1 byte    0
     2 bytes   length of the hand id in bytes, big-endian
     n bytes   the hand id, UTF-8
     1 byte    position, 0 … 51
     2 bytes   the card, ASCII, such as `Ah`
    32 bytes   the salt

Every part has a fixed or a stated length, so no two different leaves have the same bytes. The
leaf hash is SHA-256 of a byte 0 and that content; a node is SHA-256 of a byte 1, its left and
its right child. Walk from the leaf along `path` (siblings, lowest first; a node without a
sibling goes up unchanged) and compare with the committed root.

A salt is 32 bytes that nobody can guess, so that an unopened leaf cannot be found by trying all
52 cards.
"""

from collections.abc import Iterable, Sequence
from typing import Final

from shared.contracts.dealer import Opening
from shared.kernel.hashing import MerkleTree, leaf_hash, merkle_tree, verify_path
from shared.poker.deck import CARDS, DECK_SIZE

LEAF_TAG: Final = b"rollforward/deck-leaf/v1\x00"
SALT_BYTES: Final = 32
PLACES: Final = tuple(bytes((position,)) for position in range(DECK_SIZE))


def leaf_prefix(hand: str) -> bytes:
    """Return what all leaves of a hand begin with; see the module's words for the layout."""
    name = hand.encode()
    return LEAF_TAG + len(name).to_bytes(2, "big") + name


def leaf_content(prefix: bytes, position: int, card: str, salt: bytes) -> bytes:
    """Return the bytes of one leaf."""
    return prefix + PLACES[position] + card.encode("ascii") + salt


def commitment_to(hand: str, cards: Sequence[str], salts: Sequence[bytes]) -> MerkleTree:
    """Build the tree over a whole deck; publish its root only."""
    if len(cards) != DECK_SIZE or len(set(cards)) != DECK_SIZE or len(salts) != DECK_SIZE:
        raise ValueError("a commitment takes 52 different cards and 52 salts")
    if any(len(salt) != SALT_BYTES for salt in salts):
        raise ValueError(f"a salt has {SALT_BYTES} bytes")
    prefix = leaf_prefix(hand)
    return merkle_tree(
        leaf_hash(leaf_content(prefix, position, card, salt))
        for position, (card, salt) in enumerate(zip(cards, salts, strict=True))
    )


def opened(
    tree: MerkleTree, cards: Sequence[str], salts: Sequence[bytes], positions: Iterable[int]
) -> tuple[Opening, ...]:
    """Return the proofs for these positions; they say nothing about any other card."""
    return tuple(
        Opening(position=place, card=cards[place], salt=salts[place], path=tree.path(place))
        for place in positions
    )


def verify_opening(root: bytes, hand: str, opening: Opening) -> bool:
    """Say whether this position of the deck committed to under `root` holds this card."""
    if opening.card not in CARDS or len(opening.salt) != SALT_BYTES:
        return False
    if not 0 <= opening.position < DECK_SIZE:
        return False
    leaf = leaf_hash(leaf_content(leaf_prefix(hand), opening.position, opening.card, opening.salt))
    return verify_path(root, leaf, opening.position, DECK_SIZE, opening.path)
