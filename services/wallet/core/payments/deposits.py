"""Deposits through the provider: asked for by players, decided by the provider's word.

`RequestDeposit` is refused for the first of these that holds:

    player_id_invalid
    payment_invalid                 not a `pay_…` id
    amount_must_be_positive, amount_too_large
    exists_with_different_content   it is another player's, a withdrawal, or of another amount
    no_provider                     none is configured; the desk takes deposits all the same
    unknown_account, not_identified
    self_excluded, deposit_limit_reached

Money that has arrived is never refused and never lost. It goes to the player's cash, or is
`unclaimed` when the account cannot take it or it is not the amount that was asked for.
"""

from services.wallet.core.accounts.bonus import bonus_events
from services.wallet.core.handlers import Decides, Decision
from services.wallet.core.ledger import EXTERNAL, UNCLAIMED, owed_to, posted
from services.wallet.core.limits.allowance import obstacle_to_deposit
from services.wallet.core.payments.commands import HearProvider
from services.wallet.core.payments.finding import is_asked_again, payer_problem, wording_problem
from services.wallet.core.payments.recouping import recouped
from services.wallet.core.payments.settling import given, taken
from services.wallet.core.payments.state import Payment
from services.wallet.core.rules import Now
from services.wallet.core.state import Wallet
from shared.contracts.wallet import (
    AccountSuspended,
    AmountDiffered,
    DepositConfirmed,
    DepositFailed,
    DepositRequested,
    DepositReversed,
    RequestDeposit,
    WalletEvent,
)
from shared.kernel.decider import Refused

Events = tuple[WalletEvent, ...]


def request_deposit(wallet: Wallet, request: RequestDeposit, now: Now) -> Decision:
    """Ask the provider; a retry is answered before the account is looked at."""
    if problem := wording_problem(request):
        return problem
    again = is_asked_again(wallet, request, "deposit")
    if again:
        return again if isinstance(again, Refused) else ()
    if problem := payer_problem(wallet, request.player, now):
        return problem
    obstacle = obstacle_to_deposit(wallet, request.player, request.amount_cents, now.at_ms)
    if obstacle is not None:
        return Refused(obstacle)
    requested = DepositRequested(
        player=request.player, payment=request.payment, amount_cents=request.amount_cents
    )
    return (requested,)


def deposit_succeeded(wallet: Wallet, payment: Payment, said: HearProvider, now: Now) -> Events:
    """Credit what has arrived, once; another amount than was asked for waits for a person."""
    if payment.stage == "confirmed":
        return differing(payment, said, payment.moved_cents)
    if said.amount_cents != payment.asked_cents:
        confirmed = confirmation(wallet, payment, said, UNCLAIMED)
        return (*differing(payment, said, payment.asked_cents), confirmed)
    confirmed = confirmation(wallet, payment, said, owed_to(wallet, payment.player))
    return (confirmed, *bonus_events(wallet, confirmed, now))


def confirmation(
    wallet: Wallet, payment: Payment, said: HearProvider, credited: str
) -> DepositConfirmed:
    """Post what has arrived."""
    amount = said.amount_cents
    share = given(payment, amount, credited)
    return DepositConfirmed(
        player=payment.player,
        payment=said.payment,
        amount_cents=amount,
        credited=credited,
        postings=posted(wallet, (EXTERNAL, -amount), *share.lines),
        settled_cents=share.settled_cents,
    )


def deposit_lost(wallet: Wallet, payment: Payment, said: HearProvider, _now: Now) -> Events:
    """The provider does not have the money, or not any more.

    What had been credited goes back, and the account is suspended until an operator has looked;
    also when a chargeback is heard of before the deposit itself.
    """
    if payment.stage == "confirmed":
        if said.amount_cents != payment.moved_cents:
            differs = differing(payment, said, payment.moved_cents)
            return (*differs, *suspension(wallet, payment, said))
        return (*reversal(wallet, payment, said), *suspension(wallet, payment, said))
    suspended = suspension(wallet, payment, said) if said.word == "charged_back" else ()
    if payment.stage in ("failed", "reversed"):
        return suspended
    reason = said.reason or said.word
    failed = DepositFailed(player=payment.player, payment=said.payment, reason=reason)
    return (failed, *suspended)


def reversal(wallet: Wallet, payment: Payment, said: HearProvider) -> Events:
    """Take back what is still there, withdrawals that wait for an approval included."""
    amount = payment.moved_cents
    released, wallet = recouped(wallet, payment, amount, said.payment)
    share = taken(wallet, payment, amount)
    reverse = DepositReversed(
        player=payment.player,
        payment=said.payment,
        amount_cents=amount,
        spent_cents=share.spent_cents,
        reason=": ".join(filter(None, (said.word, said.reason))),
        postings=posted(wallet, (EXTERNAL, amount), *share.lines),
    )
    return (*released, reverse)


def suspension(wallet: Wallet, payment: Payment, said: HearProvider) -> Events:
    """Nothing more goes in, out or to a table, unless that is so already."""
    account = wallet.accounts.get(payment.player)
    if account is None or account.status != "identified":
        return ()
    reason = f"deposit {said.payment}: {said.word}"
    return (AccountSuspended(player=payment.player, author="wallet", reason=reason),)


def differing(payment: Payment, said: HearProvider, expected_cents: int) -> Events:
    """Say so when the provider speaks of another amount."""
    if said.amount_cents == expected_cents:
        return ()
    differed = AmountDiffered(
        player=payment.player,
        payment=said.payment,
        expected_cents=expected_cents,
        said_cents=said.amount_cents,
    )
    return (differed,)


DECIDES: Decides = {RequestDeposit: request_deposit}
