"""Why a process is not ready: one reason per thing that is wrong, with since when."""

import msgspec

from shared.runtime.ports import Clock


class Wrong(msgspec.Struct, frozen=True):
    """One thing that is wrong."""

    reason: str
    since_ms: int


class Health:
    """What `/readyz` reports; everything that can go wrong says so here and takes it back."""

    def __init__(self, clock: Clock) -> None:
        self._clock = clock
        self._wrong: dict[str, Wrong] = {}

    def wrong(self, what: str, reason: str) -> None:
        """Say that something is wrong; the first moment is kept while it lasts."""
        before = self._wrong.get(what)
        since = before.since_ms if before else self._clock.now_ms()
        self._wrong[what] = Wrong(reason, since)

    def right(self, what: str) -> None:
        """Say that it works again."""
        self._wrong.pop(what, None)

    @property
    def ready(self) -> bool:
        return not self._wrong

    def reasons(self) -> dict[str, str]:
        """Return what is wrong, why, and for how long, in alphabetical order."""
        now = self._clock.now_ms()
        return {
            what: f"{wrong.reason} (for {(now - wrong.since_ms) / 1000:.1f} s)"
            for what, wrong in sorted(self._wrong.items())
        }
