"""Tickets: each pays for entries of its owner to its tournament only, one at a time."""

from collections.abc import Iterator

from services.cli.verdicts.history import History
from shared.contracts.wallet import EntryHeld, EntryRefunded, EntryReleased, TicketIssued


def wrong_tickets(history: History) -> Iterator[str]:
    """Follow every ticket through the journal."""
    owners: dict[str, tuple[str, str]] = {}
    used: dict[str, str] = {}
    for fact in history.of("wallet"):
        event = fact.event
        if isinstance(event, TicketIssued):
            if event.ticket in owners or event.ticket != f"{event.tournament}/{event.place}":
                yield f"{fact.where}: {event.ticket} is no new ticket"
            owners[event.ticket] = (event.player, event.target)
        elif isinstance(event, EntryHeld) and event.ticket:
            if owners.get(event.ticket) != (event.player, event.tournament):
                yield f"{fact.where}: {event.ticket} does not pay for {event.entry}"
            if event.ticket in used:
                yield f"{fact.where}: {event.ticket} is used for {used[event.ticket]} already"
            used[event.ticket] = event.entry
        elif (
            isinstance(event, EntryReleased | EntryRefunded)
            and event.ticket
            and used.pop(event.ticket, None) != event.entry
        ):
            yield f"{fact.where}: {event.ticket} comes back from {event.entry}"
