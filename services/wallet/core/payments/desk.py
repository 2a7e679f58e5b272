"""Deposits that an operator has seen arrive, once per reference."""

from services.wallet.core.accounts.bonus import bonus_events
from services.wallet.core.handlers import Decides, Decision
from services.wallet.core.ledger import EXTERNAL, cash, posted
from services.wallet.core.limits.allowance import obstacle_to_deposit
from services.wallet.core.payments.state import DeskPayment
from services.wallet.core.rules import Now
from services.wallet.core.state import Wallet
from shared.contracts.wallet import Deposit, MoneyDeposited
from shared.kernel.decider import Refused
from shared.kernel.ids import is_derived_id
from shared.kernel.money import amount_problem

REFERENCE_CHARACTERS_MAX = 64
LETTERS = "abcdefghijklmnopqrstuvwxyz"
REFERENCE_CHARACTERS = frozenset(f"{LETTERS}{LETTERS.upper()}0123456789_-.:/")


def deposit(wallet: Wallet, request: Deposit, now: Now) -> Decision:
    """Take money in once per reference; a retry is answered before the account is looked at."""
    if not is_derived_id(request.player, "ply"):
        return Refused("player_id_invalid")
    if problem := amount_problem(request.amount_cents):
        return Refused(problem)
    if not is_reference(request.reference):
        return Refused("reference_invalid")
    paid = wallet.desk_payments.get(request.reference)
    if paid is not None:
        same = paid == DeskPayment(request.player, request.amount_cents)
        return () if same else Refused("exists_with_different_content")
    account = wallet.accounts.get(request.player)
    if account is None:
        return Refused("unknown_account")
    if account.status != "identified":
        return Refused("not_identified", f"the account is {account.status}")
    obstacle = obstacle_to_deposit(wallet, request.player, request.amount_cents, now.at_ms)
    if obstacle is not None:
        return Refused(obstacle)
    paid_in = deposited(wallet, request)
    return (paid_in, *bonus_events(wallet, paid_in, now))


def deposited(wallet: Wallet, request: Deposit) -> MoneyDeposited:
    """Post a deposit: what the player gains is what the outside world owes."""
    amount = request.amount_cents
    return MoneyDeposited(
        player=request.player,
        amount_cents=amount,
        reference=request.reference,
        postings=posted(wallet, (EXTERNAL, -amount), (cash(request.player), amount)),
    )


def is_reference(text: str) -> bool:
    """A payment reference is plain ASCII without blanks."""
    return 0 < len(text) <= REFERENCE_CHARACTERS_MAX and REFERENCE_CHARACTERS.issuperset(text)


DECIDES: Decides = {Deposit: deposit}
