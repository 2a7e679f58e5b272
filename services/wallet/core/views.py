"""What the wallet answers when asked, and what it waits for, from its state."""

from services.wallet.core.deadlines import TIMER
from services.wallet.core.ledger import balance_of, cash, hold
from services.wallet.core.state import Wallet
from shared.contracts.message import Reply
from shared.contracts.wallet import (
    AccountView,
    ErrandsAwaited,
    ReadAccount,
    ReadTrialBalance,
    TrialBalance,
    WalletRequest,
)


def respond(wallet: Wallet, request: WalletRequest) -> Reply | None:
    """Return the view that a read asks for; a request that only records has none."""
    match request:
        case ReadAccount():
            return account_view(wallet, request.player)
        case ReadTrialBalance():
            return trial_balance(wallet)
        case _:
            return None


def account_view(wallet: Wallet, player: str) -> AccountView:
    """Show one account as its owner knows it; the account exists, or the read was refused."""
    account = wallet.accounts[player]
    return AccountView(
        player=player,
        name=account.name,
        status=account.status,
        cash_cents=balance_of(wallet, cash(player)),
        held_cents=balance_of(wallet, hold(player)),
    )


def trial_balance(wallet: Wallet) -> TrialBalance:
    """List every ledger account that was ever posted to, and the sum, which must be zero."""
    balances = dict(wallet.balances.items())
    return TrialBalance(balances=balances, sum_cents=sum(balances.values()))


def awaiting(wallet: Wallet) -> ErrandsAwaited | None:
    """Return the batch of errands that is to be run."""
    return wallet.errands.asked


def timers(wallet: Wallet) -> tuple[tuple[str, int], ...]:
    """Return the moment of the earliest deadline."""
    return ((TIMER, wallet.deadlines[0].at_ms),) if wallet.deadlines else ()
