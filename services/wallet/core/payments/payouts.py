"""What the provider's word means for a withdrawal that was approved.

The journal follows what the provider says has moved, so that no hold is left hanging. Where that
is another amount than was asked for, the player never bears more than that: what is left of the
hold, or has come back, is `unclaimed` until a person decides, and what went out too much is the
operator's loss. A success after a failure takes the money from where it had gone back to; see
`settling.py`.
"""

from services.wallet.core.ledger import (
    CHARGEBACKS,
    EXTERNAL,
    UNCLAIMED,
    owed_to,
    posted,
    withdrawal,
)
from services.wallet.core.payments.commands import HearProvider
from services.wallet.core.payments.deposits import Events, differing
from services.wallet.core.payments.recouping import recouped
from services.wallet.core.payments.settling import given, taken
from services.wallet.core.payments.state import Payment
from services.wallet.core.payments.withdrawals import released
from services.wallet.core.rules import Now
from services.wallet.core.state import Wallet
from shared.contracts.wallet import WithdrawalPaid, WithdrawalReturned


def payout_succeeded(wallet: Wallet, payment: Payment, said: HearProvider, _now: Now) -> Events:
    """The player has the money, once."""
    if payment.stage == "paid":
        return differing(payment, said, payment.moved_cents)
    differs = differing(payment, said, payment.asked_cents)
    if payment.stage in ("approved", "sent"):
        return (*differs, paid(wallet, payment, said))
    return (*differs, *paid_after_all(wallet, payment, said))


def paid(wallet: Wallet, payment: Payment, said: HearProvider) -> WithdrawalPaid:
    """The hold is gone for good."""
    held, amount = payment.asked_cents, said.amount_cents
    too_much = max(amount - held, 0)
    lines = (
        (withdrawal(payment.player), -held),
        (EXTERNAL, amount),
        (UNCLAIMED, max(held - amount, 0)),
        (CHARGEBACKS, -too_much),
    )
    return WithdrawalPaid(
        player=payment.player,
        payment=said.payment,
        amount_cents=amount,
        postings=posted(wallet, *lines),
        spent_cents=too_much,
    )


def paid_after_all(wallet: Wallet, payment: Payment, said: HearProvider) -> Events:
    """It was given back as failed, and may be spent: the operator bears what is not there."""
    amount = said.amount_cents
    due = min(amount, payment.asked_cents)
    recalled, wallet = recouped(wallet, payment, due, said.payment)
    share = taken(wallet, payment, due, amount - due)
    paid_late = WithdrawalPaid(
        player=payment.player,
        payment=said.payment,
        amount_cents=amount,
        postings=posted(wallet, (EXTERNAL, amount), *share.lines),
        spent_cents=share.spent_cents,
    )
    return (*recalled, paid_late)


def payout_failed(wallet: Wallet, payment: Payment, said: HearProvider, _now: Now) -> Events:
    """The money is back, or never left."""
    if payment.stage == "paid":
        return came_back(wallet, payment, said)
    if payment.stage in ("released", "returned"):
        return ()
    reason = said.reason or said.word
    return (released(wallet, said.payment, "failed", reason=reason),)


def came_back(wallet: Wallet, payment: Payment, said: HearProvider) -> Events:
    """Credit what came back; less or more than went out waits for a person."""
    amount = said.amount_cents
    differs = differing(payment, said, payment.moved_cents)
    credited = UNCLAIMED if differs else owed_to(wallet, payment.player)
    share = given(payment, amount, credited)
    returned = WithdrawalReturned(
        player=payment.player,
        payment=said.payment,
        amount_cents=amount,
        reason=": ".join(filter(None, (said.word, said.reason))),
        credited=credited,
        postings=posted(wallet, (EXTERNAL, -amount), *share.lines),
        settled_cents=share.settled_cents,
    )
    return (*differs, returned)
