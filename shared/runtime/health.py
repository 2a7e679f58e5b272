"""Why a process is not ready: one reason per thing that is wrong, with since when."""

from collections.abc import Callable

import msgspec

from shared.runtime.ports import Clock


class Wrong(msgspec.Struct, frozen=True):
    """One thing that is wrong."""

    reason: str
    since_ms: int
    until_ms: int | None = None


class Health:
    """What `/readyz` reports; everything that can go wrong says so here and takes it back."""

    def __init__(self, clock: Clock) -> None:
        self._clock = clock
        self._wrong: dict[str, Wrong] = {}
        self._parts: list[Health] = []
        self._heard: dict[str, Callable[[bool], None]] = {}

    def include(self, part: "Health") -> None:
        """What is wrong there is wrong here, as long as that part is ours."""
        self._parts.append(part)

    def exclude(self, part: "Health") -> None:
        """Let go of a part with all that is wrong with it."""
        self._parts.remove(part)

    def listen(self, what: str, heard: Callable[[bool], None]) -> None:
        """Tell somebody at once whenever this one thing goes wrong (False) or right (True)."""
        self._heard[what] = heard

    def wrong(self, what: str, reason: str, lasts_ms: int | None = None) -> None:
        """Say that something is wrong, until taken back or for a while.

        The first moment is kept while it lasts.
        """
        now = self._clock.now_ms()
        before = self._current().get(what)
        until = None if lasts_ms is None else now + lasts_ms
        self._wrong[what] = Wrong(reason, before.since_ms if before else now, until)
        self._tell(what, works=False)

    def right(self, what: str) -> None:
        """Say that it works again."""
        self._wrong.pop(what, None)
        if self._heard:
            self._tell(what, works=True)

    def _tell(self, what: str, *, works: bool) -> None:
        if heard := self._heard.get(what):
            heard(works)

    @property
    def ready(self) -> bool:
        return not self._current()

    def _current(self) -> dict[str, Wrong]:
        now = self._clock.now_ms()
        of_parts = [wrong for part in self._parts for wrong in part._current().items()]
        return {
            what: wrong
            for what, wrong in [*of_parts, *self._wrong.items()]
            if wrong.until_ms is None or wrong.until_ms > now
        }

    def lasting_ms(self, kind: str) -> int:
        """Return for how long the oldest trouble of a kind has lasted, such as `store`."""
        now = self._clock.now_ms()
        found = self._current().items()
        return max([now - one.since_ms for what, one in found if what.split(" ")[0] == kind] or [0])

    def reasons(self) -> dict[str, str]:
        """Return what is wrong, why, and for how long, in alphabetical order."""
        now = self._clock.now_ms()
        return {
            what: f"{wrong.reason} (for {(now - wrong.since_ms) / 1000:.1f} s)"
            for what, wrong in sorted(self._current().items())
        }
