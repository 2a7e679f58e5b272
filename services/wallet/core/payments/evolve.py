"""How payments change."""

from typing import Any, Final

from msgspec.structs import replace

from services.wallet.core.accounts.bonus import having_deposited
from services.wallet.core.deadlines import Deadline, with_deadline, without_deadline
from services.wallet.core.errands.queue import queued
from services.wallet.core.handlers import Evolves
from services.wallet.core.ledger import after
from services.wallet.core.payments.state import DeskPayment, Payment
from services.wallet.core.state import Wallet
from shared.contracts.wallet import (
    AmountDiffered,
    DepositConfirmed,
    DepositFailed,
    DepositRequested,
    DepositReversed,
    MoneyDeposited,
    PaymentSent,
    Posting,
    SendDeposit,
    SendWithdrawal,
    WebhookTaken,
    WithdrawalApproved,
    WithdrawalHeld,
    WithdrawalPaid,
    WithdrawalReleased,
    WithdrawalReturned,
)

EXPIRY: Final = "withdrawal"


def deposited(wallet: Wallet, event: MoneyDeposited) -> Wallet:
    wallet = having_deposited(wallet, event.player)
    payment = DeskPayment(event.player, event.amount_cents)
    return replace(
        wallet,
        desk_payments=wallet.desk_payments.insert(event.reference, payment),
        balances=after(wallet.balances, event.postings),
    )


def requested(wallet: Wallet, event: DepositRequested) -> Wallet:
    payment = Payment("deposit", event.player, event.amount_cents, "requested")
    wallet = with_new(wallet, event.payment, payment)
    return queued(wallet, SendDeposit(event.payment, event.player, event.amount_cents))


def sent(wallet: Wallet, event: PaymentSent) -> Wallet:
    """The provider may have told of it before we heard that it had taken it on."""
    payment = wallet.payments[event.payment]
    stage = "sent" if payment.stage in ("requested", "approved") else payment.stage
    reference = payment.reference or event.provider_reference
    sent = replace(payment, stage=stage, reference=reference, page=event.page)
    return with_payment(wallet, event.payment, sent)


def webhook_taken(wallet: Wallet, event: WebhookTaken) -> Wallet:
    """Amounts are right until the next fact says that they are not."""
    wallet = agreed(wallet, event.payment)
    return changed(wallet, event, heard=event.sequence, reference=event.provider_reference)


def agreed(wallet: Wallet, name: str) -> Wallet:
    """Nobody has to look at this payment's amount any more."""
    payment = wallet.payments[name]
    if not payment.differs:
        return wallet
    differing = tuple(other for other in wallet.differing if other != name)
    wallet = replace(wallet, differing=differing)
    return with_payment(wallet, name, replace(payment, differs=False))


def amount_differed(wallet: Wallet, event: AmountDiffered) -> Wallet:
    wallet = replace(wallet, differing=(*wallet.differing, event.payment))
    return changed(wallet, event, differs=True)


def confirmed(wallet: Wallet, event: DepositConfirmed) -> Wallet:
    wallet = having_deposited(wallet, event.player)
    return come(wallet, event, stage="confirmed", moved_cents=event.amount_cents)


def failed(wallet: Wallet, event: DepositFailed) -> Wallet:
    return changed(wallet, event, stage="failed")


def reversed_(wallet: Wallet, event: DepositReversed) -> Wallet:
    return gone(wallet, event, stage="reversed", moved_cents=0)


def held(wallet: Wallet, event: WithdrawalHeld) -> Wallet:
    payment = Payment(
        "withdrawal", event.player, event.amount_cents, "held", expires_at_ms=event.expires_at_ms
    )
    deadline = Deadline(event.expires_at_ms, EXPIRY, event.payment)
    wallet = replace(wallet, deadlines=with_deadline(wallet.deadlines, deadline))
    return with_postings(with_new(wallet, event.payment, payment), event.postings)


def approved(wallet: Wallet, event: WithdrawalApproved) -> Wallet:
    wallet = without_expiry(wallet, event.payment)
    wallet = queued(wallet, SendWithdrawal(event.payment, event.player, event.amount_cents))
    return changed(wallet, event, stage="approved")


def released(wallet: Wallet, event: WithdrawalReleased) -> Wallet:
    """It never left, so there is no loss to settle."""
    wallet = with_postings(without_expiry(wallet, event.payment), event.postings)
    return changed(
        wallet,
        event,
        stage="released",
        why=event.why,
        credited=event.credited,
        credited_cents=event.amount_cents,
    )


def paid(wallet: Wallet, event: WithdrawalPaid) -> Wallet:
    moved_cents = wallet.payments[event.payment].moved_cents + event.amount_cents
    return gone(wallet, event, stage="paid", moved_cents=moved_cents)


def returned(wallet: Wallet, event: WithdrawalReturned) -> Wallet:
    moved_cents = wallet.payments[event.payment].moved_cents - event.amount_cents
    return come(wallet, event, stage="returned", moved_cents=moved_cents)


def come(wallet: Wallet, event: DepositConfirmed | WithdrawalReturned, **changes: Any) -> Wallet:
    """Money has come in or back; part of it may have made good a loss."""
    payment = wallet.payments[event.payment]
    return changed(
        with_postings(wallet, event.postings),
        event,
        credited=event.credited,
        credited_cents=event.amount_cents - event.settled_cents,
        lost_cents=payment.lost_cents - event.settled_cents,
        **changes,
    )


def gone(wallet: Wallet, event: DepositReversed | WithdrawalPaid, **changes: Any) -> Wallet:
    """Money has gone out or back; part of it may be the operator's loss."""
    payment = wallet.payments[event.payment]
    lost_cents = payment.lost_cents + event.spent_cents
    return changed(
        with_postings(wallet, event.postings),
        event,
        credited_cents=0,
        lost_cents=lost_cents,
        **changes,
    )


def without_expiry(wallet: Wallet, name: str) -> Wallet:
    """Return the wallet in which this withdrawal does not end by itself any more."""
    deadline = Deadline(wallet.payments[name].expires_at_ms, EXPIRY, name)
    return replace(wallet, deadlines=without_deadline(wallet.deadlines, deadline))


def changed(wallet: Wallet, event: Any, **changes: Any) -> Wallet:
    """Return the wallet with the payment of this event changed."""
    payment = replace(wallet.payments[event.payment], **changes)
    return with_payment(wallet, event.payment, payment)


def with_new(wallet: Wallet, name: str, payment: Payment) -> Wallet:
    """Return the wallet with one payment more."""
    named = (*(wallet.payments_of.get(payment.player) or ()), name)
    wallet = replace(wallet, payments_of=wallet.payments_of.insert(payment.player, named))
    return with_payment(wallet, name, payment)


def with_payment(wallet: Wallet, name: str, payment: Payment) -> Wallet:
    """Return the wallet with this payment as it is now."""
    return replace(wallet, payments=wallet.payments.insert(name, payment))


def with_postings(wallet: Wallet, postings: tuple[Posting, ...]) -> Wallet:
    """Return the wallet with the balances after what was posted."""
    return replace(wallet, balances=after(wallet.balances, postings))


EVOLVES: Evolves = {
    MoneyDeposited: deposited,
    DepositRequested: requested,
    PaymentSent: sent,
    WebhookTaken: webhook_taken,
    AmountDiffered: amount_differed,
    DepositConfirmed: confirmed,
    DepositFailed: failed,
    DepositReversed: reversed_,
    WithdrawalHeld: held,
    WithdrawalApproved: approved,
    WithdrawalReleased: released,
    WithdrawalPaid: paid,
    WithdrawalReturned: returned,
}
