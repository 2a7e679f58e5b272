"""How accounts change."""

from msgspec.structs import replace

from services.wallet.core.accounts.state import Account
from services.wallet.core.errands.queue import queued
from services.wallet.core.handlers import Evolves
from services.wallet.core.ledger import after
from services.wallet.core.state import Wallet
from shared.contracts.wallet import (
    AccountClosed,
    AccountIdentified,
    AccountOpened,
    AccountReinstated,
    AccountSuspended,
    BonusGranted,
    ContractFiled,
    EraseKey,
    ErasureOrdered,
    PersonErased,
)


def opened(wallet: Wallet, event: AccountOpened) -> Wallet:
    account = Account("pending", sealed=event.sealed, name=event.name)
    return with_account(wallet, event.player, account)


def filed(wallet: Wallet, event: ContractFiled) -> Wallet:
    account = replace(wallet.accounts[event.player], contract=event.sealed)
    return with_account(wallet, event.player, account)


def identified(wallet: Wallet, event: AccountIdentified | AccountReinstated) -> Wallet:
    account = replace(wallet.accounts[event.player], status="identified")
    return with_account(wallet, event.player, account)


def suspended(wallet: Wallet, event: AccountSuspended) -> Wallet:
    account = replace(wallet.accounts[event.player], status="suspended")
    return with_account(wallet, event.player, account)


def closed(wallet: Wallet, event: AccountClosed) -> Wallet:
    account = replace(wallet.accounts[event.player], status="closed")
    return with_account(wallet, event.player, account)


def erasure_ordered(wallet: Wallet, event: ErasureOrdered) -> Wallet:
    erasures = wallet.erasures.insert(event.player, False)
    return queued(replace(wallet, erasures=erasures), EraseKey(event.player))


def erased(wallet: Wallet, event: PersonErased) -> Wallet:
    """What nobody can read any more is kept in the log alone."""
    wallet = replace(wallet, erasures=wallet.erasures.insert(event.player, True))
    account = replace(wallet.accounts[event.player], sealed=b"", contract=b"", name="")
    return with_account(wallet, event.player, account)


def bonus_granted(wallet: Wallet, event: BonusGranted) -> Wallet:
    account = wallet.accounts[event.player]
    account = replace(account, locked_cents=account.locked_cents + event.locked_cents)
    wallet = replace(wallet, balances=after(wallet.balances, event.postings))
    return with_account(wallet, event.player, account)


def with_account(wallet: Wallet, player: str, account: Account) -> Wallet:
    """Return the wallet with this account as it is now."""
    return replace(wallet, accounts=wallet.accounts.insert(player, account))


EVOLVES: Evolves = {
    AccountOpened: opened,
    ContractFiled: filed,
    AccountIdentified: identified,
    AccountSuspended: suspended,
    AccountReinstated: identified,
    AccountClosed: closed,
    ErasureOrdered: erasure_ordered,
    PersonErased: erased,
    BonusGranted: bonus_granted,
}
