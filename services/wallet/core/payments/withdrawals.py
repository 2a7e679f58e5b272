"""Withdrawals: held when asked for, approved by an operator, ended by the provider's word.

Each is refused for the first of these that holds:

    player_id_invalid               RequestWithdrawal, CancelWithdrawal
    payment_invalid                 not a `pay_…` id
    author_invalid, reason_invalid  ApproveWithdrawal (no reason), RefuseWithdrawal
    amount_must_be_positive, amount_too_large
    exists_with_different_content   RequestWithdrawal
    unknown_payment                 the others: no such withdrawal, or not this player's
    hold_expired                    ApproveWithdrawal: too late, recorded yet or not
    not_awaiting_approval           the others: it has gone on, or has ended another way
    no_provider                     RequestWithdrawal, ApproveWithdrawal
    unknown_account, not_identified all but RefuseWithdrawal
    insufficient_funds              RequestWithdrawal
    bonus_locked                    the cash would do, but not without what is locked (PP-BONUS)

What is so already stays so: the same again records nothing. A hold ends by an operator's word, the
player's, or by itself; once it is approved, by the provider's only.
"""

from services.wallet.core.accounts.bonus import withdrawable_cents
from services.wallet.core.authors import AUTHOR_CHARACTERS_MAX, authorship_problem, is_line
from services.wallet.core.handlers import Decides, Decision, Ends
from services.wallet.core.ledger import balance_of, cash, owed_to, posted, withdrawal
from services.wallet.core.payments.evolve import EXPIRY
from services.wallet.core.payments.finding import (
    is_asked_again,
    payer_problem,
    standing_problem,
    withdrawal_called,
    wording_problem,
)
from services.wallet.core.payments.state import Payment
from services.wallet.core.rules import Now
from services.wallet.core.state import Wallet
from shared.contracts.wallet import (
    ApproveWithdrawal,
    CancelWithdrawal,
    RefuseWithdrawal,
    ReleaseReason,
    RequestWithdrawal,
    WalletEvent,
    WithdrawalApproved,
    WithdrawalHeld,
    WithdrawalReleased,
)
from shared.kernel.decider import Refused
from shared.kernel.ids import is_derived_id

NOBODY = ""


def request_withdrawal(wallet: Wallet, request: RequestWithdrawal, now: Now) -> Decision:
    """Set the money aside; a retry is answered before the account is looked at."""
    if problem := wording_problem(request):
        return problem
    again = is_asked_again(wallet, request, "withdrawal")
    if again:
        return again if isinstance(again, Refused) else ()
    player, amount = request.player, request.amount_cents
    if problem := payer_problem(wallet, player, now):
        return problem
    if balance_of(wallet, cash(player)) < amount:
        return Refused("insufficient_funds")
    if withdrawable_cents(wallet, player) < amount:
        return Refused("bonus_locked")
    held = WithdrawalHeld(
        player=player,
        payment=request.payment,
        amount_cents=amount,
        expires_at_ms=now.at_ms + now.rules.withdrawal_expires_ms,
        postings=posted(wallet, (cash(player), -amount), (withdrawal(player), amount)),
    )
    return (held,)


def cancel_withdrawal(wallet: Wallet, request: CancelWithdrawal, _now: Now) -> Decision:
    """A player whose account is suspended has to wait: the money would be unclaimed."""
    if not is_derived_id(request.player, "ply"):
        return Refused("player_id_invalid")
    payment = withdrawal_called(wallet, request.payment)
    if isinstance(payment, Refused):
        return payment
    if payment.player != request.player:
        return Refused("unknown_payment")
    if payment.stage != "held":
        return () if payment.why == "cancelled" else not_awaiting(payment)
    if problem := standing_problem(wallet, request.player):
        return problem
    return (released(wallet, request.payment, "cancelled"),)


def approve_withdrawal(wallet: Wallet, request: ApproveWithdrawal, now: Now) -> Decision:
    """Let the money go: from here on only the provider can say what becomes of it."""
    payment = withdrawal_called(wallet, request.payment)
    if isinstance(payment, Refused) and payment.reason == "payment_invalid":
        return payment
    if not is_line(request.author, AUTHOR_CHARACTERS_MAX):
        return Refused("author_invalid")
    if isinstance(payment, Refused):
        return payment
    if was_approved(payment):
        return ()
    if payment.why == "expired" or (payment.stage == "held" and payment.expires_at_ms <= now.at_ms):
        return Refused("hold_expired")
    if payment.stage != "held":
        return not_awaiting(payment)
    if problem := payer_problem(wallet, payment.player, now):
        return problem
    approved = WithdrawalApproved(
        player=payment.player,
        payment=request.payment,
        amount_cents=payment.asked_cents,
        author=request.author,
    )
    return (approved,)


def refuse_withdrawal(wallet: Wallet, request: RefuseWithdrawal, _now: Now) -> Decision:
    """The player has the money back; whoever refuses says why."""
    payment = withdrawal_called(wallet, request.payment)
    if isinstance(payment, Refused) and payment.reason == "payment_invalid":
        return payment
    if problem := authorship_problem(request.author, request.reason):
        return Refused(problem)
    if isinstance(payment, Refused):
        return payment
    if payment.stage != "held":
        return () if payment.why == "refused" else not_awaiting(payment)
    return (released(wallet, request.payment, "refused", request.author, request.reason),)


def expire_withdrawal(wallet: Wallet, name: str, _now: Now) -> tuple[WalletEvent, ...]:
    """Nobody has decided in time."""
    return (released(wallet, name, "expired"),)


def released(
    wallet: Wallet, name: str, why: ReleaseReason, author: str = NOBODY, reason: str = ""
) -> WithdrawalReleased:
    """Give the hold back to the player, whose account may not be able to take it (law 8)."""
    payment = wallet.payments[name]
    player, amount = payment.player, payment.asked_cents
    credited = owed_to(wallet, player)
    return WithdrawalReleased(
        player=player,
        payment=name,
        amount_cents=amount,
        why=why,
        author=author,
        reason=reason,
        credited=credited,
        postings=posted(wallet, (withdrawal(player), -amount), (credited, amount)),
    )


def was_approved(payment: Payment) -> bool:
    """Say whether an operator has let this withdrawal go."""
    return payment.stage in ("approved", "sent", "paid", "returned") or payment.why == "failed"


def not_awaiting(payment: Payment) -> Refused:
    return Refused("not_awaiting_approval", f"it is {payment.stage}")


DECIDES: Decides = {
    RequestWithdrawal: request_withdrawal,
    CancelWithdrawal: cancel_withdrawal,
    ApproveWithdrawal: approve_withdrawal,
    RefuseWithdrawal: refuse_withdrawal,
}
ENDS: Ends = {EXPIRY: expire_withdrawal}
