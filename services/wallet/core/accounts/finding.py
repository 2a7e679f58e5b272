"""Finding the account that a request names."""

from services.wallet.core.accounts.state import Account
from services.wallet.core.state import Wallet
from shared.kernel.decider import Refused
from shared.kernel.ids import is_derived_id


def account_of(wallet: Wallet, player: str) -> Account | Refused:
    """Find the account a request names."""
    if not is_derived_id(player, "ply"):
        return Refused("player_id_invalid")
    return wallet.accounts.get(player) or Refused("unknown_account")
