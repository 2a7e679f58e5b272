"""Random bytes to cards and orders, without bias (PP-RNG).

Bytes come in buffers from an iterator that the shell fills from the operating system's secure
generator, so that nothing here is random by itself.
"""

from collections.abc import Iterator
from typing import Final

from shared.poker.deck import DECK_SIZE

BUFFER_BYTES: Final = 256
BOUND: Final = 207
BOUND_AS_PUBLISHED: Final = 209


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
    """Walk one buffer; None when it runs out before the 52nd card."""
    dealt = [False] * DECK_SIZE
    deck: list[int] = []
    for byte in buffer:
        if byte > bound:
            continue
        card = byte % DECK_SIZE
        if dealt[card]:
            continue
        dealt[card] = True
        deck.append(card)
        if len(deck) == DECK_SIZE:
            return tuple(deck)
    return None


def order_from(n: int, buffers: Iterator[bytes]) -> tuple[int, ...]:
    """Return 0 … n − 1 in a uniformly random order (Fisher-Yates)."""
    if n < 0:
        raise ValueError("an order of fewer than none")
    stream = bytes_of(buffers)
    order = list(range(n))
    for last in range(n - 1, 0, -1):
        pick = below(last + 1, stream)
        order[last], order[pick] = order[pick], order[last]
    return tuple(order)


def below(limit: int, stream: Iterator[int]) -> int:
    """Return a uniform number below `limit`, dropping what would favour the small ones."""
    width = max(1, ((limit - 1).bit_length() + 7) // 8)
    accepted = 256**width // limit * limit
    while True:
        value = 0
        for _ in range(width):
            value = value << 8 | next_byte(stream)
        if value < accepted:
            return value % limit


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
