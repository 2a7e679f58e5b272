"""A ticket paid out is judged: whose it was, what it was worth, and that it was not used before."""

import pytest
from msgspec.structs import replace

from services.cli.verdicts.history import Fact, History
from services.cli.verdicts.tickets import wrong_tickets
from shared.contracts.director import PrizeDue, TournamentCancelled
from shared.contracts.wallet import EntryHeld, Posting, TicketPaidOut
from shared.runtime.ports import Line
from tests.core.wallet.given import ANN, BEA, DECIDER, TRN, after, entered, person

BIG = "trn_big"
TICKET = f"{TRN}/1"
WON = PrizeDue(tournament=TRN, place=1, player=ANN, amount_cents=1_000, ticket_for=BIG)
CANCELLED = TournamentCancelled(tournament=BIG, author="opr_1", reason="rain")
BEFORE = after(*person(ANN, 1_100), *entered(ANN))
ISSUED = DECIDER.decide(BEFORE, WON, 0)
PAID = DECIDER.decide(after(*person(ANN, 1_100), *entered(ANN), WON), CANCELLED, 0)
USED = EntryHeld(tournament=BIG, entry="x", player=ANN, price_cents=0, postings=(), ticket=TICKET)


def complaints(*events):
    facts = tuple(Fact(Line("wallet", 0), n, "journal", n, e) for n, e in enumerate(events, 1))
    return list(wrong_tickets(History({"wallet": facts})))


def wrongly(**changes):
    return [replace(one, **changes) if isinstance(one, TicketPaidOut) else one for one in PAID]


def test_a_ticket_paid_out_as_it_should_be_is_right():
    assert complaints(*ISSUED, *PAID) == []


@pytest.mark.parametrize(
    "events",
    [
        PAID,
        [*ISSUED, *wrongly(player=BEA)],
        [*ISSUED, *wrongly(target="trn_x")],
        [*ISSUED, *wrongly(amount_cents=999)],
        [*ISSUED, *wrongly(credited="commission")],
        [*ISSUED, *wrongly(postings=(Posting(f"ticket/{TICKET}", -1_000, 0),))],
        [*ISSUED, *PAID, *PAID],
        [*ISSUED, *PAID, USED],
        [*ISSUED, USED, *PAID],
    ],
)
def test_one_thing_wrong_is_seen(events):
    assert complaints(*events)
