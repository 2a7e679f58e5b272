"""Who deals on the bench: the real dealer's own code, and the known-bad ways to shuffle.

The bad ones exist here and nowhere else. A bench that has never flagged one has shown nothing.
All but the last of them are vectorised: one column of all decks at a time.
"""

from collections.abc import Callable, Iterator
from functools import cmp_to_key

import numpy as np

from services.cli.rng.chances import Orders
from services.dealer.core.shuffle import BUFFER_BYTES, deck_from, deck_in, order_from
from shared.poker.deck import DECK_SIZE
from shared.runtime.ports import Entropy

BYTE_MAX = 255

Shuffle = Callable[[int, np.random.Generator], Orders]


def buffers_of(entropy: Entropy) -> Iterator[bytes]:
    """Ask for one buffer after the other, as the dealer does."""
    while True:
        yield entropy(BUFFER_BYTES)


def real_decks(n: int, entropy: Entropy) -> Orders:
    """PP-RNG by the code that deals for players."""
    buffers = buffers_of(entropy)
    return filled(n, DECK_SIZE, (deck_from(buffers) for _ in range(n)))


def real_draws(n: int, size: int, entropy: Entropy) -> Orders:
    """Draws by the code that draws for players."""
    buffers = buffers_of(entropy)
    return filled(n, size, (order_from(size, buffers) for _ in range(n)))


def as_published(n: int, generator: np.random.Generator) -> Orders:
    """PP-RNG with the rulebook's printed bound of 209, which favours cards 0 and 1."""
    buffers = buffers_of(generator.bytes)
    return filled(n, DECK_SIZE, (deck_from(buffers, as_published=True) for _ in range(n)))


def bound_255(n: int, generator: np.random.Generator) -> Orders:
    """PP-RNG that skips no byte: the last four cards have four bytes each, all others five."""
    buffers = buffers_of(generator.bytes)
    made = (deck_in(buffer, BYTE_MAX) for buffer in buffers)
    whole = (deck for deck in made if deck is not None)
    return filled(n, DECK_SIZE, (next(whole) for _ in range(n)))


def swap_any(n: int, generator: np.random.Generator) -> Orders:
    """Swap each place with any place: 52^52 equally likely ways cannot share out 52! orders."""
    orders, rows = in_order(n, DECK_SIZE), np.arange(n)
    for place in range(DECK_SIZE):
        swap(orders, rows, place, generator.integers(DECK_SIZE, size=n))
    return orders


def byte_modulo(n: int, generator: np.random.Generator) -> Orders:
    """A right Fisher-Yates shuffle, but each pick is one byte modulo what is left."""
    return byte_modulo_draws(n, DECK_SIZE, generator)


def byte_modulo_draws(n: int, size: int, generator: np.random.Generator) -> Orders:
    orders, rows = in_order(n, size), np.arange(n)
    for place in range(size - 1):
        picks = generator.integers(256, size=n) % (size - place)
        swap(orders, rows, place, place + picks)
    return orders


def sort_by_byte(n: int, generator: np.random.Generator) -> Orders:
    """Sort by one random byte a card: ties, five in a deck, keep their old order."""
    keys = generator.integers(256, size=(n, DECK_SIZE), dtype=np.uint8)
    return np.argsort(keys, axis=1, kind="stable").astype(np.uint8)


def sort_by_coin(n: int, generator: np.random.Generator) -> Orders:
    """Sort with a comparison that tosses a coin: a sort asks too few questions to mix."""
    coins = tosses(generator)
    by_coin = cmp_to_key(lambda _one, _other: next(coins))
    return filled(n, DECK_SIZE, (sorted(range(DECK_SIZE), key=by_coin) for _ in range(n)))


def tosses(generator: np.random.Generator) -> Iterator[int]:
    while True:
        yield from (generator.integers(2, size=4_096) * 2 - 1).tolist()


def in_order(n: int, size: int) -> Orders:
    return np.tile(np.arange(size, dtype=np.uint8), (n, 1))


def swap(orders: Orders, rows: np.ndarray, place: int, other: np.ndarray) -> None:
    """Swap one place of each order with another place of it."""
    orders[rows, other], orders[:, place] = orders[:, place].copy(), orders[rows, other]


def filled(
    n: int, size: int, made: Iterator[Iterator[int] | tuple[int, ...] | list[int]]
) -> Orders:
    """Gather orders as they are made, without a list of them all."""
    flat = np.fromiter((card for order in made for card in order), np.uint8, n * size)
    return flat.reshape(n, size)
