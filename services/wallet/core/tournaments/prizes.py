"""Prizes: paid once per place, out of the pool, and never refused; in kind as a ticket.

A prize in kind (BH-SATELLITE) is money set aside for an entry to another tournament.
"""

from services.wallet.core.handlers import Decides
from services.wallet.core.ledger import (
    UNCLAIMED,
    JournalContradicted,
    owed_to,
    pool,
    posted,
    ticket_account,
)
from services.wallet.core.rules import Now
from services.wallet.core.state import Wallet
from services.wallet.core.tournaments.state import Prize, prize_key
from shared.contracts.director import PrizeDue
from shared.contracts.wallet import PrizePaid, TicketIssued, WalletEvent


def pay_prize(wallet: Wallet, fact: PrizeDue, _now: Now) -> tuple[WalletEvent, ...]:
    """Pay a place to whom it is due; the same place for another player or prize is not a retry.

    A ticket is handed to an account that is owed money only, for a tournament that was not
    cancelled; else its worth is due.
    """
    due = Prize(fact.player, fact.amount_cents, fact.ticket_for)
    paid = wallet.prizes.get(prize_key(fact.tournament, fact.place))
    if paid == due:
        return ()
    if paid is not None:
        raise JournalContradicted(f"place {fact.place} of {fact.tournament} was paid as {paid}")
    if due.amount_cents < 0:
        raise JournalContradicted(f"place {fact.place} of {fact.tournament} is due below nothing")
    credited = owed_to(wallet, fact.player)
    if fact.ticket_for and credited != UNCLAIMED and fact.ticket_for not in wallet.cancelled:
        return (ticket_issued(wallet, fact),)
    return (prize_paid(wallet, fact, credited),)


def prize_paid(wallet: Wallet, fact: PrizeDue, credited: str) -> PrizePaid:
    """Pay out of the pool into the ledger account that is to take it."""
    lines = ((pool(fact.tournament), -fact.amount_cents), (credited, fact.amount_cents))
    return PrizePaid(
        tournament=fact.tournament,
        place=fact.place,
        player=fact.player,
        amount_cents=fact.amount_cents,
        credited=credited,
        postings=posted(wallet, *lines),
        ticket_for=fact.ticket_for,
    )


def ticket_issued(wallet: Wallet, fact: PrizeDue) -> TicketIssued:
    """Set the worth of a ticket aside."""
    ticket = prize_key(fact.tournament, fact.place)
    amount = fact.amount_cents
    return TicketIssued(
        ticket=ticket,
        tournament=fact.tournament,
        place=fact.place,
        player=fact.player,
        target=fact.ticket_for,
        value_cents=amount,
        postings=posted(wallet, (pool(fact.tournament), -amount), (ticket_account(ticket), amount)),
    )


DECIDES: Decides = {PrizeDue: pay_prize}
