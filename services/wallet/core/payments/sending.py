"""What came of telling the provider of a payment."""

from services.wallet.core.errands.commands import PaymentRejected, PaymentStarted
from services.wallet.core.handlers import Decides
from services.wallet.core.payments.withdrawals import released
from services.wallet.core.rules import Now
from services.wallet.core.state import Wallet
from shared.contracts.wallet import DepositFailed, PaymentSent, WalletEvent

Events = tuple[WalletEvent, ...]


def started(_wallet: Wallet, outcome: PaymentStarted, _now: Now) -> Events:
    """The provider has taken it on; it may have told us the end already."""
    sent = PaymentSent(
        payment=outcome.payment,
        provider_reference=outcome.provider_reference,
        page=outcome.page,
    )
    return (sent,)


def rejected(wallet: Wallet, outcome: PaymentRejected, _now: Now) -> Events:
    """The provider will not do it: as if it had failed, unless it has spoken of it after all."""
    payment = wallet.payments[outcome.payment]
    reason = f"rejected: {outcome.reason}"
    if payment.heard:
        return ()
    if payment.stage == "requested":
        return (DepositFailed(player=payment.player, payment=outcome.payment, reason=reason),)
    if payment.stage == "approved":
        return (released(wallet, outcome.payment, "failed", reason=reason),)
    return ()


OUTCOMES: Decides = {PaymentStarted: started, PaymentRejected: rejected}
