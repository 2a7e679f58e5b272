"""How payments change."""

from msgspec.structs import replace

from services.wallet.core.handlers import Evolves
from services.wallet.core.ledger import after
from services.wallet.core.payments.state import DeskPayment
from services.wallet.core.state import Wallet
from shared.contracts.wallet import MoneyDeposited


def deposited(wallet: Wallet, event: MoneyDeposited) -> Wallet:
    payment = DeskPayment(event.player, event.amount_cents)
    return replace(
        wallet,
        desk_payments=wallet.desk_payments.insert(event.reference, payment),
        balances=after(wallet.balances, event.postings),
    )


EVOLVES: Evolves = {MoneyDeposited: deposited}
