"""Dice and bytes: thrown by the dealer's own `below`, and what the shuffle is fed with.

The byte tests are the few that can be had without a battery: for more, give the generator's
bytes to a program made for it.
"""

from itertools import islice
from typing import Final

import numpy as np
import numpy.typing as npt

from services.cli.rng.chances import Counts, Finding, Orders, evenly, oddest
from services.cli.rng.dealers import buffers_of
from services.dealer.core.shuffle import BUFFER_BYTES, below, bytes_of
from shared.runtime.ports import Entropy

DICE: Final = 5
FACES: Final = 6
BYTES: Final = 256

Bytes = npt.NDArray[np.uint8]


def throws(n: int, entropy: Entropy) -> Orders:
    """Throw five dice n times (PD-TURN)."""
    stream = bytes_of(buffers_of(entropy))
    dice = np.fromiter((below(FACES, stream) for _ in range(n * DICE)), np.uint8, n * DICE)
    return dice.reshape(n, DICE)


def byte_modulo_throws(n: int, generator: np.random.Generator) -> Orders:
    """One byte modulo six: four faces have 43 bytes, two have 42."""
    return generator.integers(BYTES, size=(n, DICE)).astype(np.uint8) % FACES


def dice_tests(thrown: Orders) -> tuple[Finding, ...]:
    """Faces, whole throws of five, and each throw's last die with the next one's first."""
    whole = thrown.astype(np.int64) @ (FACES ** np.arange(DICE))
    neighbours = thrown[:-1, -1].astype(np.int64) * FACES + thrown[1:, 0]
    return (
        evenly("faces", np.bincount(thrown.ravel(), minlength=FACES)),
        evenly("throws of five", np.bincount(whole, minlength=FACES**DICE)),
        evenly("next throw", np.bincount(neighbours, minlength=FACES**2)),
    )


def picks_test(n: int, limit: int, entropy: Entropy) -> Finding:
    """Single picks among more candidates than one byte can name."""
    stream = bytes_of(buffers_of(entropy))
    picks = np.fromiter((below(limit, stream) for _ in range(n)), np.int64, n)
    return evenly(f"pick of {limit}", np.bincount(picks, minlength=limit))


def byte_tests(buffers: Bytes) -> tuple[Finding, ...]:
    """Test buffers, one a row, as the dealer asks for them."""
    line = buffers.ravel()
    couples = line[::2].astype(np.int64) * BYTES + line[1::2]
    bits = np.unpackbits(line)
    turns = int(np.count_nonzero(bits[1:] != bits[:-1]))
    return (
        evenly("bytes", np.bincount(line, minlength=BYTES)),
        evenly("pairs of bytes", np.bincount(couples, minlength=BYTES**2)),
        oddest("ones", np.array([np.count_nonzero(bits)]), len(bits), 1 / 2),
        oddest("turns from bit to bit", np.array([turns]), len(bits) - 1, 1 / 2),
        oddest("bytes by place", by_place(buffers), len(buffers), 1 / BYTES),
        same_as_before(buffers),
    )


def by_place(buffers: Bytes) -> Counts:
    """Count each value at each place of a buffer."""
    return np.stack([np.bincount(column, minlength=BYTES) for column in buffers.T])


def same_as_before(buffers: Bytes) -> Finding:
    """Bytes that the buffer before had in the same place."""
    same = np.array([np.count_nonzero(buffers[1:] == buffers[:-1])])
    return oddest("same byte in the next buffer", same, buffers[1:].size, 1 / BYTES)


def gathered(n: int, entropy: Entropy) -> Bytes:
    """Take n buffers from the generator."""
    taken = b"".join(islice(buffers_of(entropy), n))
    return np.frombuffer(taken, np.uint8).reshape(n, BUFFER_BYTES)
