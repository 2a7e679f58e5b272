"""BP-RESPONSIBLE: what players allow themselves, and for how long they stay away.

Amounts are cents, those of session time milliseconds. Windows are the calendar's, in UTC: the
day, the week from Monday, the month. A limit counts from the moment it is set.
"""

from typing import Literal, final

from shared.contracts.message import Command, Event

LimitKind = Literal["deposit", "stake", "loss", "session"]
LimitWindow = Literal["day", "week", "month"]


@final
class SetLimit(Command, frozen=True, tag="wallet.set-limit.v1"):
    """Lower at once, or raise (None: lift) after the cooling-off time."""

    player: str
    kind: LimitKind
    window: LimitWindow
    amount: int | None


@final
class ExcludeSelf(Command, frozen=True, tag="wallet.exclude-self.v1"):
    """Stay away until a moment, or for good; a seat already bought may be finished."""

    player: str
    until_ms: int | None = None


@final
class CountSession(Command, frozen=True, tag="wallet.count-session.v1"):
    """A player was connected from one moment to another; a gateway says so."""

    player: str
    from_ms: int
    to_ms: int


@final
class LimitSet(Event, frozen=True, tag="wallet.limit-set.v1"):
    player: str
    kind: LimitKind
    window: LimitWindow
    amount: int | None


@final
class LimitScheduled(Event, frozen=True, tag="wallet.limit-scheduled.v1"):
    """A raise that was asked for; it counts from `from_ms` on, unless another change comes."""

    player: str
    kind: LimitKind
    window: LimitWindow
    amount: int | None
    from_ms: int


@final
class UsageCounted(Event, frozen=True, tag="wallet.usage-counted.v1"):
    """What a player with limits used at a moment; what is given back is negative.

    `loss` is what was staked less what was won; session time is in milliseconds.
    """

    player: str
    kind: LimitKind
    amount: int
    at_ms: int


@final
class SelfExcluded(Event, frozen=True, tag="wallet.self-excluded.v1"):
    player: str
    until_ms: int | None


@final
class SelfExclusionEnded(Event, frozen=True, tag="wallet.self-exclusion-ended.v1"):
    player: str


LimitRequest = SetLimit | ExcludeSelf | CountSession
LimitEvent = LimitSet | LimitScheduled | UsageCounted | SelfExcluded | SelfExclusionEnded
