"""Bounties: what a knock-out wins, out of the pool, once a knock-out and winner; never refused."""

from services.wallet.core.handlers import Decides
from services.wallet.core.ledger import JournalContradicted, owed_to, pool, posted
from services.wallet.core.rules import Now
from services.wallet.core.state import Wallet
from services.wallet.core.tournaments.state import bounty_key
from shared.contracts.director import BountyDue
from shared.contracts.wallet import BountyPaid, WalletEvent


def pay_bounty(wallet: Wallet, fact: BountyDue, _now: Now) -> tuple[WalletEvent, ...]:
    """Pay what is due in cash; the same knock-out with another amount is not a retry."""
    key = bounty_key(fact)
    paid = wallet.bounties.get(key)
    if paid == fact.amount_cents:
        return ()
    if paid is not None:
        raise JournalContradicted(f"{key} was paid {paid} cents, not {fact.amount_cents}")
    if fact.amount_cents < 0:
        raise JournalContradicted(f"{key} is due below nothing")
    credited = owed_to(wallet, fact.player)
    lines = ((pool(fact.tournament), -fact.amount_cents), (credited, fact.amount_cents))
    bounty = BountyPaid(
        tournament=fact.tournament,
        hand=fact.hand,
        knocked_out=fact.knocked_out,
        player=fact.player,
        amount_cents=fact.amount_cents,
        credited=credited,
        postings=posted(wallet, *lines),
    )
    return (bounty,)


DECIDES: Decides = {BountyDue: pay_bounty}
