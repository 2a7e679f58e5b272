"""Guarantees: what the operator adds to a pool that was collected too small, once a tournament."""

from services.wallet.core.handlers import Decides
from services.wallet.core.ledger import TOP_UP, JournalContradicted, pool, posted
from services.wallet.core.rules import Now
from services.wallet.core.state import Wallet
from shared.contracts.director import GuaranteeDue
from shared.contracts.wallet import GuaranteePosted, WalletEvent


def post_guarantee(wallet: Wallet, fact: GuaranteeDue, _now: Now) -> tuple[WalletEvent, ...]:
    """Fill the pool up; the same tournament with another amount is not a retry."""
    added = wallet.guarantees.get(fact.tournament)
    if added == fact.amount_cents:
        return ()
    if added is not None:
        raise JournalContradicted(
            f"the guarantee of {fact.tournament} took {added} cents, not {fact.amount_cents}"
        )
    if fact.amount_cents < 0:
        raise JournalContradicted(f"the guarantee of {fact.tournament} is due below nothing")
    lines = ((TOP_UP, -fact.amount_cents), (pool(fact.tournament), fact.amount_cents))
    guaranteed = GuaranteePosted(
        tournament=fact.tournament,
        amount_cents=fact.amount_cents,
        postings=posted(wallet, *lines),
    )
    return (guaranteed,)


DECIDES: Decides = {GuaranteeDue: post_guarantee}
