"""PP-ACCOUNT: from signing up to being identified, and reading about it.

Requests that tell who a person is come from the shell with that sealed, after `persons.py` has
found nothing against them. Reasons in order of precedence:

    OpenSealed       exists_with_different_content
    FileSealed       unknown_account, not_pending
    IdentifyAccount  player_id_invalid, unknown_account, not_pending, no_contract
    ReadAccount, ReadPerson   unknown_account
    ReadNames        too_many_players
"""

from services.wallet.core.accounts.commands import FileSealed, OpenSealed
from services.wallet.core.accounts.finding import account_of
from services.wallet.core.handlers import Decides, Decision
from services.wallet.core.rules import Now
from services.wallet.core.state import Wallet
from shared.contracts.wallet import (
    NAMES_MAX,
    AccountIdentified,
    AccountOpened,
    ContractFiled,
    IdentifyAccount,
    ReadAccount,
    ReadNames,
    ReadPerson,
)
from shared.kernel.decider import Refused


def open_account(wallet: Wallet, command: OpenSealed, _now: Now) -> Decision:
    """Sign up; the same again is a retry, another name under the same id is not."""
    account = wallet.accounts.get(command.player)
    if account is None:
        return (AccountOpened(player=command.player, sealed=command.sealed),)
    return () if account.sealed == command.sealed else Refused("exists_with_different_content")


def file_contract(wallet: Wallet, command: FileSealed, _now: Now) -> Decision:
    """Take what was filed; as long as nobody has checked it, another filing replaces it."""
    account = account_of(wallet, command.player)
    if isinstance(account, Refused):
        return account
    if account.contract == command.sealed:
        return ()
    if account.status != "pending":
        return Refused("not_pending", f"the account is {account.status}")
    return (ContractFiled(player=command.player, sealed=command.sealed),)


def identify_account(wallet: Wallet, request: IdentifyAccount, _now: Now) -> Decision:
    """Only a pending account becomes identified; lifting a suspension is another act."""
    account = account_of(wallet, request.player)
    if isinstance(account, Refused):
        return account
    if account.status == "identified":
        return ()
    if account.status != "pending":
        return Refused("not_pending", f"the account is {account.status}")
    if not account.contract:
        return Refused("no_contract", "nothing was filed that could be checked")
    return (AccountIdentified(player=request.player),)


def read_account(wallet: Wallet, request: ReadAccount | ReadPerson, _now: Now) -> Decision:
    """Reading records nothing; the view is made after the decision."""
    return () if request.player in wallet.accounts else Refused("unknown_account")


def read_names(_wallet: Wallet, request: ReadNames, _now: Now) -> Decision:
    """A read of names is as long as an answer may be; who is unknown has none."""
    if len(request.players) > NAMES_MAX:
        return Refused("too_many_players", f"at most {NAMES_MAX} at a time")
    return ()


DECIDES: Decides = {
    OpenSealed: open_account,
    FileSealed: file_contract,
    IdentifyAccount: identify_account,
    ReadAccount: read_account,
    ReadPerson: read_account,
    ReadNames: read_names,
}
