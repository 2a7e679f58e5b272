"""How many messages a socket may still send: so many a second, and a second's worth at once."""

from shared.runtime.ports import Clock


class Allowance:
    """A bucket that fills with time and gives one message at a time."""

    def __init__(self, clock: Clock, per_second: int) -> None:
        self._clock = clock
        self._per_second = per_second
        self._left = float(per_second)
        self._at_ms = clock.now_ms()

    def take(self) -> bool:
        """Use one message, if there is one left."""
        now = self._clock.now_ms()
        refilled = self._left + (now - self._at_ms) * self._per_second / 1000
        self._left = min(refilled, float(self._per_second))
        self._at_ms = now
        if self._left < 1:
            return False
        self._left -= 1
        return True
