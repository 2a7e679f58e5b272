"""What people ask of their accounts: sign up, be identified, deposit (PP-ACCOUNT)."""

from services.wallet.core.ledger import EXTERNAL, cash, posted
from services.wallet.core.state import Account, Payment, Wallet
from shared.contracts.wallet import (
    AccountIdentified,
    AccountOpened,
    Deposit,
    IdentifyAccount,
    MoneyDeposited,
    OpenAccount,
    ReadAccount,
    WalletEvent,
)
from shared.kernel.decider import Refused
from shared.kernel.ids import is_derived_id
from shared.kernel.money import amount_problem

NAME_CHARACTERS_MAX = 64
REFERENCE_CHARACTERS_MAX = 64
REFERENCE_SIGNS = frozenset("_-.:/")

Decision = tuple[WalletEvent, ...] | Refused


def open_account(wallet: Wallet, request: OpenAccount) -> Decision:
    """Sign up; the same again is a retry, another name under the same id is not."""
    if not is_derived_id(request.player, "ply"):
        return Refused("player_id_invalid")
    if not is_name(request.name):
        return Refused("name_invalid")
    account = wallet.accounts.get(request.player)
    if account is None:
        return (AccountOpened(player=request.player, name=request.name),)
    return () if account.name == request.name else Refused("exists_with_different_content")


def identify_account(wallet: Wallet, request: IdentifyAccount) -> Decision:
    """Only a pending account becomes identified; lifting a suspension is another act."""
    account = account_of(wallet, request.player)
    if isinstance(account, Refused):
        return account
    if account.status == "identified":
        return ()
    if account.status != "pending":
        return Refused("not_pending", f"the account is {account.status}")
    return (AccountIdentified(player=request.player),)


def deposit(wallet: Wallet, request: Deposit) -> Decision:
    """Take money in once per reference; a retry is answered before the account is looked at."""
    if not is_derived_id(request.player, "ply"):
        return Refused("player_id_invalid")
    if problem := amount_problem(request.amount_cents):
        return Refused(problem)
    if not is_reference(request.reference):
        return Refused("reference_invalid")
    paid = wallet.payments.get(request.reference)
    if paid is not None:
        same = paid == Payment(request.player, request.amount_cents)
        return () if same else Refused("exists_with_different_content")
    account = account_of(wallet, request.player)
    if isinstance(account, Refused):
        return account
    if account.status != "identified":
        return Refused("not_identified", f"the account is {account.status}")
    return (deposited(wallet, request),)


def deposited(wallet: Wallet, request: Deposit) -> MoneyDeposited:
    """Post a deposit: what the player gains is what the outside world owes."""
    amount = request.amount_cents
    return MoneyDeposited(
        player=request.player,
        amount_cents=amount,
        reference=request.reference,
        postings=posted(wallet, (EXTERNAL, -amount), (cash(request.player), amount)),
    )


def read_account(wallet: Wallet, request: ReadAccount) -> Decision:
    """Reading records nothing; the view is made after the decision."""
    return () if request.player in wallet.accounts else Refused("unknown_account")


def account_of(wallet: Wallet, player: str) -> Account | Refused:
    """Find the account a request names."""
    if not is_derived_id(player, "ply"):
        return Refused("player_id_invalid")
    return wallet.accounts.get(player) or Refused("unknown_account")


def is_name(text: str) -> bool:
    """A name can be shown on one line and does not hide behind blanks."""
    return 0 < len(text) <= NAME_CHARACTERS_MAX and text.isprintable() and text == text.strip()


def is_reference(text: str) -> bool:
    """A payment reference is plain ASCII without blanks."""
    return (
        0 < len(text) <= REFERENCE_CHARACTERS_MAX
        and text.isascii()
        and all(sign.isalnum() or sign in REFERENCE_SIGNS for sign in text)
    )
