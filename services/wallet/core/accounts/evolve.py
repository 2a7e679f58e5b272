"""How accounts change."""

from msgspec.structs import replace

from services.wallet.core.accounts.state import Account
from services.wallet.core.handlers import Evolves
from services.wallet.core.state import Wallet
from shared.contracts.wallet import AccountIdentified, AccountOpened


def opened(wallet: Wallet, event: AccountOpened) -> Wallet:
    return with_account(wallet, event.player, Account(event.name, "pending"))


def identified(wallet: Wallet, event: AccountIdentified) -> Wallet:
    account = replace(wallet.accounts[event.player], status="identified")
    return with_account(wallet, event.player, account)


def with_account(wallet: Wallet, player: str, account: Account) -> Wallet:
    """Return the wallet with this account as it is now."""
    return replace(wallet, accounts=wallet.accounts.insert(player, account))


EVOLVES: Evolves = {AccountOpened: opened, AccountIdentified: identified}
