"""Which ledger accounts a correction may move money between.

Not those of acts under way, `hold/…` and `withdrawal/…`: their end moves what was set aside, to
the cent. Whoever wants that money elsewhere ends the act first.
"""

from services.wallet.core.ledger import (
    CHARGEBACKS,
    COMMISSION,
    EXTERNAL,
    HOUSE,
    PROMOTIONS,
    TOP_UP,
    UNCLAIMED,
)
from services.wallet.core.state import Wallet

BY_NAME = frozenset({COMMISSION, UNCLAIMED, EXTERNAL, PROMOTIONS, TOP_UP, CHARGEBACKS, HOUSE})


def is_correctable(wallet: Wallet, account: str) -> bool:
    """Tell whether there is such a ledger account, and it may be corrected.

    A player's cash is, unless the account is closed; a pool that was ever posted to; a ticket.
    """
    if account in BY_NAME:
        return True
    kind, _, name = account.partition("/")
    match kind:
        case "cash":
            player = wallet.accounts.get(name)
            return player is not None and player.status != "closed"
        case "pool":
            return account in wallet.balances
        case "ticket":
            return name in wallet.tickets
        case _:
            return False
