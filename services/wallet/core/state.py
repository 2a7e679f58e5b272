"""What the wallet must remember to decide; nothing that only a screen needs."""

import msgspec

from services.wallet.core.accounts.state import Account
from services.wallet.core.deadlines import Deadlines
from services.wallet.core.errands.state import Errands
from services.wallet.core.payments.state import DeskPayment
from services.wallet.core.tournaments.state import Entry, Prize
from shared.kernel.pmap import PMap


class Wallet(msgspec.Struct, frozen=True):
    """The journal so far: accounts by player, balances by ledger account, acts by their key.

    A tournament whose id was asked of the regulator but not issued yet has an empty one.
    """

    accounts: PMap[str, Account] = PMap()
    balances: PMap[str, int] = PMap()
    entries: PMap[str, Entry] = PMap()
    desk_payments: PMap[str, DeskPayment] = PMap()
    prizes: PMap[str, Prize] = PMap()
    deadlines: Deadlines = ()
    errands: Errands = Errands()
    session_ids: PMap[str, str] = PMap()
    participation_ids: PMap[str, str] = PMap()
