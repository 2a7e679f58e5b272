"""Shares of interrupted tournaments (PP-ROLLFORWARD, BH-RF1, BH-RF2), once a player; never refused.

The sheet is the director's; here its lines are paid, each from where it says.
"""

from services.wallet.core.handlers import Decides
from services.wallet.core.ledger import (
    COMMISSION,
    TOP_UP,
    JournalContradicted,
    owed_to,
    pool,
    posted,
)
from services.wallet.core.rules import Now
from services.wallet.core.state import Wallet
from services.wallet.core.tournaments.state import Payout, payout_key
from shared.contracts.director import PayoutDue
from shared.contracts.wallet import PayoutPaid, WalletEvent


def pay_share(wallet: Wallet, fact: PayoutDue, _now: Now) -> tuple[WalletEvent, ...]:
    """Pay a player's line; another line for the same player is not a retry."""
    due = Payout(fact.pool_cents, fact.commission_cents, fact.top_up_cents)
    paid = wallet.payouts.get(payout_key(fact.tournament, fact.player))
    if paid == due:
        return ()
    if paid is not None:
        raise JournalContradicted(f"{fact.player} was paid {paid} of {fact.tournament}, not {due}")
    if min(due.pool_cents, due.commission_cents, due.top_up_cents) < 0:
        raise JournalContradicted(f"{fact.player} is due {due} of {fact.tournament}")
    credited = owed_to(wallet, fact.player)
    lines = (
        (pool(fact.tournament), -due.pool_cents),
        (COMMISSION, -due.commission_cents),
        (TOP_UP, -due.top_up_cents),
        (credited, due.total_cents),
    )
    share = PayoutPaid(
        tournament=fact.tournament,
        player=fact.player,
        pool_cents=due.pool_cents,
        commission_cents=due.commission_cents,
        top_up_cents=due.top_up_cents,
        credited=credited,
        postings=posted(wallet, *lines),
    )
    return (share,)


DECIDES: Decides = {PayoutDue: pay_share}
