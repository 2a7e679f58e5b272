"""The port `Entropy` of one process, all of it from the seed, and the day it repeats itself.

A machine that was restored from an image of its memory may have its generator where it once was.
Then a dealer makes decks that it has made before.
"""

from collections import deque
from random import Random

from services.dealer.core.shuffle import BUFFER_BYTES

REPEATED = 12


class Generator:
    """Random bytes; once set back, the last buffers of decks and draws come again."""

    def __init__(self, seed: str) -> None:
        self._bytes = Random(seed).randbytes
        self._given: deque[bytes] = deque(maxlen=REPEATED)
        self._again: deque[bytes] = deque()

    def __call__(self, count: int) -> bytes:
        if count != BUFFER_BYTES:
            return self._bytes(count)
        buffer = self._again.popleft() if self._again else self._bytes(count)
        self._given.append(buffer)
        return buffer

    def set_back(self) -> None:
        """Stand where it stood some buffers ago."""
        self._again = self._given.copy()
