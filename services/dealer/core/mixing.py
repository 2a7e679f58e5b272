"""Player entropy: a promised secret and the players' seeds to one deck, the same one every time.

How to make a mixed deck again from what is on record and the promise's secret, with nothing but
SHA-256 and HMAC-SHA-256. All numbers are big-endian.

The promise is SHA-256 of these bytes, one after the other:

    27 bytes   ASCII `rollforward/deck-promise/v1` followed by
     1 byte    0
     2 bytes   length of the hand id in bytes
     n bytes   the hand id, UTF-8
    32 bytes   the secret

The deck is that of PP-RNG, its buffers of 256 bytes being eight blocks each. Block number k,
counted from 0 through all buffers of one attempt, is HMAC-SHA-256 with the secret as its key over:

    25 bytes   ASCII `rollforward/mixed-deck/v1` followed by
     1 byte    0
     2 bytes   length of the hand id in bytes
     n bytes   the hand id, UTF-8
     1 byte    how many are dealt in
               then for each of them, in the order of the deck's roster:
     1 byte    the seat
     1 byte    length of the seed: 32, or 0 where none was handed in
     s bytes   the seed
     4 bytes   the attempt
     4 bytes   k

PP-RNG: walk over a buffer, skip a byte above 207, else the value modulo 52 is the next card
unless it was dealt already; where the buffer ends before the 52nd card, begin again with the next
buffer. Card number c has the rank `23456789TJQKA`[c mod 13] and the suit `cdhs`[c div 13].

The attempt is 0. Where a deck was used before, the next attempt is made; `DeckRepeated` in the
commit of the deck says how many were thrown away, which is the attempt that was dealt.
"""

from collections.abc import Iterator, Sequence
from itertools import count
from typing import Final

from services.dealer.core.shuffle import BUFFER_BYTES, deck_from
from shared.contracts.dealer import PLAYER_SEED_BYTES, DealtIn, SeatSeed
from shared.kernel.decider import Refused
from shared.kernel.hashing import HASH_BYTES, digest, keyed_digest

PROMISE_TAG: Final = b"rollforward/deck-promise/v1\x00"
MIX_TAG: Final = b"rollforward/mixed-deck/v1\x00"
SECRET_BYTES: Final = 32
BLOCKS: Final = BUFFER_BYTES // HASH_BYTES


def promise_of(hand: str, secret: bytes) -> bytes:
    """Bind the dealer to a secret without telling it."""
    return digest(PROMISE_TAG + named(hand) + secret)


def mixed_deck(
    secret: bytes,
    hand: str,
    roster: Sequence[DealtIn],
    seeds: Sequence[SeatSeed],
    attempt: int = 0,
) -> tuple[int, ...]:
    """Return the 52 card numbers that follow from secret and seeds, top card first (PP-RNG)."""
    given = mixed(hand, roster, seeds) + attempt.to_bytes(4, "big")
    return deck_from(stretched(secret, given))


def stretched(secret: bytes, given: bytes) -> Iterator[bytes]:
    """Stretch secret and seeds into as many buffers as the walk takes."""
    for first in count(0, BLOCKS):
        yield b"".join(
            keyed_digest(secret, given + block.to_bytes(4, "big"))
            for block in range(first, first + BLOCKS)
        )


def mixed(hand: str, roster: Sequence[DealtIn], seeds: Sequence[SeatSeed]) -> bytes:
    """Write down who gave what; no two different tables of seeds have the same bytes."""
    given = {seed.seat: seed.seed for seed in seeds}
    parts = [MIX_TAG, named(hand), bytes((len(roster),))]
    for dealt in roster:
        seed = given.get(dealt.seat, b"")
        parts += (bytes((dealt.seat, len(seed))), seed)
    return b"".join(parts)


def named(hand: str) -> bytes:
    name = hand.encode()
    return len(name).to_bytes(2, "big") + name


def bad_seeds(
    promise: bytes, roster: Sequence[DealtIn], seeds: Sequence[SeatSeed]
) -> Refused | None:
    """Check seeds: only with a promise, of those who are dealt in, in their order, each once."""
    if seeds and not promise:
        return Refused("seeds_without_promise")
    if any(len(seed.seed) != PLAYER_SEED_BYTES for seed in seeds):
        return Refused("bad_seed", f"a seed has {PLAYER_SEED_BYTES} bytes")
    dealt = [one.seat for one in roster]
    giving = [seed.seat for seed in seeds]
    if any(seat not in dealt for seat in giving):
        return Refused("seed_of_nobody", "only who is dealt in gives a seed")
    if giving != [seat for seat in dealt if seat in giving]:
        return Refused("seeds_out_of_order", "in the order of the roster, one a seat")
    return None
