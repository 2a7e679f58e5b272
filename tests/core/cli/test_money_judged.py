"""Guarantees, tickets, rebuys and shares of interrupted tournaments: one thing wrong is seen.

The director's facts are a script; what the wallet makes of them is its core's doing.
"""

from functools import cache

import pytest
from msgspec.structs import replace

from services.cli.verdicts.history import Fact, History
from services.cli.verdicts.journal import journal_sums_to_zero
from services.cli.verdicts.prizes import prizes_equal_pool
from services.wallet.core.evolve import EVOLVES
from shared.contracts.director import (
    EntriesClosed,
    EntryRequested,
    GuaranteeDue,
    PayoutDue,
    Placing,
    PlayerRegistered,
    PlayerUnregistered,
    PrizeDue,
    RebuyGranted,
    RebuyRequested,
    TournamentFinished,
    TournamentStarted,
)
from shared.contracts.registry import REGISTRY
from shared.contracts.wallet import (
    EntryHeld,
    EntryPosted,
    EntryRefunded,
    GuaranteePosted,
    PayoutPaid,
    Posting,
    PrizePaid,
    TicketIssued,
)
from shared.runtime.ports import Line
from tests.core.wallet.given import DECIDER, person, suspended

SATELLITE, BIG, BROKEN = "trn_s", "trn_big", "trn_x"
ANN, BEA, CEC = "ply_ann", "ply_bea", "ply_cec"
PLAYERS = (ANN, BEA, CEC)
DIRECTORS = {one.type for one in REGISTRY.values() if one.owner == "director"}
UNHEARD = (TournamentStarted, EntriesClosed, TournamentFinished)
TICKET = f"{SATELLITE}/1"


def entry(tournament, player, n=1):
    return {"tournament": tournament, "entry": f"{tournament}/{player}/{n}", "player": player}


def entered(tournament, player, fee, n=1, ticket=""):
    about = {**entry(tournament, player, n), "fee_cents": fee, "commission_cents": fee // 10}
    return [EntryRequested(**about, deadline_ms=0, ticket=ticket), PlayerRegistered(**about)]


def finished(tournament, *prizes):
    """Each prize is its player, cents, and the tournament that it is a ticket for."""
    due = [
        PrizeDue(tournament=tournament, place=n, player=who, amount_cents=cents, ticket_for=to)
        for n, (who, cents, to) in enumerate(prizes, 1)
        if cents
    ]
    places = tuple(Placing(n, who, cents) for n, (who, cents, _) in enumerate(prizes, 1))
    return [*due, TournamentFinished(tournament=tournament, places=places)]


def started(tournament, players, pool, *prizes):
    return TournamentStarted(
        tournament=tournament, players=len(players), pool_cents=pool, prizes_cents=prizes
    )


def satellite():
    """Two tickets of 2,500; one winner is suspended meanwhile."""
    return [
        *(fact for player in PLAYERS for fact in entered(SATELLITE, player, 1_000)),
        GuaranteeDue(tournament=SATELLITE, amount_cents=2_000),
        started(SATELLITE, PLAYERS, 5_000, 2_500, 2_500),
        suspended(CEC),
        *finished(SATELLITE, (ANN, 2_500, BIG), (CEC, 2_500, BIG), (BEA, 0, "")),
    ]


def big():
    """Ann comes by ticket, leaves, and comes back; Bea buys in again."""
    more = {**entry(BIG, BEA, 2), "kind": "rebuy", "fee_cents": 2_000, "commission_cents": 200}
    return [
        *entered(BIG, ANN, 2_000, ticket=TICKET),
        PlayerUnregistered(**entry(BIG, ANN), refund_cents=2_200),
        *entered(BIG, ANN, 2_000, n=2, ticket=TICKET),
        *entered(BIG, BEA, 2_000),
        started(BIG, (ANN, BEA), 4_000),
        RebuyRequested(**more, deadline_ms=0),
        RebuyGranted(**more, chips=100),
        EntriesClosed(
            tournament=BIG, entries=2, players=2, pool_cents=6_000, prizes_cents=(6_000,)
        ),
        *finished(BIG, (ANN, 6_000, ""), (BEA, 0, "")),
    ]


def broken():
    """BH-RF1: the operator pays what the pool lacks."""
    share = {"tournament": BROKEN, "commission_cents": 0, "top_up_cents": 100}
    return [
        *entered(BROKEN, ANN, 1_000),
        *entered(BROKEN, BEA, 1_000),
        started(BROKEN, (ANN, BEA), 2_000, 2_000),
        PayoutDue(player=ANN, pool_cents=1_000, **share),
        PayoutDue(player=BEA, pool_cents=1_000, **share),
    ]


@cache
def told():
    """All that happened, as (service, event) in order."""
    wallet, found = DECIDER.initial, []
    people = [one for player in PLAYERS for one in person(player, 20_000)]
    for said in (*people, *satellite(), *big(), *broken()):
        if type(said) in DIRECTORS:
            found.append(("director", said))
        if type(said) in EVOLVES:
            events, wallet = (said,), DECIDER.evolve(wallet, said)
        elif type(said) not in UNHEARD:
            events, wallet = DECIDER.step(wallet, said, 0)
        else:
            events = ()
        found += [("wallet", event) for event in events]
    return tuple(found)


def history_of(found, *, at_rest=True):
    facts = {"director": [], "wallet": []}
    for service, event in found:
        row = facts[service]
        row.append(Fact(Line(service, 0), len(row) + 1, "x", len(row) + 1, event))
    return History({service: tuple(row) for service, row in facts.items()}, at_rest=at_rest)


def false_in(history):
    found = (journal_sums_to_zero(history), prizes_equal_pool(history))
    return {verdict.name for verdict in found if not verdict.true}


JOURNAL, PRIZES = "journal sums to zero", "prizes = pool"


def test_left_alone_all_is_true():
    history = history_of(told())
    assert journal_sums_to_zero(history).true, journal_sums_to_zero(history)
    verdict = prizes_equal_pool(history)
    assert verdict.true, verdict
    assert verdict.detail == (
        "130.00 collected, paid as 3 prizes and 2 shares of interrupted tournaments"
    )


def changed(kind, change, which=0):
    """Change one event of a kind; `change` returns None for those that it passes over."""
    found, seen = [], 0
    for service, event in told():
        new = change(event) if isinstance(event, kind) else None
        hit = new is not None and seen == which
        seen += new is not None
        if not hit or new != ():
            found.append((service, new if hit else event))
    assert seen > which, f"no {kind.__name__} to change"
    return tuple(found)


def more(field, by=1):
    return lambda event: replace(event, **{field: getattr(event, field) + by})


def but(**changes):
    return lambda event: replace(event, **changes)


def dropped(_event):
    return ()


def unposted(event):
    return replace(event, postings=())


def to(account):
    """Lead the last posting elsewhere, so that the entry still balances."""

    def change(event):
        last = event.postings[-1]
        moved = Posting(account, last.amount_cents, last.amount_cents)
        return replace(event, postings=(*event.postings[:-1], moved))

    return change


def only(test, change):
    return lambda event: change(event) if test(event) else None


def in_kind(event):
    return bool(event.ticket_for)


def by_ticket(event):
    return bool(event.ticket)


BOTH = {JOURNAL, PRIZES}
ROWS = [
    # case, events of, change, what must turn false
    ("a guarantee never posted", GuaranteePosted, dropped, BOTH),
    ("a guarantee without money", GuaranteePosted, unposted, BOTH),
    ("a guarantee of one cent more", GuaranteePosted, more("amount_cents"), {PRIZES}),
    ("a guarantee never due", GuaranteeDue, dropped, {PRIZES}),
    ("another guarantee due", GuaranteeDue, more("amount_cents"), {PRIZES}),
    ("another pool announced", TournamentStarted, more("pool_cents"), {PRIZES}),
    ("a ticket never issued", TicketIssued, dropped, BOTH),
    ("a ticket of one cent less", TicketIssued, more("value_cents", -1), {PRIZES}),
    ("a ticket to another", TicketIssued, but(player=BEA), {PRIZES}),
    ("a ticket for something else", TicketIssued, but(target=BROKEN), {PRIZES}),
    ("a ticket of another name", TicketIssued, but(ticket="trn_s/9"), {PRIZES}),
    ("a ticket's worth elsewhere", TicketIssued, to("unclaimed"), BOTH),
    ("a ticket account of nobody", TicketIssued, to("ticket/"), BOTH),
    ("a ticket due to another", PrizeDue, only(in_kind, but(player=BEA)), {PRIZES}),
    ("money due, a ticket issued", PrizeDue, only(in_kind, but(ticket_for="")), {PRIZES}),
    ("a ticket's worth to the player", PrizePaid, only(in_kind, but(credited="cash/x")), {PRIZES}),
    ("somebody's ticket", EntryHeld, only(by_ticket, but(ticket="trn_s/2")), {PRIZES}),
    ("a ticket used by another", EntryHeld, only(by_ticket, but(player=BEA)), {PRIZES}),
    ("a ticket that never came back", EntryRefunded, but(ticket=""), {PRIZES}),
    ("a ticket from another entry", EntryRefunded, but(entry="trn_big/ply_bea/1"), {PRIZES}),
    ("another pool announced at the close", EntriesClosed, more("pool_cents"), {PRIZES}),
    ("a player too few at the close", EntriesClosed, more("players"), {PRIZES}),
    ("an entry too many at the close", EntriesClosed, more("entries"), {PRIZES}),
    ("a rebuy never granted", RebuyGranted, dropped, {PRIZES}),
    ("a rebuy at another price", RebuyGranted, more("fee_cents"), {PRIZES}),
    ("a rebuy never posted", EntryPosted, only(lambda e: e.entry[-1] == "2", dropped), BOTH),
    ("a share never paid", PayoutPaid, dropped, BOTH),
    ("a share never due", PayoutDue, dropped, {PRIZES}),
    ("a share of one cent more", PayoutPaid, more("pool_cents"), {PRIZES}),
    (
        "commission instead of top-up",
        PayoutPaid,
        but(commission_cents=100, top_up_cents=0),
        {PRIZES},
    ),
    ("another top-up due", PayoutDue, more("top_up_cents"), {PRIZES}),
    ("a share to another", PayoutPaid, but(player=CEC), {PRIZES}),
    ("a share into another's cash", PayoutPaid, to(f"cash/{CEC}"), BOTH),
    ("a share said to be elsewhere", PayoutPaid, but(credited="commission"), {PRIZES}),
    ("a share paid to one twice", PayoutPaid, but(player=BEA), {PRIZES}),
]


@pytest.mark.parametrize(
    ("kind", "change", "expected"), [row[1:] for row in ROWS], ids=[row[0] for row in ROWS]
)
def test_one_thing_wrong_is_seen(kind, change, expected):
    assert false_in(history_of(changed(kind, change))) == expected


def test_two_shares_due_to_one_player_are_seen_though_both_are_paid():
    twice = [
        (
            service,
            replace(event, player=ANN) if isinstance(event, PayoutDue | PayoutPaid) else event,
        )
        for service, event in told()
    ]
    assert PRIZES in false_in(history_of(twice))


def test_a_finished_tournament_that_is_shared_out_is_seen():
    places = (Placing(1, ANN, 1_000), Placing(2, BEA, 1_000))
    both = TournamentFinished(tournament=BROKEN, places=places)
    assert false_in(history_of((*told(), ("director", both)))) == {PRIZES}


@pytest.mark.parametrize("account", ["top-up", "promotions", "chargebacks", "house", "external"])
def test_who_may_owe_may_owe(account):
    line = Posting(account, -5, -5), Posting("cash/ply_new", 5, 5)
    wallet = [("wallet", GuaranteePosted(tournament="x", amount_cents=0, postings=line))]
    assert false_in(history_of(wallet)) - {PRIZES} == set()


@pytest.mark.parametrize("account", ["ticket/x/1", "withdrawal/ply_a", "unclaimed", "cash/x"])
def test_all_others_may_not(account):
    line = Posting(account, -5, -5), Posting("external", 5, 5)
    wallet = [("wallet", GuaranteePosted(tournament="x", amount_cents=0, postings=line))]
    assert JOURNAL in false_in(history_of(wallet))


@pytest.mark.parametrize("account", ["cash", "hold/", "external/x", "top-up/x", "bank"])
def test_no_money_is_where_nobody_looks(account):
    line = Posting(account, 5, 5), Posting("external", -5, -5)
    wallet = [("wallet", GuaranteePosted(tournament="x", amount_cents=0, postings=line))]
    assert JOURNAL in false_in(history_of(wallet))


def test_while_shares_are_under_way_they_are_not_held_against_it():
    paying = [(service, event) for service, event in told() if not isinstance(event, PayoutPaid)]
    assert false_in(history_of(paying, at_rest=False)) == set()
    assert PRIZES in false_in(history_of(paying))
