"""PP-BONUS: the first deposit ever, and what of a player's cash may not be withdrawn."""

from msgspec.structs import replace

from services.wallet.core.ledger import PROMOTIONS, after, balance_of, cash, hold, owed_to, posted
from services.wallet.core.rules import Now
from services.wallet.core.state import Wallet
from shared.contracts.wallet import BonusGranted, DepositConfirmed, MoneyDeposited


def bonus_events(
    wallet: Wallet, deposit: MoneyDeposited | DepositConfirmed, now: Now
) -> tuple[BonusGranted, ...]:
    """Return what follows from a deposit in the same decision; once per player ever.

    `wallet` is as it was before the deposit: the bonus is posted on top of it. Only who gets the
    money as cash gets a bonus, too.
    """
    player, bonus = deposit.player, now.rules.bonus_cents
    account = wallet.accounts.get(player)
    if account is None or account.deposited or owed_to(wallet, player) != cash(player):
        return ()
    if not bonus or deposit.amount_cents < now.rules.bonus_first_deposit_cents:
        return ()
    paid_in = replace(wallet, balances=after(wallet.balances, deposit.postings))
    granted = BonusGranted(
        player=player,
        amount_cents=bonus,
        locked_cents=bonus if now.rules.bonus_locked else 0,
        postings=posted(paid_in, (PROMOTIONS, -bonus), (cash(player), bonus)),
    )
    return (granted,)


def having_deposited(wallet: Wallet, player: str) -> Wallet:
    """Return the wallet in which this player's first deposit has been; for evolve."""
    account = wallet.accounts.get(player)
    if account is None or account.deposited:
        return wallet
    account = replace(account, deposited=True)
    return replace(wallet, accounts=wallet.accounts.insert(player, account))


def staked_cents(wallet: Wallet, player: str) -> int:
    """Return how much of a locked bonus has been staked by now: own money goes first."""
    account = wallet.accounts.get(player)
    left_cents = balance_of(wallet, cash(player)) + balance_of(wallet, hold(player))
    return max(account.locked_cents - left_cents, 0) if account else 0


def with_more_locked(wallet: Wallet, player: str, cents: int) -> Wallet:
    """Return the wallet in which so much more of a player's cash is locked; for evolve."""
    account = wallet.accounts.get(player)
    if account is None or not cents:
        return wallet
    account = replace(account, locked_cents=account.locked_cents + cents)
    return replace(wallet, accounts=wallet.accounts.insert(player, account))


def withdrawable_cents(wallet: Wallet, player: str) -> int:
    """Return what a player may withdraw: the cash above what is locked."""
    account = wallet.accounts.get(player)
    locked = account.locked_cents if account else 0
    return max(balance_of(wallet, cash(player)) - locked, 0)
