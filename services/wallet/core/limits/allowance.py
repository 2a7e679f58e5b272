"""BP-RESPONSIBLE: whether players allow themselves what they are about to do.

The first obstacle in documented order names the refusal. What is used already, and seats that
were bought, go on: a limit stands in the way of new things only.
"""

from typing import Literal

from services.wallet.core.limits.state import Restraint, limits_of, used_at
from services.wallet.core.state import Wallet
from shared.contracts.wallet import LimitKind

StakeObstacle = Literal[
    "self_excluded", "stake_limit_reached", "loss_limit_reached", "session_limit_reached"
]
DepositObstacle = Literal["self_excluded", "deposit_limit_reached"]


def obstacle_to_stake(
    wallet: Wallet, player: str, price_cents: int, at_ms: int
) -> StakeObstacle | None:
    """Return why a player may not stake a price now; a free entry is time, but no stake."""
    restraint = wallet.restraints.get(player)
    if restraint is None:
        return None
    if restraint.is_excluded(at_ms):
        return "self_excluded"
    if exceeds(restraint, "stake", price_cents, at_ms):
        return "stake_limit_reached"
    if exceeds(restraint, "loss", price_cents, at_ms):
        return "loss_limit_reached"
    if is_time_up(restraint, at_ms):
        return "session_limit_reached"
    return None


def obstacle_to_deposit(
    wallet: Wallet, player: str, amount_cents: int, at_ms: int
) -> DepositObstacle | None:
    """Return why a player may not pay in this amount now."""
    restraint = wallet.restraints.get(player)
    if restraint is None:
        return None
    if restraint.is_excluded(at_ms):
        return "self_excluded"
    if exceeds(restraint, "deposit", amount_cents, at_ms):
        return "deposit_limit_reached"
    return None


def exceeds(restraint: Restraint, kind: LimitKind, amount: int, at_ms: int) -> bool:
    """Tell whether an amount is more than one of the limits of this kind leaves."""
    return amount > 0 and any(
        used_at(limit, window, at_ms) + amount > limit.amount
        for window, limit in limits_of(restraint, kind)
    )


def is_time_up(restraint: Restraint, at_ms: int) -> bool:
    """Tell whether one of the limits of session time is used up."""
    return any(
        used_at(limit, window, at_ms) >= limit.amount
        for window, limit in limits_of(restraint, "session")
    )
