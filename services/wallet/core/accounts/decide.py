"""What people ask of their accounts: sign up, be identified (PP-ACCOUNT)."""

from services.wallet.core.accounts.finding import account_of
from services.wallet.core.handlers import Decides, Decision
from services.wallet.core.rules import Now
from services.wallet.core.state import Wallet
from shared.contracts.wallet import (
    AccountIdentified,
    AccountOpened,
    IdentifyAccount,
    OpenAccount,
    ReadAccount,
)
from shared.kernel.decider import Refused
from shared.kernel.ids import is_derived_id

NAME_CHARACTERS_MAX = 64


def open_account(wallet: Wallet, request: OpenAccount, _now: Now) -> Decision:
    """Sign up; the same again is a retry, another name under the same id is not."""
    if not is_derived_id(request.player, "ply"):
        return Refused("player_id_invalid")
    if not is_name(request.name):
        return Refused("name_invalid")
    account = wallet.accounts.get(request.player)
    if account is None:
        return (AccountOpened(player=request.player, name=request.name),)
    return () if account.name == request.name else Refused("exists_with_different_content")


def identify_account(wallet: Wallet, request: IdentifyAccount, _now: Now) -> Decision:
    """Only a pending account becomes identified; lifting a suspension is another act."""
    account = account_of(wallet, request.player)
    if isinstance(account, Refused):
        return account
    if account.status == "identified":
        return ()
    if account.status != "pending":
        return Refused("not_pending", f"the account is {account.status}")
    return (AccountIdentified(player=request.player),)


def read_account(wallet: Wallet, request: ReadAccount, _now: Now) -> Decision:
    """Reading records nothing; the view is made after the decision."""
    return () if request.player in wallet.accounts else Refused("unknown_account")


def is_name(text: str) -> bool:
    """A name can be shown on one line and does not hide behind blanks."""
    return 0 < len(text) <= NAME_CHARACTERS_MAX and text.isprintable() and text == text.strip()


DECIDES: Decides = {
    OpenAccount: open_account,
    IdentifyAccount: identify_account,
    ReadAccount: read_account,
}
