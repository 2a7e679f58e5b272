"""The wallet's pure core, whole: what the shell needs stands here."""

from typing import Any

from services.wallet.core.accounts.commands import FileSealed, OpenSealed
from services.wallet.core.accounts.persons import verdict_on_filing, verdict_on_opening
from services.wallet.core.decide import make_step
from services.wallet.core.errands.commands import (
    KeyErased,
    Mailed,
    Outcome,
    ParticipationIssued,
    PaymentRejected,
    PaymentStarted,
    SessionIssued,
    TakeOutcomes,
    Unmailable,
)
from services.wallet.core.evolve import evolve
from services.wallet.core.ledger import JournalContradicted
from services.wallet.core.payments.commands import HearProvider
from services.wallet.core.rules import Now, WalletRules
from services.wallet.core.state import Wallet
from services.wallet.core.views import awaiting, respond, timers
from shared.contracts.wallet import WalletEvent
from shared.kernel.decider import Decider

__all__ = [
    "DECIDER",
    "FileSealed",
    "HearProvider",
    "JournalContradicted",
    "KeyErased",
    "Mailed",
    "Now",
    "OpenSealed",
    "Outcome",
    "ParticipationIssued",
    "PaymentRejected",
    "PaymentStarted",
    "SessionIssued",
    "TakeOutcomes",
    "Unmailable",
    "Wallet",
    "WalletRules",
    "awaiting",
    "make_decider",
    "respond",
    "timers",
    "verdict_on_filing",
    "verdict_on_opening",
]


def make_decider(rules: WalletRules) -> Decider[Wallet, Any, WalletEvent]:
    """Return the decider of a wallet with the operator's figures."""
    return Decider(initial=Wallet(), step=make_step(rules), evolve=evolve)


DECIDER = make_decider(WalletRules())
