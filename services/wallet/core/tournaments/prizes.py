"""Prizes: paid once per place, out of the pool, and never refused."""

from services.wallet.core.handlers import Decides
from services.wallet.core.ledger import JournalContradicted, owed_to, pool, posted
from services.wallet.core.rules import Now
from services.wallet.core.state import Wallet
from services.wallet.core.tournaments.state import Prize, prize_key
from shared.contracts.director import PrizeDue
from shared.contracts.wallet import PrizePaid, WalletEvent


def pay_prize(wallet: Wallet, fact: PrizeDue, _now: Now) -> tuple[WalletEvent, ...]:
    """Pay a place to whom it is due; the same place for another player or amount is not a retry."""
    due = Prize(fact.player, fact.amount_cents)
    paid = wallet.prizes.get(prize_key(fact.tournament, fact.place))
    if paid == due:
        return ()
    if paid is not None:
        raise JournalContradicted(f"place {fact.place} of {fact.tournament} was paid as {paid}")
    if due.amount_cents < 0:
        raise JournalContradicted(f"place {fact.place} of {fact.tournament} is due below nothing")
    credited = owed_to(wallet, fact.player)
    lines = ((pool(fact.tournament), -due.amount_cents), (credited, due.amount_cents))
    prize = PrizePaid(
        tournament=fact.tournament,
        place=fact.place,
        player=fact.player,
        amount_cents=due.amount_cents,
        credited=credited,
        postings=posted(wallet, *lines),
    )
    return (prize,)


DECIDES: Decides = {PrizeDue: pay_prize}
