"""Random bytes to cards and orders, without bias (PP-RNG).

Bytes come in buffers from an iterator that the shell fills from the operating system's secure
generator, so that nothing here is random by itself.

How to make a drawn order again from its recorded `source`, without this program. There are n
candidates, numbered 0 … n − 1, in a list in that order. Read the bytes of the source one after
the other and none twice.

1. For last = n − 1, n − 2, … 1: let limit = last + 1, choose a number `pick` below `limit` as
   in 2, and exchange the entries at the places `last` and `pick` of the list.
2. A number below `limit` takes one byte where limit ≤ 256 and two where 256 < limit ≤ 65536:
   width bytes, read as a big-endian number, which is below range = 256 ** width. Let accepted be
   the largest multiple of `limit` that is not above `range`. A number of `accepted` or more is
   thrown away with its bytes, and the next `width` bytes are read instead; any other number is
   taken modulo `limit`.
3. The list is now the order: its first entry is the candidate that was drawn first. The source
   is used up exactly; one that ends too early, or has bytes left, is not the source of any order.

Every order is equally likely (Fisher-Yates), because what 2 throws away is just what would
favour small numbers.
"""

from collections.abc import Iterator
from typing import Final

from shared.poker.deck import DECK_SIZE

BUFFER_BYTES: Final = 256
BOUND: Final = 207
BOUND_AS_PUBLISHED: Final = 209
EVERY_BYTE: Final = bytes(range(256))
CARD_OF_BYTE: Final = bytes(byte % DECK_SIZE for byte in EVERY_BYTE)


def deck_from(buffers: Iterator[bytes], *, as_published: bool = False) -> tuple[int, ...]:
    """Return 52 card numbers, top card first; a buffer that runs out is dropped whole (PP-RNG).

    `as_published` is the rulebook's mistaken bound, kept so that tests can show its bias.
    """
    bound = BOUND_AS_PUBLISHED if as_published else BOUND
    for buffer in buffers:
        deck = deck_in(checked(buffer), bound)
        if deck is not None:
            return deck
    raise EOFError("the source of random buffers ended")


def deck_in(buffer: bytes, bound: int) -> tuple[int, ...] | None:
    """Walk one buffer; None when it runs out before the 52nd card.

    Bytes above the bound are skipped, each other one is a card, and a card counts where it
    comes first.
    """
    cards = dict.fromkeys(buffer.translate(CARD_OF_BYTE, EVERY_BYTE[bound + 1 :]))
    return tuple(cards) if len(cards) == DECK_SIZE else None


def order_from(n: int, buffers: Iterator[bytes]) -> tuple[int, ...]:
    """Return 0 … n − 1 in a uniformly random order (Fisher-Yates)."""
    return drawn_from(n, buffers)[0]


def drawn_from(n: int, buffers: Iterator[bytes]) -> tuple[tuple[int, ...], bytes]:
    """Return a uniformly random order of 0 … n − 1, and the bytes that it was made of."""
    source = bytearray()
    order = shuffled(n, noted(bytes_of(buffers), source))
    return order, bytes(source)


def order_of(n: int, source: bytes) -> tuple[int, ...]:
    """Make an order again; raise ValueError for bytes that are not the source of one."""
    stream = iter(source)
    try:
        order = shuffled(n, stream)
    except EOFError:
        raise ValueError("the source ends before the order is made") from None
    if next(stream, None) is not None:
        raise ValueError("the source has bytes left over")
    return order


def shuffled(n: int, stream: Iterator[int]) -> tuple[int, ...]:
    """Walk down from the last place and exchange each entry with one at or before it."""
    if n < 0:
        raise ValueError("an order of fewer than none")
    order = list(range(n))
    for last in range(n - 1, 0, -1):
        pick = below(last + 1, stream)
        order[last], order[pick] = order[pick], order[last]
    return tuple(order)


def below(limit: int, stream: Iterator[int]) -> int:
    """Return a uniform number below `limit`, dropping what would favour the small ones."""
    width = width_of(limit)
    accepted = 256**width // limit * limit
    while True:
        value = 0
        for _ in range(width):
            value = value << 8 | next_byte(stream)
        if value < accepted:
            return value % limit


def width_of(limit: int) -> int:
    """Return how many bytes it takes to choose among so many."""
    return max(1, ((limit - 1).bit_length() + 7) // 8)


def source_bytes_max(n: int) -> int:
    """Return how long the source of an order of n may be; a longer one does not happen.

    Of the numbers read for one choice, more than half of the range are accepted, so each try
    succeeds with a probability above 1/2. n choices are made unless, of 4n + 256 tries, fewer
    than n succeed: 2n + 128 are expected, so by Hoeffding's bound that has a probability below
    exp(−(n + 128)² / (2n + 128)), which is at most exp(−128), below 2 ** −184, for every n.
    """
    tries = 4 * n + 256
    return tries * width_of(n)


def noted(stream: Iterator[int], source: bytearray) -> Iterator[int]:
    """Pass bytes on, and keep those that were taken."""
    for byte in stream:
        source.append(byte)
        yield byte


def next_byte(stream: Iterator[int]) -> int:
    """Return the next byte; a source that ends is a fault, never a short answer."""
    byte = next(stream, None)
    if byte is None:
        raise EOFError("the source of random buffers ended")
    return byte


def bytes_of(buffers: Iterator[bytes]) -> Iterator[int]:
    """Run the buffers together, asking for one only when it is needed."""
    for buffer in buffers:
        yield from checked(buffer)


def checked(buffer: bytes) -> bytes:
    """Refuse a source that does not give whole buffers."""
    if len(buffer) != BUFFER_BYTES:
        raise ValueError(f"a buffer of {len(buffer)} bytes, not {BUFFER_BYTES}")
    return buffer
