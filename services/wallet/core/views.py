"""What the wallet answers when asked, and what it waits for, from its state."""

from collections.abc import Callable, Mapping
from typing import Any

from services.wallet.core.accounts.bonus import withdrawable_cents
from services.wallet.core.conduct.standing import as_seen, conduct_of
from services.wallet.core.deadlines import TIMER
from services.wallet.core.ledger import balance_of, cash, hold
from services.wallet.core.limits.views import limits_view
from services.wallet.core.payments.views import open_payments_view, payment_view, payments_view
from services.wallet.core.state import Wallet
from shared.contracts.message import Reply
from shared.contracts.wallet import (
    AccountView,
    CountSession,
    ErrandsAwaited,
    ReadAccount,
    ReadLimits,
    ReadOpenPayments,
    ReadPayment,
    ReadPayments,
    WalletRequest,
)


def respond(wallet: Wallet, request: WalletRequest) -> Reply | None:
    """Return the view that a read asks for; a request that only records has none."""
    view = VIEWS.get(type(request))
    return None if view is None else view(wallet, request)


def account_view(wallet: Wallet, player: str) -> AccountView:
    """Show one account as its owner knows it; the account exists, or the read was refused."""
    account = wallet.accounts[player]
    conduct = conduct_of(wallet, player)
    return AccountView(
        player=player,
        name=account.name,
        status=account.status,
        cash_cents=balance_of(wallet, cash(player)),
        held_cents=balance_of(wallet, hold(player)),
        withdrawable_cents=withdrawable_cents(wallet, player),
        contract_filed=bool(account.contract),
        warnings=conduct.warnings,
        chat_suspended=as_seen(conduct.chat),
        play_suspended=as_seen(conduct.play),
    )


def awaiting(wallet: Wallet) -> ErrandsAwaited | None:
    """Return the batch of errands that is to be run."""
    return wallet.errands.asked


def timers(wallet: Wallet) -> tuple[tuple[str, int], ...]:
    """Return the moment of the earliest deadline."""
    return ((TIMER, wallet.deadlines[0].at_ms),) if wallet.deadlines else ()


VIEWS: Mapping[type[Any], Callable[[Wallet, Any], Reply]] = {
    ReadAccount: lambda wallet, read: account_view(wallet, read.player),
    ReadLimits: lambda wallet, read: limits_view(wallet, read.player, read.at_ms),
    CountSession: lambda wallet, count: limits_view(wallet, count.player, count.to_ms),
    ReadPayment: lambda wallet, read: payment_view(wallet, read.payment),
    ReadPayments: lambda wallet, read: payments_view(wallet, read.player),
    ReadOpenPayments: lambda wallet, _: open_payments_view(wallet),
}
