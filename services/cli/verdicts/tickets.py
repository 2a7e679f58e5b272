"""Tickets: each pays for entries of its owner to its tournament only, one at a time."""

from collections.abc import Iterator

from services.cli.verdicts.history import History
from shared.contracts.wallet import (
    EntryHeld,
    EntryRefunded,
    EntryReleased,
    TicketIssued,
    TicketPaidOut,
)

PAID_OUT = "nothing more, it was paid out"


class Tickets:
    """Whose each ticket is, to which tournament, and what it is used for."""

    def __init__(self) -> None:
        self._owners: dict[str, tuple[str, str]] = {}
        self._used: dict[str, str] = {}

    def follow(self, event: object) -> Iterator[str]:
        """Take in a fact of the wallet's, and complain about it."""
        match event:
            case TicketIssued():
                yield from self._issued(event)
            case EntryHeld() if event.ticket:
                owner = event.player, event.tournament
                yield from self._spent(event.ticket, owner, event.entry)
            case TicketPaidOut():
                owner = event.player, event.target
                yield from self._spent(event.ticket, owner, PAID_OUT)
                yield from wrong_worth(event)
            case EntryReleased() | EntryRefunded() if event.ticket:
                if self._used.pop(event.ticket, None) != event.entry:
                    yield f"{event.ticket} comes back from {event.entry}"
            case _:
                pass

    def _issued(self, event: TicketIssued) -> Iterator[str]:
        if event.ticket in self._owners or event.ticket != f"{event.tournament}/{event.place}":
            yield f"{event.ticket} is no new ticket"
        self._owners[event.ticket] = (event.player, event.target)

    def _spent(self, ticket: str, owner: tuple[str, str], use: str) -> Iterator[str]:
        if self._owners.get(ticket) != owner:
            yield f"{ticket} does not pay for {use}"
        if ticket in self._used:
            yield f"{ticket} is used for {self._used[ticket]} already"
        self._used[ticket] = use


def wrong_tickets(history: History) -> Iterator[str]:
    """Follow every ticket through the journal."""
    tickets = Tickets()
    for fact in history.of("wallet"):
        yield from (f"{fact.where}: {what}" for what in tickets.follow(fact.event))


def wrong_worth(event: TicketPaidOut) -> Iterator[str]:
    """What left the ticket is what its owner was credited with."""
    moved = {posting.account: posting.amount_cents for posting in event.postings}
    cents = event.amount_cents
    if moved != {f"ticket/{event.ticket}": -cents, event.credited: cents}:
        yield f"{event.ticket} was paid out otherwise than said"
    if event.credited not in (f"cash/{event.player}", "unclaimed"):
        yield f"{event.ticket} of {event.player} was paid to {event.credited}"
