"""Payments: money in and out through a provider that answers when it likes.

A payment is named by its client, `pay_…`, once for ever. The provider tells how it came out by
signed webhooks, which may come late, twice, or out of order; each has the number that the provider
gave it among those of its payment, and the word with the highest number is the one that counts.
"""

from typing import Literal, final

from shared.contracts.message import Command, Event, Reply
from shared.contracts.wallet.ledger import Posting

PaymentKind = Literal["deposit", "withdrawal"]
PaymentStage = Literal[
    "requested",
    "held",
    "approved",
    "sent",
    "confirmed",
    "failed",
    "reversed",
    "paid",
    "released",
    "returned",
]
ProviderWord = Literal["succeeded", "failed", "charged_back", "returned"]
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
class ReadPayment(Command, frozen=True, tag="wallet.read-payment.v1"):
    """Ask for one payment through the provider; answered by a `PaymentView`."""

    payment: str


@final
class ReadPayments(Command, frozen=True, tag="wallet.read-payments.v1"):
    """Ask for a player's payments through the provider; answered by a `PaymentsView`."""

    player: str


@final
class ReadOpenPayments(Command, frozen=True, tag="wallet.read-open-payments.v1"):
    """Ask what waits for an operator; answered by an `OpenPaymentsView`."""


class PaymentView(Reply, frozen=True):
    """One payment: what was asked for, and how far it has come.

    `moved_cents` is what the provider has moved, `page` where the player goes on. `differs`: the
    provider speaks of another amount, and a person has to decide. `why` is that of a release.
    """

    payment: str
    kind: PaymentKind
    player: str
    stage: PaymentStage
    amount_cents: int
    moved_cents: int
    page: str
    expires_at_ms: int
    differs: bool
    why: ReleaseReason | None


class PaymentsView(Reply, frozen=True):
    """A player's newest payments, the newest first."""

    payments: tuple[PaymentView, ...]


class OpenPaymentsView(Reply, frozen=True):
    """Withdrawals to approve, the first to expire first; and payments whose amounts differ."""

    withdrawals: tuple[PaymentView, ...]
    differing: tuple[PaymentView, ...]


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
class WebhookTaken(Event, frozen=True, tag="wallet.webhook-taken.v1"):
    """The newest word of the provider on a payment, as it was signed; what it means stands behind.

    `sequence` counts the provider's words on this payment, `event` is its name for this one.
    """

    payment: str
    event: str
    sequence: int
    occurred_at_ms: int
    provider_reference: str
    word: ProviderWord
    amount_cents: int
    reason: str


@final
class AmountDiffered(Event, frozen=True, tag="wallet.amount-differed.v1"):
    """The provider speaks of another amount than was to move: a person has to decide.

    What has moved is posted, and what of it is nobody's until then is `unclaimed`.
    """

    player: str
    payment: str
    expected_cents: int
    said_cents: int


@final
class DepositConfirmed(Event, frozen=True, tag="wallet.deposit-confirmed.v1"):
    """The provider has the money; `credited` says which ledger account took it.

    `settled_cents` of it make good what the operator had lost by this payment before.
    """

    player: str
    payment: str
    amount_cents: int
    credited: str
    postings: tuple[Posting, ...]
    settled_cents: int = 0


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
    credited: str
    postings: tuple[Posting, ...]


@final
class WithdrawalPaid(Event, frozen=True, tag="wallet.withdrawal-paid.v1"):
    """The money is out; after a failure it leaves from where it had gone back to.

    `spent_cents` of it were not the player's, or not there any more: the operator's loss; see
    `chargebacks`.
    """

    player: str
    payment: str
    amount_cents: int
    postings: tuple[Posting, ...]
    spent_cents: int = 0


@final
class WithdrawalReturned(Event, frozen=True, tag="wallet.withdrawal-returned.v1"):
    """Money that had been paid out came back, and is the player's again.

    `settled_cents` of it make good what the operator had lost by this payment before.
    """

    player: str
    payment: str
    amount_cents: int
    reason: str
    credited: str
    postings: tuple[Posting, ...]
    settled_cents: int = 0


PaymentRequest = (
    Deposit
    | RequestDeposit
    | RequestWithdrawal
    | CancelWithdrawal
    | ApproveWithdrawal
    | RefuseWithdrawal
    | TakeWebhook
    | ReadPayment
    | ReadPayments
    | ReadOpenPayments
)
PaymentEvent = (
    MoneyDeposited
    | DepositRequested
    | PaymentSent
    | WebhookTaken
    | AmountDiffered
    | DepositConfirmed
    | DepositFailed
    | DepositReversed
    | WithdrawalHeld
    | WithdrawalApproved
    | WithdrawalReleased
    | WithdrawalPaid
    | WithdrawalReturned
)
