"""What decisions need to know of a player's limits, and of what was used of them."""

from collections.abc import Iterator
from typing import Final, get_args

import msgspec

from services.wallet.core.limits.calendar import window_at
from shared.contracts.wallet import LimitKind, LimitWindow
from shared.kernel.outages import Stretches

KINDS: Final[tuple[LimitKind, ...]] = get_args(LimitKind)
WINDOWS: Final[tuple[LimitWindow, ...]] = get_args(LimitWindow)


class Raise(msgspec.Struct, frozen=True):
    """What a limit becomes at a moment; None: it is lifted then."""

    amount: int | None
    from_ms: int


class Limit(msgspec.Struct, frozen=True):
    """A limit that counts since a moment, and what was used in the window used last."""

    amount: int
    since_ms: int
    window_from_ms: int = 0
    used: int = 0
    raised: Raise | None = None


class Exclusion(msgspec.Struct, frozen=True):
    """The player stays away until a moment, or for good."""

    until_ms: int | None


class Restraint(msgspec.Struct, frozen=True):
    """All that one player has set: limits by `limit_key`, and self-exclusion.

    `connected` is the session time that was counted, ascending, so that none counts twice.
    """

    limits: dict[str, Limit] = {}
    exclusion: Exclusion | None = None
    connected: Stretches = ()

    def is_excluded(self, at_ms: int) -> bool:
        """Tell whether the player stays away at a moment, its end recorded or not."""
        if self.exclusion is None:
            return False
        return self.exclusion.until_ms is None or at_ms < self.exclusion.until_ms


class Counted(msgspec.Struct, frozen=True):
    """What an entry or a payment counted, and for the limits of which windows.

    That may be given back, and to these limits only.
    """

    amount: int
    at_ms: int
    windows: tuple[LimitWindow, ...]


def limit_key(kind: LimitKind, window: LimitWindow) -> str:
    """Name a limit among those of its player."""
    return f"{kind}/{window}"


def limits_of(restraint: Restraint, kind: LimitKind) -> Iterator[tuple[LimitWindow, Limit]]:
    """Walk a player's limits of one kind, the shortest window first."""
    for window in WINDOWS:
        limit = restraint.limits.get(limit_key(kind, window))
        if limit is not None:
            yield window, limit


def used_at(limit: Limit, window: LimitWindow, at_ms: int) -> int:
    """Return what was used of a limit in the window that a moment lies in."""
    return limit.used if limit.window_from_ms == window_at(window, at_ms).from_ms else 0


def counted_key(kind: LimitKind, act: str) -> str:
    """Name what an act counted for limits of one kind."""
    return f"{kind}/{act}"


def taking(restraint: Restraint, kind: LimitKind, at_ms: int) -> tuple[LimitWindow, ...]:
    """Return for which windows a use counts: there is a limit, and no later window has begun."""
    return tuple(
        window
        for window, limit in limits_of(restraint, kind)
        if limit.since_ms <= at_ms and limit.window_from_ms <= window_at(window, at_ms).from_ms
    )
