"""The wallet's pure core, whole: what the shell needs stands here."""

from typing import Any

from services.wallet.core.decide import make_step
from services.wallet.core.errands.commands import (
    Outcome,
    ParticipationIssued,
    SessionIssued,
    TakeOutcomes,
)
from services.wallet.core.evolve import evolve
from services.wallet.core.ledger import JournalContradicted
from services.wallet.core.rules import WalletRules
from services.wallet.core.state import Wallet
from services.wallet.core.views import awaiting, respond, timers, trial_balance
from shared.contracts.wallet import WalletEvent
from shared.kernel.decider import Decider

__all__ = [
    "DECIDER",
    "JournalContradicted",
    "Outcome",
    "ParticipationIssued",
    "SessionIssued",
    "TakeOutcomes",
    "Wallet",
    "WalletRules",
    "awaiting",
    "make_decider",
    "respond",
    "timers",
    "trial_balance",
]


def make_decider(rules: WalletRules) -> Decider[Wallet, Any, WalletEvent]:
    """Return the decider of a wallet with the operator's figures."""
    return Decider(initial=Wallet(), step=make_step(rules), evolve=evolve)


DECIDER = make_decider(WalletRules())
