"""Payments: money in and out through a provider that answers when it likes.

A payment is named by its client, `pay_…`, once for ever. The provider tells how it came out by
signed webhooks, which may come late, twice, or out of order.
"""

from typing import Literal, final

from shared.contracts.message import Command, Event
from shared.contracts.wallet.ledger import Posting

ReleaseReason = Literal["expired", "refused", "cancelled", "failed"]


@final
class Deposit(Command, frozen=True, tag="wallet.deposit.v1"):
    """Money that an operator has seen arrive; `reference` names the payment, once for ever."""

    player: str
    amount_cents: int
    reference: str


@final
class RequestDeposit(Command, frozen=True, tag="wallet.request-deposit.v1"):
    """The player wants to pay in through the provider."""

    player: str
    payment: str
    amount_cents: int


@final
class RequestWithdrawal(Command, frozen=True, tag="wallet.request-withdrawal.v1"):
    """The player wants money out: it is held until an operator has approved, or it expires."""

    player: str
    payment: str
    amount_cents: int


@final
class CancelWithdrawal(Command, frozen=True, tag="wallet.cancel-withdrawal.v1"):
    """The player changed their mind before the approval."""

    player: str
    payment: str


@final
class ApproveWithdrawal(Command, frozen=True, tag="wallet.approve-withdrawal.v1"):
    payment: str
    author: str


@final
class RefuseWithdrawal(Command, frozen=True, tag="wallet.refuse-withdrawal.v1"):
    payment: str
    author: str
    reason: str


@final
class TakeWebhook(Command, frozen=True, tag="wallet.take-webhook.v1"):
    """What came to our address in the provider's name: `body` as it came, and its signature."""

    body: bytes
    signature: str


@final
class MoneyDeposited(Event, frozen=True, tag="wallet.money-deposited.v1"):
    player: str
    amount_cents: int
    reference: str
    postings: tuple[Posting, ...]


@final
class DepositRequested(Event, frozen=True, tag="wallet.deposit-requested.v1"):
    player: str
    payment: str
    amount_cents: int


@final
class PaymentSent(Event, frozen=True, tag="wallet.payment-sent.v1"):
    """The provider has taken it on; `page` is where the player goes on, for a deposit."""

    payment: str
    provider_reference: str
    page: str = ""


@final
class DepositConfirmed(Event, frozen=True, tag="wallet.deposit-confirmed.v1"):
    """The provider has the money; `credited` says which ledger account took it."""

    player: str
    payment: str
    amount_cents: int
    credited: str
    postings: tuple[Posting, ...]


@final
class DepositFailed(Event, frozen=True, tag="wallet.deposit-failed.v1"):
    player: str
    payment: str
    reason: str


@final
class DepositReversed(Event, frozen=True, tag="wallet.deposit-reversed.v1"):
    """The money went back: a chargeback, or a failure after success.

    What the player had spent of it is the operator's loss; see `chargebacks`.
    """

    player: str
    payment: str
    amount_cents: int
    spent_cents: int
    reason: str
    postings: tuple[Posting, ...]


@final
class WithdrawalHeld(Event, frozen=True, tag="wallet.withdrawal-held.v1"):
    player: str
    payment: str
    amount_cents: int
    expires_at_ms: int
    postings: tuple[Posting, ...]


@final
class WithdrawalApproved(Event, frozen=True, tag="wallet.withdrawal-approved.v1"):
    """From here on the hold ends by the provider's word only."""

    player: str
    payment: str
    amount_cents: int
    author: str


@final
class WithdrawalReleased(Event, frozen=True, tag="wallet.withdrawal-released.v1"):
    player: str
    payment: str
    amount_cents: int
    why: ReleaseReason
    author: str
    reason: str
    postings: tuple[Posting, ...]


@final
class WithdrawalPaid(Event, frozen=True, tag="wallet.withdrawal-paid.v1"):
    player: str
    payment: str
    amount_cents: int
    postings: tuple[Posting, ...]


@final
class WithdrawalReturned(Event, frozen=True, tag="wallet.withdrawal-returned.v1"):
    """Money that had been paid out came back, and is the player's again."""

    player: str
    payment: str
    amount_cents: int
    reason: str
    credited: str
    postings: tuple[Posting, ...]


PaymentRequest = (
    Deposit
    | RequestDeposit
    | RequestWithdrawal
    | CancelWithdrawal
    | ApproveWithdrawal
    | RefuseWithdrawal
    | TakeWebhook
)
PaymentEvent = (
    MoneyDeposited
    | DepositRequested
    | PaymentSent
    | DepositConfirmed
    | DepositFailed
    | DepositReversed
    | WithdrawalHeld
    | WithdrawalApproved
    | WithdrawalReleased
    | WithdrawalPaid
    | WithdrawalReturned
)
