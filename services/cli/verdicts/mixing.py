"""An outsider's making of a mixed deck and its root, with SHA-256 and HMAC alone.

Written from the words of the dealer's `core/mixing.py`, `core/commitment.py` and
`shell/sealing.py`, as anybody could; nothing of the dealer's is used.
"""

import hmac
from collections.abc import Iterable, Sequence
from hashlib import sha256

RANKS, SUITS = "23456789TJQKA", "cdhs"
DECK = 52
BOUND = 207
BLOCKS_A_BUFFER = 8

Seats = Iterable[tuple[int, bytes]]


def promise_to(hand: str, secret: bytes) -> bytes:
    """Return the promise that this secret was bound by."""
    return sha256(b"rollforward/deck-promise/v1\x00" + with_length(hand) + secret).digest()


def deck_made_of(secret: bytes, hand: str, seats: Seats, attempt: int) -> tuple[str, ...]:
    """Return the deck, top card first; `seats` are those dealt in, with "" for who gave no seed."""
    given = [bytes([seat, len(seed)]) + seed for seat, seed in seats]
    message = b"rollforward/mixed-deck/v1\x00" + with_length(hand) + bytes([len(given)])
    message += b"".join(given) + attempt.to_bytes(4, "big")
    block = 0
    while True:
        buffer = b""
        for _ in range(BLOCKS_A_BUFFER):
            buffer += hmac.digest(secret, message + block.to_bytes(4, "big"), "sha256")
            block += 1
        dealt = dict.fromkeys(byte % DECK for byte in buffer if byte <= BOUND)
        if len(dealt) == DECK:
            return tuple(RANKS[card % 13] + SUITS[card // 13] for card in dealt)


def root_of(hand: str, cards: Sequence[str], salt_seed: bytes) -> bytes:
    """Return the root that commits to a deck, given the seed of its salts."""
    leaves = []
    for position, card in enumerate(cards):
        place = bytes([position])
        salt = hmac.digest(salt_seed, place, "sha256")
        content = b"rollforward/deck-leaf/v1\x00" + with_length(hand) + place + card.encode() + salt
        leaves.append(sha256(b"\x00" + content).digest())
    return root_over(leaves)


def root_over(leaves: Sequence[bytes]) -> bytes:
    """Split at the largest power of two below the number of leaves (RFC 6962)."""
    if len(leaves) == 1:
        return leaves[0]
    half = 1 << (len(leaves) - 1).bit_length() - 1
    return sha256(b"\x01" + root_over(leaves[:half]) + root_over(leaves[half:])).digest()


def with_length(hand: str) -> bytes:
    name = hand.encode()
    return len(name).to_bytes(2, "big") + name
