"""Can players reach us? As long as a gateway is heard; without one the clocks stand still.

The moment is ours: when we heard a gateway say that it serves players, by our own clock, so that
no clock of another host is compared with it. No gateway is no reason to be not ready: an owner
without one works, and its readiness would help nobody; `rollforward status` and a metric tell.
"""

from shared.runtime.metrics import REACHED
from shared.runtime.ports import Clock

GATEWAY = "gateway"


class Reach:
    """Notes when a gateway was heard last; 0 before the first one."""

    def __init__(self, clock: Clock) -> None:
        self._clock = clock
        self._reached_ms = 0

    def heard(self, _life: str) -> None:
        """Take note of a gateway that is there at this moment."""
        self._reached_ms = self._clock.now_ms()
        REACHED.set(self._reached_ms / 1000)

    def reached_ms(self) -> int:
        """Return up to when players are known to have been able to reach the platform."""
        return self._reached_ms
