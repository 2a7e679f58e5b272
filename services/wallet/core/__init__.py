"""The wallet's pure core, whole: what the shell needs stands here."""

from services.wallet.core.decide import WalletCommand, WalletFact, step
from services.wallet.core.evolve import evolve
from services.wallet.core.ledger import JournalContradicted
from services.wallet.core.state import Wallet
from services.wallet.core.views import respond, trial_balance
from shared.contracts.wallet import WalletEvent
from shared.kernel.decider import Decider

__all__ = [
    "DECIDER",
    "JournalContradicted",
    "Wallet",
    "WalletCommand",
    "WalletFact",
    "respond",
    "trial_balance",
]

DECIDER: Decider[Wallet, WalletCommand, WalletEvent] = Decider(
    initial=Wallet(), step=step, evolve=evolve
)
