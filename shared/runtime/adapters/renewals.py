"""When to look into a bucket again: at the moment when what nobody renewed must have run out.

Whoever renews its keys says so to all others, so that these know, without asking, when the keys
of one that has fallen silent are gone. That is a hint when to look and no more: the bucket says
who is there.
"""

import time
from collections.abc import Callable, Iterable

SURELY_SECONDS = 0.02  # The server takes keys away some milliseconds after their time.
AGAIN_SECONDS = 0.1
LATE_SECONDS = 1.0  # Who is there still is being heard by the server and not by us.


class Renewals:
    """When others were heard to renew their keys, which then last `ttl_s` seconds."""

    def __init__(self, ttl_s: float, now: Callable[[], float] = time.monotonic) -> None:
        """`now` counts in seconds."""
        self._ttl_s = ttl_s
        self._now = now
        self._heard: dict[str, float] = {}

    def heard(self, name: str) -> None:
        """Take note that this process has renewed its keys just now."""
        self._heard[name] = self._now()

    def found(self, names: Iterable[str]) -> None:
        """Forget all but those who are there."""
        self._heard = {name: self._heard[name] for name in names if name in self._heard}

    def pause(self, seconds: float) -> float:
        """Return how long to wait for the next look, at most so many seconds."""
        return min([seconds, *[self._due_in(at) for at in self._heard.values()]])

    def _due_in(self, heard: float) -> float:
        """Wait until its time, then look again and again, and not for ever."""
        left = heard + self._ttl_s + SURELY_SECONDS - self._now()
        if left > 0:
            return left
        return AGAIN_SECONDS if left > -LATE_SECONDS else float("inf")
