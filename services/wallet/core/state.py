"""What the wallet must remember to decide; nothing that only a screen needs."""

import msgspec

from services.wallet.core.accounts.state import Account
from services.wallet.core.conduct.state import Conduct
from services.wallet.core.corrections.state import Correction
from services.wallet.core.deadlines import Deadlines
from services.wallet.core.errands.state import Errands
from services.wallet.core.limits.state import Counted, Restraint
from services.wallet.core.payments.state import DeskPayment, Payment
from services.wallet.core.tournaments.state import Carried, Entry, Payout, Prize, Ticket
from shared.kernel.pmap import PMap


class Wallet(msgspec.Struct, frozen=True):
    """The journal so far: accounts by player, balances by ledger account, acts by their key.

    A tournament whose id was asked of the regulator but not issued yet has an empty one.
    Erasures by player: whether the key is known to be destroyed. Tournaments that were cancelled.
    Pools carried by the tournament that they left; who is in a Big Shoot, by the tournament there.
    """

    accounts: PMap[str, Account] = PMap()
    erasures: PMap[str, bool] = PMap()
    balances: PMap[str, int] = PMap()
    entries: PMap[str, Entry] = PMap()
    conduct: PMap[str, Conduct] = PMap()
    desk_payments: PMap[str, DeskPayment] = PMap()
    payments: PMap[str, Payment] = PMap()
    payments_of: PMap[str, tuple[str, ...]] = PMap()
    differing: tuple[str, ...] = ()
    prizes: PMap[str, Prize] = PMap()
    tickets: PMap[str, Ticket] = PMap()
    cancelled: PMap[str, bool] = PMap()
    guarantees: PMap[str, int] = PMap()
    payouts: PMap[str, Payout] = PMap()
    bounties: PMap[str, int] = PMap()
    carried: PMap[str, Carried] = PMap()
    stage_prizes: PMap[str, int] = PMap()
    in_big_shoots: PMap[str, str] = PMap()
    corrections: PMap[str, Correction] = PMap()
    deadlines: Deadlines = ()
    errands: Errands = Errands()
    session_ids: PMap[str, str] = PMap()
    participation_ids: PMap[str, str] = PMap()
    restraints: PMap[str, Restraint] = PMap()
    counted: PMap[str, Counted] = PMap()
