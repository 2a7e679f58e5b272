"""Tickets to a tournament that was cancelled: each is paid out at its worth, once.

From then on none is issued and none comes back: the worth does.
"""

from msgspec.structs import replace

from services.wallet.core.handlers import Decides
from services.wallet.core.ledger import after, owed_to, posted, ticket_account
from services.wallet.core.rules import Now
from services.wallet.core.state import Wallet
from services.wallet.core.tournaments.tickets import worth_of
from shared.contracts.director import TournamentCancelled
from shared.contracts.wallet import TicketPaidOut, TicketsVoided, WalletEvent


def void_tickets(wallet: Wallet, fact: TournamentCancelled, _now: Now) -> tuple[WalletEvent, ...]:
    """Pay out what is not in use; what is comes back when its entry ends."""
    if fact.tournament in wallet.cancelled:
        return ()
    events: list[WalletEvent] = [TicketsVoided(tournament=fact.tournament)]
    for name, ticket in wallet.tickets.items():
        if ticket.target == fact.tournament and not ticket.entry and worth_of(wallet, name):
            paid = paid_out(wallet, name)
            wallet = replace(wallet, balances=after(wallet.balances, paid.postings))
            events.append(paid)
    return tuple(events)


def paid_out(wallet: Wallet, name: str) -> TicketPaidOut:
    """Let the whole worth go to whose ticket it is."""
    ticket, worth = wallet.tickets[name], worth_of(wallet, name)
    credited = owed_to(wallet, ticket.player)
    return TicketPaidOut(
        ticket=name,
        target=ticket.target,
        player=ticket.player,
        amount_cents=worth,
        credited=credited,
        postings=posted(wallet, (ticket_account(name), -worth), (credited, worth)),
    )


DECIDES: Decides = {TournamentCancelled: void_tickets}
