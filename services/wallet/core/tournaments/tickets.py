"""Tickets: prizes in kind (BH-SATELLITE), each worth money that waits in an account of its own.

A ticket is used for one entry at a time. It pays as much of the price as it is worth, cash pays
the rest; what it is worth above the price is paid out when the entry is posted. What comes back
of a price comes back as the ticket first. To who cannot be paid no ticket comes back, but its
worth, and so it does when there is no tournament any more to use it for.
"""

from typing import NamedTuple

from services.wallet.core.ledger import UNCLAIMED, balance_of, owed_to, ticket_account
from services.wallet.core.state import Wallet
from services.wallet.core.tournaments.state import Entry
from shared.contracts.director import EntryRequested, RebuyRequested

Buying = EntryRequested | RebuyRequested


class Back(NamedTuple):
    """What comes back of a price: `ticket` is usable again, `lines` say where the money goes."""

    ticket: str
    lines: tuple[tuple[str, int], ...]


def ticket_obstacle(wallet: Wallet, fact: Buying) -> str | None:
    """Return the first reason why the ticket named cannot be used for this."""
    name = ticket_of(fact)
    if not name:
        return None
    ticket = wallet.tickets.get(name)
    if ticket is None:
        return "unknown_ticket"
    if ticket.player != fact.player:
        return "not_your_ticket"
    if ticket.target != fact.tournament:
        return "ticket_for_another_tournament"
    return "ticket_used" if ticket.entry else None


def ticket_of(fact: Buying) -> str:
    """Return the ticket to pay with, "" for none: rebuys and add-ons are paid in cash."""
    return fact.ticket if isinstance(fact, EntryRequested) else ""


def paid_by_ticket(wallet: Wallet, fact: Buying, price_cents: int) -> int:
    """Return how much of a price the ticket pays; one that is worth less pays what it is worth."""
    return min(price_cents, worth_of(wallet, ticket_of(fact)))


def worth_of(wallet: Wallet, ticket: str) -> int:
    """Return what a ticket is worth now; no ticket is worth nothing."""
    return balance_of(wallet, ticket_account(ticket)) if ticket else 0


def given_back(wallet: Wallet, entry: Entry, cents: int, *, in_kind: bool) -> Back:
    """Say how what comes back of an entry's price does: by ticket, if it is wanted `in_kind`.

    If not, what the price had left of the ticket comes with it.
    """
    credited = owed_to(wallet, entry.player)
    good = bool(entry.ticket) and in_kind and entry.tournament not in wallet.cancelled
    if not good or credited == UNCLAIMED:
        rest = worth_of(wallet, entry.ticket) if entry.stage == "held" else 0
        return Back("", ((ticket_account(entry.ticket), -rest), (credited, cents + rest)))
    by_ticket = min(cents, entry.ticket_cents)
    account = ticket_account(entry.ticket)
    return Back(entry.ticket, ((account, by_ticket), (credited, cents - by_ticket)))
