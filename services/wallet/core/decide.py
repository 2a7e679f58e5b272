"""Wallet rules: which events a request or an upstream fact causes, or why it is refused.

Requests can be refused, facts cannot. Each part of the wallet brings the rows of its own.
"""

from collections.abc import Callable
from typing import Any

from services.wallet.core.accounts import decide as accounts, standing
from services.wallet.core.conduct import decide as conduct
from services.wallet.core.corrections import decide as corrections
from services.wallet.core.deadlines import passed
from services.wallet.core.errands import decide as errands
from services.wallet.core.errands.queue import next_batch
from services.wallet.core.evolve import evolve
from services.wallet.core.handlers import Decides, Decision, Ends
from services.wallet.core.limits import decide as limits
from services.wallet.core.limits.usage import usage_of
from services.wallet.core.payments import (
    deposits,
    desk,
    views as payments,
    webhooks,
    withdrawals,
)
from services.wallet.core.rules import Now, WalletRules
from services.wallet.core.state import Wallet
from services.wallet.core.tournaments import (
    big_shoots,
    bounties,
    cancelled,
    entries,
    guarantees,
    payouts,
    prizes,
)
from shared.contracts.message import TimerFired
from shared.contracts.wallet import WalletEvent
from shared.kernel.decider import Refused

Step = Callable[[Wallet, Any, int], tuple[tuple[WalletEvent, ...], Wallet] | Refused]

ENDS: Ends = {**conduct.ENDS, **limits.ENDS, **withdrawals.ENDS}


def make_step(rules: WalletRules) -> Step:
    """Return the step of a wallet with these figures."""

    def step(
        wallet: Wallet, command: Any, at_ms: int
    ) -> tuple[tuple[WalletEvent, ...], Wallet] | Refused:
        decision = DECIDES[type(command)](wallet, command, Now(at_ms, rules))
        if isinstance(decision, Refused):
            return decision
        events: list[WalletEvent] = []
        for event in decision:
            wallet = evolve(wallet, event)
            events.append(event)
            for usage in usage_of(wallet, event, at_ms):
                wallet = evolve(wallet, usage)
                events.append(usage)
        batch = next_batch(wallet.errands)
        if batch is not None:
            wallet = evolve(wallet, batch)
            events.append(batch)
        return tuple(events), wallet

    return step


def end_what_has_passed(wallet: Wallet, _fired: TimerFired, now: Now) -> Decision:
    """Work off the deadlines that are over, each on what those before it have left."""
    events: list[WalletEvent] = []
    for deadline in passed(wallet.deadlines, now.at_ms):
        for event in ENDS[deadline.what](wallet, deadline.key, now):
            wallet = evolve(wallet, event)
            events.append(event)
    return tuple(events)


DECIDES: Decides = {
    **accounts.DECIDES,
    **standing.DECIDES,
    **conduct.DECIDES,
    **limits.DECIDES,
    **desk.DECIDES,
    **deposits.DECIDES,
    **withdrawals.DECIDES,
    **webhooks.DECIDES,
    **payments.DECIDES,
    **entries.DECIDES,
    **prizes.DECIDES,
    **guarantees.DECIDES,
    **payouts.DECIDES,
    **cancelled.DECIDES,
    **bounties.DECIDES,
    **big_shoots.DECIDES,
    **corrections.DECIDES,
    **errands.DECIDES,
    TimerFired: end_what_has_passed,
}
