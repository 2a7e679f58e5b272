"""Why a player may not buy in now: the first reason of those that apply, in documented order."""

from services.wallet.core.conduct.standing import obstacle_to_play
from services.wallet.core.ledger import balance_of, cash
from services.wallet.core.limits.allowance import obstacle_to_stake
from services.wallet.core.rules import Now
from services.wallet.core.state import Wallet
from services.wallet.core.tournaments.big_shoots import big_shoot_obstacle
from services.wallet.core.tournaments.tickets import Buying, paid_by_ticket, ticket_obstacle


def why_not(wallet: Wallet, fact: Buying, price_cents: int, now: Now) -> str | None:
    """Return the first reason against holding the price; even a free entry is play."""
    return (
        account_obstacle(wallet, fact.player)
        or obstacle_to_play(wallet, fact.player, now.at_ms)
        or obstacle_to_stake(wallet, fact.player, price_cents, now.at_ms)
        or big_shoot_obstacle(wallet, fact)
        or ticket_obstacle(wallet, fact)
        or funds_obstacle(wallet, fact, price_cents)
    )


def account_obstacle(wallet: Wallet, player: str) -> str | None:
    """PP-ACCOUNT: only who is identified plays."""
    account = wallet.accounts.get(player)
    if account is None:
        return "unknown_account"
    return None if account.status == "identified" else "not_identified"


def funds_obstacle(wallet: Wallet, fact: Buying, price_cents: int) -> str | None:
    """PP-ENTRY: the price is there at once, as far as no ticket pays it."""
    in_cash = price_cents - paid_by_ticket(wallet, fact, price_cents)
    return "insufficient_funds" if balance_of(wallet, cash(fact.player)) < in_cash else None
