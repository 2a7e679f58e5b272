"""What still belongs to a player, ledger account by ledger account."""

from collections.abc import Iterator

from services.wallet.core.ledger import balance_of, cash, hold, ticket_account, withdrawal
from services.wallet.core.state import Wallet


def money_left(wallet: Wallet, player: str) -> str:
    """Name what holds money of a player's, "" when nothing does."""
    return ", ".join(accounts_of(wallet, player))


def accounts_of(wallet: Wallet, player: str) -> Iterator[str]:
    """Yield the player's ledger accounts that are not empty, with what they hold."""
    tickets = [name for name, ticket in wallet.tickets.items() if ticket.player == player]
    worth = [ticket_account(name) for name in tickets]
    for account in (cash(player), hold(player), withdrawal(player), *worth):
        if cents := balance_of(wallet, account):
            yield f"{account} holds {cents} cents"
