"""What an operator may set, and what a decision knows beside state and command."""

from typing import NamedTuple

import msgspec

DAY_MS = 24 * 60 * 60 * 1000


class WalletRules(msgspec.Struct, frozen=True, kw_only=True):
    """The operator's own figures; what follows from them is recorded in the events."""

    adult_years: int = 18
    bonus_first_deposit_cents: int = 2_500
    bonus_cents: int = 1_000
    bonus_locked: bool = True
    cooling_off_ms: int = 7 * DAY_MS
    withdrawal_expires_ms: int = 14 * DAY_MS
    provider: bool = True


class Now(NamedTuple):
    """The moment that the commit will carry, and the operator's figures."""

    at_ms: int
    rules: WalletRules
