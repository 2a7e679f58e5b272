"""Wallet rules: which events a request or an upstream fact causes, or why it is refused.

Requests can be refused, facts cannot. Each part of the wallet brings the rows of its own.
"""

from collections.abc import Callable
from typing import Any

from services.wallet.core.accounts import decide as accounts
from services.wallet.core.deadlines import passed
from services.wallet.core.errands import decide as errands
from services.wallet.core.errands.queue import next_batch
from services.wallet.core.evolve import evolve
from services.wallet.core.handlers import Decides, Decision, Ends
from services.wallet.core.payments import desk
from services.wallet.core.rules import Now, WalletRules
from services.wallet.core.state import Wallet
from services.wallet.core.tournaments import entries, prizes
from shared.contracts.message import TimerFired
from shared.contracts.wallet import ReadTrialBalance, WalletEvent
from shared.kernel.decider import Refused

Step = Callable[[Wallet, Any, int], tuple[tuple[WalletEvent, ...], Wallet] | Refused]

ENDS: Ends = {}


def make_step(rules: WalletRules) -> Step:
    """Return the step of a wallet with these figures."""

    def step(
        wallet: Wallet, command: Any, at_ms: int
    ) -> tuple[tuple[WalletEvent, ...], Wallet] | Refused:
        decision = DECIDES[type(command)](wallet, command, Now(at_ms, rules))
        if isinstance(decision, Refused):
            return decision
        for event in decision:
            wallet = evolve(wallet, event)
        batch = next_batch(wallet.errands)
        return (decision, wallet) if batch is None else ((*decision, batch), evolve(wallet, batch))

    return step


def end_what_has_passed(wallet: Wallet, _fired: TimerFired, now: Now) -> Decision:
    """Work off the deadlines that are over, each on what those before it have left."""
    events: list[WalletEvent] = []
    for deadline in passed(wallet.deadlines, now.at_ms):
        for event in ENDS[deadline.what](wallet, deadline.key, now):
            wallet = evolve(wallet, event)
            events.append(event)
    return tuple(events)


def read_trial_balance(_wallet: Wallet, _request: ReadTrialBalance, _now: Now) -> Decision:
    """Reading records nothing."""
    return ()


DECIDES: Decides = {
    **accounts.DECIDES,
    **desk.DECIDES,
    **entries.DECIDES,
    **prizes.DECIDES,
    **errands.DECIDES,
    ReadTrialBalance: read_trial_balance,
    TimerFired: end_what_has_passed,
}
