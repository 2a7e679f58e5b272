"""BP-RESPONSIBLE: what players allow themselves, and for how long they stay away.

Amounts are cents, those of session time milliseconds. Windows are the calendar's, in UTC: the
day, the week from Monday, the month. A limit counts from the moment it is set.
"""

from typing import Literal, final

import msgspec

from shared.contracts.message import Command, Event, Reply

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
    """A player was connected from one moment to another; a gateway says so.

    Time that was counted already does not count again. Answered by a `LimitsView` as of `to_ms`.
    """

    player: str
    from_ms: int
    to_ms: int


@final
class ReadLimits(Command, frozen=True, tag="wallet.read-limits.v1"):
    """Ask for a player's limits and what is used of them in the windows of a moment."""

    player: str
    at_ms: int


class LimitView(msgspec.Struct, frozen=True, kw_only=True):
    """One limit and its window now; `raise_from_ms` says when it will be `raise_to` (None: lifted).

    Less than nothing is used of a loss limit by who has won.
    """

    kind: LimitKind
    window: LimitWindow
    amount: int
    used: int
    from_ms: int
    to_ms: int
    raise_to: int | None = None
    raise_from_ms: int | None = None


class LimitsView(Reply, frozen=True):
    """What a player has set; without `excluded_until_ms` an exclusion is for good."""

    player: str
    limits: tuple[LimitView, ...]
    excluded: bool
    excluded_until_ms: int | None = None


@final
class LimitSet(Event, frozen=True, tag="wallet.limit-set.v1"):
    """A limit counts, or (None) no longer does; a raise that was scheduled for it is off."""

    player: str
    kind: LimitKind
    window: LimitWindow
    amount: int | None
    at_ms: int


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

    `loss` is what was staked less what was won; session time is in milliseconds. `act` names the
    entry or the payment that counts; what is given back of it bears the moment of the original.
    """

    player: str
    kind: LimitKind
    amount: int
    at_ms: int
    act: str = ""


@final
class SelfExcluded(Event, frozen=True, tag="wallet.self-excluded.v1"):
    player: str
    until_ms: int | None


@final
class SelfExclusionEnded(Event, frozen=True, tag="wallet.self-exclusion-ended.v1"):
    player: str


LimitRequest = SetLimit | ExcludeSelf | CountSession | ReadLimits
LimitEvent = LimitSet | LimitScheduled | UsageCounted | SelfExcluded | SelfExclusionEnded
