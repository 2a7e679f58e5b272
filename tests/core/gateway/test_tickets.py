"""Which tickets a player can enter with, from the wallet's facts alone."""

import pytest

from services.gateway.shell.tickets import Tickets
from shared.contracts.wallet import (
    EntryHeld,
    EntryRefunded,
    EntryReleased,
    TicketIssued,
    TicketPaidOut,
)
from tests.core.gateway.facts import WALLET, Lines

ANN, TICKET, TARGET = "ply_ann", "trn_s/1", "trn_t"
ENTRY = {"tournament": TARGET, "entry": f"{TARGET}/{ANN}/1", "player": ANN, "postings": ()}
ISSUED = TicketIssued(
    ticket=TICKET,
    tournament="trn_s",
    place=1,
    player=ANN,
    target=TARGET,
    value_cents=500,
    postings=(),
)
HELD = EntryHeld(price_cents=500, ticket=TICKET, ticket_cents=500, **ENTRY)
RELEASED = EntryReleased(price_cents=500, ticket=TICKET, **ENTRY)
REFUNDED = EntryRefunded(refund_cents=500, ticket=TICKET, **ENTRY)
PAID_OUT = TicketPaidOut(
    ticket=TICKET,
    player=ANN,
    target=TARGET,
    amount_cents=500,
    credited=f"cash/{ANN}",
    postings=(),
)
IN_CASH = EntryReleased(price_cents=500, **ENTRY)


@pytest.mark.parametrize(
    ("case", "facts", "left"),
    [
        ("won", (ISSUED,), [TICKET]),
        ("used", (ISSUED, HELD), []),
        ("the entry was declined", (ISSUED, HELD, RELEASED), [TICKET]),
        ("the player has left again", (ISSUED, HELD, REFUNDED), [TICKET]),
        ("its tournament was cancelled", (ISSUED, PAID_OUT), []),
        ("an entry in cash", (ISSUED, IN_CASH), [TICKET]),
    ],
)
def test_bh_satellite_a_ticket_is_listed_while_it_can_be_used(case, facts, left):
    """BH-SATELLITE."""
    lines, tickets = Lines(), Tickets()
    for fact in facts:
        tickets.fold(lines.commit(WALLET, "journal", fact))
    assert [won.ticket for won in tickets.of(ANN)] == left, case
    assert tickets.of("ply_bea") == []
