"""Finding the payment that a request names, and refusing names and amounts that cannot be."""

from services.wallet.core.accounts.finding import account_of
from services.wallet.core.payments.state import Payment
from services.wallet.core.rules import Now
from services.wallet.core.state import Wallet
from shared.contracts.wallet import PaymentKind, RequestDeposit, RequestWithdrawal
from shared.kernel.decider import Refused
from shared.kernel.ids import is_derived_id
from shared.kernel.money import amount_problem


def wording_problem(request: RequestDeposit | RequestWithdrawal) -> Refused | None:
    """Return what is wrong with a request whoever asks, and whatever there is."""
    if not is_derived_id(request.player, "ply"):
        return Refused("player_id_invalid")
    if not is_derived_id(request.payment, "pay"):
        return Refused("payment_invalid")
    problem = amount_problem(request.amount_cents)
    return Refused(problem) if problem else None


def is_asked_again(
    wallet: Wallet, request: RequestDeposit | RequestWithdrawal, kind: PaymentKind
) -> bool | Refused:
    """Say whether a payment of this name is there; one of other content is no retry."""
    known = wallet.payments.get(request.payment)
    if known is None:
        return False
    asked = (kind, request.player, request.amount_cents)
    same = (known.kind, known.player, known.asked_cents) == asked
    return same or Refused("exists_with_different_content")


def payer_problem(wallet: Wallet, player: str, now: Now) -> Refused | None:
    """Return why no money of this player can go through a provider now."""
    return Refused("no_provider") if not now.rules.provider else standing_problem(wallet, player)


def standing_problem(wallet: Wallet, player: str) -> Refused | None:
    """Money goes in and out of identified accounts only (PP-ACCOUNT)."""
    account = account_of(wallet, player)
    if isinstance(account, Refused):
        return account
    if account.status != "identified":
        return Refused("not_identified", f"the account is {account.status}")
    return None


def withdrawal_called(wallet: Wallet, name: str) -> Payment | Refused:
    """Find a withdrawal."""
    if not is_derived_id(name, "pay"):
        return Refused("payment_invalid")
    payment = wallet.payments.get(name)
    if payment is None or payment.kind != "withdrawal":
        return Refused("unknown_payment")
    return payment
