"""Wallet history folded to state: never refuses, never branches on rules."""

from services.wallet.core.accounts import evolve as accounts
from services.wallet.core.conduct import evolve as conduct
from services.wallet.core.corrections import evolve as corrections
from services.wallet.core.errands import evolve as errands
from services.wallet.core.handlers import Evolves
from services.wallet.core.limits import evolve as limits
from services.wallet.core.payments import evolve as payments
from services.wallet.core.state import Wallet
from services.wallet.core.tournaments import evolve as tournaments
from shared.contracts.wallet import WalletEvent


def evolve(wallet: Wallet, event: WalletEvent) -> Wallet:
    """Apply one recorded fact."""
    return EVOLVES[type(event)](wallet, event)


EVOLVES: Evolves = {
    **accounts.EVOLVES,
    **conduct.EVOLVES,
    **limits.EVOLVES,
    **payments.EVOLVES,
    **tournaments.EVOLVES,
    **corrections.EVOLVES,
    **errands.EVOLVES,
}
