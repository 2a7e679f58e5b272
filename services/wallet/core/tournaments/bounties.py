"""Bounties: what a knock-out wins, out of the pool, once a knock-out and winner; never refused."""

from services.wallet.core.handlers import Decides
from services.wallet.core.rules import Now
from services.wallet.core.state import Wallet
from services.wallet.core.tournaments.from_pool import is_paid, paid_out
from services.wallet.core.tournaments.state import bounty_key
from shared.contracts.director import BountyDue
from shared.contracts.wallet import BountyPaid, WalletEvent


def pay_bounty(wallet: Wallet, fact: BountyDue, _now: Now) -> tuple[WalletEvent, ...]:
    """Pay what is due in cash; the same knock-out with another amount is not a retry."""
    key = bounty_key(fact)
    if is_paid(key, wallet.bounties.get(key), fact.amount_cents):
        return ()
    credited, postings = paid_out(wallet, fact.tournament, fact.player, fact.amount_cents)
    bounty = BountyPaid(
        tournament=fact.tournament,
        hand=fact.hand,
        knocked_out=fact.knocked_out,
        player=fact.player,
        amount_cents=fact.amount_cents,
        credited=credited,
        postings=postings,
    )
    return (bounty,)


DECIDES: Decides = {BountyDue: pay_bounty}
