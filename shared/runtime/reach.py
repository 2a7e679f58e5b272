"""Can players reach us? As long as a gateway is heard; without one the clocks stand still.

The moment is ours: when we heard a gateway say that it serves players, by our own clock, so that
no clock of another host is compared with it. No gateway is no reason to be not ready: an owner
without one works, and its readiness would help nobody; `rollforward status` and a metric tell.
"""

from typing import NamedTuple

from shared.runtime.metrics import REACHED
from shared.runtime.ports import Clock

GATEWAY = "gateway"
REACHED_MS = 1_500  # Gateways are heard twice a second; after a longer silence none was there.


class Reached(NamedTuple):
    """The last stretch of time in which players could reach the platform, as far as is known."""

    since_ms: int
    until_ms: int


class Reach:
    """Notes when gateways were heard; nothing but zeros before the first one."""

    def __init__(self, clock: Clock) -> None:
        self._clock = clock
        self._last = Reached(0, 0)

    def heard(self, _life: str) -> None:
        """Take note of a gateway that is there at this moment; a silence ends what was before."""
        now_ms = self._clock.now_ms()
        silent = not self._last.until_ms or now_ms - self._last.until_ms > REACHED_MS
        self._last = Reached(now_ms if silent else self._last.since_ms, now_ms)
        REACHED.set(now_ms / 1000)

    def reached(self) -> Reached:
        """Return the last stretch without a silence."""
        return self._last


class WithoutGateways:
    """Where nobody comes through a gateway, we can be reached as long as we live."""

    def __init__(self, clock: Clock) -> None:
        self._clock = clock

    def reached(self) -> Reached:
        """Return all time up to now."""
        return Reached(0, self._clock.now_ms())
