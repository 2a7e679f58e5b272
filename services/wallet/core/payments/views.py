"""Payments as their player sees them, and what waits for an operator."""

from services.wallet.core.accounts.finding import account_of
from services.wallet.core.handlers import Decides, Decision
from services.wallet.core.payments.evolve import EXPIRY
from services.wallet.core.rules import Now
from services.wallet.core.state import Wallet
from shared.contracts.wallet import (
    OpenPaymentsView,
    PaymentsView,
    PaymentView,
    ReadOpenPayments,
    ReadPayment,
    ReadPayments,
)
from shared.kernel.decider import Refused

SHOWN_MAX = 200


def read_payment(wallet: Wallet, request: ReadPayment, _now: Now) -> Decision:
    """Reading records nothing."""
    return () if request.payment in wallet.payments else Refused("unknown_payment")


def read_payments(wallet: Wallet, request: ReadPayments, _now: Now) -> Decision:
    """Reading records nothing; the view is made after the decision."""
    account = account_of(wallet, request.player)
    return account if isinstance(account, Refused) else ()


def read_open_payments(_wallet: Wallet, _request: ReadOpenPayments, _now: Now) -> Decision:
    """Reading records nothing."""
    return ()


def payments_view(wallet: Wallet, player: str) -> PaymentsView:
    """Show a player's newest payments."""
    named = wallet.payments_of.get(player) or ()
    newest = named[: -SHOWN_MAX - 1 : -1]
    return PaymentsView(payments=tuple([payment_view(wallet, name) for name in newest]))


def open_payments_view(wallet: Wallet) -> OpenPaymentsView:
    """Show what an operator has to look at, the most urgent first."""
    waiting = [held.key for held in wallet.deadlines if held.what == EXPIRY]
    return OpenPaymentsView(
        withdrawals=tuple([payment_view(wallet, name) for name in waiting[:SHOWN_MAX]]),
        differing=tuple([payment_view(wallet, name) for name in wallet.differing[:SHOWN_MAX]]),
    )


def payment_view(wallet: Wallet, name: str) -> PaymentView:
    """Show one payment."""
    payment = wallet.payments[name]
    return PaymentView(
        payment=name,
        kind=payment.kind,
        player=payment.player,
        stage=payment.stage,
        amount_cents=payment.asked_cents,
        moved_cents=payment.moved_cents,
        page=payment.page,
        expires_at_ms=payment.expires_at_ms,
        differs=payment.differs,
        why=payment.why,
    )


DECIDES: Decides = {
    ReadPayment: read_payment,
    ReadPayments: read_payments,
    ReadOpenPayments: read_open_payments,
}
