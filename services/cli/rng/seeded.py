"""Dealers whose decks look perfect and can be guessed: the shuffle is right, its bytes are not.

A deck that comes from a seed is one of as many decks as there are seeds. No table of counts
sees that; whoever finds the seed sees every card. `collisions` and `source_check` catch them.
"""

from collections.abc import Iterator, Sequence

import numpy as np

from services.cli.rng.chances import Orders
from services.cli.rng.dealers import filled
from services.dealer.core.shuffle import BUFFER_BYTES, deck_from
from shared.poker.deck import DECK_SIZE


class SeededDealer:
    """Shuffles by PP-RNG, from bytes that a number has determined."""

    def __init__(self, seed: int) -> None:
        self._generator = np.random.default_rng(seed)

    def decks(self, n: int) -> Orders:
        buffers = self.buffers()
        return filled(n, DECK_SIZE, (deck_from(buffers) for _ in range(n)))

    def buffers(self) -> Iterator[bytes]:
        while True:
            yield self._generator.bytes(BUFFER_BYTES)


def first_decks(seeds: Sequence[int]) -> Orders:
    """Start a dealer with each seed, and return the first deck of each."""
    return np.concatenate([SeededDealer(seed).decks(1) for seed in seeds])
