"""PP-ACCOUNT: what operators do to an account: `identified ⇄ suspended → closed`, and erasure.

Each is refused for the first of these that holds:

    player_id_invalid
    author_invalid, reason_invalid   who acts and why, as everywhere; erasure needs no reason
    unknown_account
    not_identified   SuspendAccount
    not_suspended    ReinstateAccount
    money_left       CloseAccount: cash, a hold, a withdrawal, or a ticket that was not used
    not_closed       ErasePerson

What is so already stays so: the same again records nothing.
"""

from services.wallet.core.accounts.finding import account_of
from services.wallet.core.accounts.money import money_left
from services.wallet.core.accounts.state import Account
from services.wallet.core.authors import authorship_problem
from services.wallet.core.errands.commands import KeyErased
from services.wallet.core.handlers import Decides, Decision
from services.wallet.core.rules import Now
from services.wallet.core.state import Wallet
from shared.contracts.wallet import (
    AccountClosed,
    AccountReinstated,
    AccountSuspended,
    CloseAccount,
    ErasePerson,
    ErasureOrdered,
    PersonErased,
    ReinstateAccount,
    SuspendAccount,
)
from shared.kernel.decider import Refused

NO_REASON = "erasure"


def suspend_account(wallet: Wallet, request: SuspendAccount, _now: Now) -> Decision:
    """Nothing goes in, out or to a table; what is due meanwhile waits unclaimed (law 8)."""
    account = named(wallet, request.player, request.author, request.reason)
    if isinstance(account, Refused):
        return account
    if account.status == "suspended":
        return ()
    if account.status != "identified":
        return Refused("not_identified", f"the account is {account.status}")
    suspended = AccountSuspended(
        player=request.player, author=request.author, reason=request.reason
    )
    return (suspended,)


def reinstate_account(wallet: Wallet, request: ReinstateAccount, _now: Now) -> Decision:
    """All is as it was before the suspension."""
    account = named(wallet, request.player, request.author, request.reason)
    if isinstance(account, Refused):
        return account
    if account.status == "identified":
        return ()
    if account.status != "suspended":
        return Refused("not_suspended", f"the account is {account.status}")
    reinstated = AccountReinstated(
        player=request.player, author=request.author, reason=request.reason
    )
    return (reinstated,)


def close_account(wallet: Wallet, request: CloseAccount, _now: Now) -> Decision:
    """An account ends once, from whichever state, and with nothing in it."""
    account = named(wallet, request.player, request.author, request.reason)
    if isinstance(account, Refused):
        return account
    if account.status == "closed":
        return ()
    if left := money_left(wallet, request.player):
        return Refused("money_left", left)
    closed = AccountClosed(player=request.player, author=request.author, reason=request.reason)
    return (closed,)


def erase_person(wallet: Wallet, request: ErasePerson, _now: Now) -> Decision:
    """From here on nothing is sealed for this person; the key is destroyed by an errand."""
    account = named(wallet, request.player, request.author, NO_REASON)
    if isinstance(account, Refused):
        return account
    if request.player in wallet.erasures:
        return ()
    if account.status != "closed":
        return Refused("not_closed", f"the account is {account.status}")
    return (ErasureOrdered(player=request.player, author=request.author),)


def key_erased(wallet: Wallet, outcome: KeyErased, _now: Now) -> tuple[PersonErased, ...]:
    """The key is gone, and with it the person."""
    if wallet.erasures.get(outcome.player):
        return ()
    return (PersonErased(player=outcome.player),)


def named(wallet: Wallet, player: str, author: str, reason: str) -> Account | Refused:
    """Find the account that an operator acts on, with a name and a reason that can stand."""
    account = account_of(wallet, player)
    if isinstance(account, Refused) and account.reason == "player_id_invalid":
        return account
    problem = authorship_problem(author, reason)
    return Refused(problem) if problem else account


DECIDES: Decides = {
    SuspendAccount: suspend_account,
    ReinstateAccount: reinstate_account,
    CloseAccount: close_account,
    ErasePerson: erase_person,
}
OUTCOMES: Decides = {KeyErased: key_erased}
