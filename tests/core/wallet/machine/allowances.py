"""Books of what players with limits used, kept in the order of recording (BP-RESPONSIBLE)."""

from typing import NamedTuple

from services.wallet.core import WalletRules
from services.wallet.core.limits.calendar import window_at
from shared.contracts.wallet import (
    DepositFailed,
    DepositRequested,
    EntryHeld,
    EntryRefunded,
    EntryReleased,
    LimitScheduled,
    LimitSet,
    MoneyDeposited,
    SelfExcluded,
    SelfExclusionEnded,
)

COOLING_MS = WalletRules().cooling_off_ms


class Use(NamedTuple):
    """An amount that a player used; `number` counts all uses."""

    player: str
    kind: str
    at_ms: int
    cents: int
    number: int


class Allowances:
    """What was used and what is allowed: no stake or deposit is ever more."""

    def __init__(self):
        self.count = 0
        self.uses = {}
        self.allowed = {}
        self.asked = {}
        self.away = {}

    def enter(self, event, at_ms):
        """Note an event, and check that it was allowed."""
        self.follow_uses(event, at_ms)
        self.follow_restraint(event, at_ms)

    def follow_uses(self, event, at_ms):
        match event:
            case EntryHeld():
                self.use(event.entry, event.player, "stake", at_ms, event.price_cents)
            case MoneyDeposited():
                self.use(event.reference, event.player, "deposit", at_ms, event.amount_cents)
            case DepositRequested():
                self.use(event.payment, event.player, "deposit", at_ms, event.amount_cents)
            case EntryReleased():
                self.uses.pop(event.entry, None)
            case DepositFailed():
                self.uses.pop(event.payment, None)
            case EntryRefunded():
                use = self.uses[event.entry]
                self.uses[event.entry] = use._replace(cents=use.cents - event.refund_cents)

    def follow_restraint(self, event, at_ms):
        match event:
            case LimitScheduled():
                key = (event.player, event.kind, event.window)
                self.asked[key] = (event.amount, at_ms)
            case LimitSet():
                self.set(event, at_ms)
            case SelfExcluded():
                self.exclude(event)
            case SelfExclusionEnded():
                assert self.away.pop(event.player) <= at_ms

    def use(self, name, player, kind, at_ms, cents):
        """What is used now is not more than any limit allows, and nobody is away."""
        assert at_ms >= self.away.get(player, 0)
        self.count += 1
        self.uses[name] = Use(player, kind, at_ms, cents, self.count)
        for (whose, limited, window), (amount, since) in self.allowed.items():
            if (whose, limited) == (player, kind) and cents:
                assert self.used(player, kind, window, since, at_ms) <= amount

    def used(self, player, kind, window, since, at_ms):
        """Sum what was used in the window of a moment since a limit was set."""
        begin, end = window_at(window, at_ms)
        return sum(
            use.cents
            for use in self.uses.values()
            if (use.player, use.kind) == (player, kind)
            and use.number > since
            and begin <= use.at_ms < end
        )

    def set(self, event, at_ms):
        """A limit is lower than before, or its raise has waited long enough."""
        key = (event.player, event.kind, event.window)
        before, since = self.allowed.pop(key, (None, self.count))
        if before is not None and (event.amount is None or event.amount > before):
            amount, asked_ms = self.asked[key]
            assert amount == event.amount
            assert at_ms >= asked_ms + COOLING_MS
        self.asked.pop(key, None)
        if event.amount is not None:
            self.allowed[key] = (event.amount, since)

    def exclude(self, event):
        """Only ever longer."""
        until_ms = float("inf") if event.until_ms is None else event.until_ms
        assert until_ms > self.away.get(event.player, 0)
        self.away[event.player] = until_ms
