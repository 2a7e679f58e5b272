"""BH-SATELLITE: prizes in kind, won, used, given back; their worth is somewhere at all times."""

import pytest
from msgspec.structs import replace

from services.wallet.core import JournalContradicted
from shared.contracts.director import (
    EntryDeclined,
    EntryRequested,
    PlayerRegistered,
    PlayerUnregistered,
    PrizeDue,
    TournamentCancelled,
)
from shared.contracts.wallet import (
    CorrectionLine,
    EntryHeld,
    EntryPosted,
    EntryRefunded,
    EntryRefused,
    EntryReleased,
    PostCorrection,
    PrizePaid,
    TicketIssued,
    TicketPaidOut,
    TicketsVoided,
)
from tests.core.wallet.given import (
    ANN,
    BEA,
    DECIDER,
    FEE,
    NOBODY,
    TRN,
    after,
    closed,
    decided,
    entered,
    entry,
    moved,
    named,
    person,
    postings,
    suspended,
    unmoved,
)

BIG = "trn_big"
TICKET = f"{TRN}/1"
WON = PrizeDue(tournament=TRN, place=1, player=ANN, amount_cents=1_000, ticket_for=BIG)
ABOUT = entry(ANN, BIG)

# Two entries to the satellite make a pool of 2,000; Ann has 300 left in cash.
PLAYED = (*person(ANN, 1_400), *entered(ANN), *person(BEA, 1_100), *entered(BEA))
WINNER = (*PLAYED, WON)


def wanted(fee, commission=0, ticket=TICKET, **changes):
    money = {"fee_cents": fee, "commission_cents": commission}
    return EntryRequested(**{**ABOUT, **changes}, **money, deadline_ms=9, ticket=ticket)


def registered(fee, commission=0):
    return PlayerRegistered(**ABOUT, fee_cents=fee, commission_cents=commission)


def left(refund_cents, *, cancelled=False):
    return PlayerUnregistered(**ABOUT, refund_cents=refund_cents, tournament_cancelled=cancelled)


DECLINED = EntryDeclined(**ABOUT, reason="full")
CHEAP, EXACT, DEAR = (550, 50), (900, 100), (1_100, 100)
"""Prices of 600, 1,000 and 1,200 cents: below the ticket's worth, the same, above."""


def held(price):
    return (*WINNER, wanted(*price))


def in_for(price):
    return (*held(price), registered(*price))


# --- won ------------------------------------------------------------------------------------


def test_a_prize_in_kind_is_a_ticket():
    assert decided(after(*PLAYED), WON) == TicketIssued(
        ticket=TICKET,
        tournament=TRN,
        place=1,
        player=ANN,
        target=BIG,
        value_cents=1_000,
        postings=postings((f"pool/{TRN}", -1_000, 1_000), (f"ticket/{TICKET}", 1_000, 1_000)),
    )


@pytest.mark.parametrize("status", [suspended, closed])
def test_a_ticket_for_a_barred_player_is_its_worth_unclaimed(status):
    given = (*PLAYED, status(ANN))
    assert decided(after(*given), WON) == PrizePaid(
        tournament=TRN,
        place=1,
        player=ANN,
        amount_cents=1_000,
        credited="unclaimed",
        postings=postings((f"pool/{TRN}", -1_000, 1_000), ("unclaimed", 1_000, 1_000)),
        ticket_for=BIG,
    )
    assert unmoved(after(*given, WON), WON)


def test_a_ticket_for_nobody_known_is_its_worth_unclaimed():
    paid = decided(after(*PLAYED), replace(WON, player=NOBODY))
    assert isinstance(paid, PrizePaid)
    assert paid.credited == "unclaimed"


def test_a_ticket_is_won_once():
    assert unmoved(after(*WINNER), WON)
    assert unmoved(after(*in_for(EXACT)), WON)


@pytest.mark.parametrize(
    ("given", "when"),
    named(
        [
            ("another's place", WINNER, replace(WON, player=BEA)),
            ("worth more", WINNER, replace(WON, amount_cents=1_001)),
            ("for another tournament", WINNER, replace(WON, ticket_for="trn_x")),
            ("money instead", WINNER, replace(WON, ticket_for="")),
            ("instead of money", (*PLAYED, replace(WON, ticket_for="")), WON),
            ("another, unclaimed", (*PLAYED, suspended(ANN), WON), replace(WON, ticket_for="")),
            ("worth more than the pool", PLAYED, replace(WON, amount_cents=2 * FEE + 1)),
            ("below nothing", PLAYED, replace(WON, amount_cents=-1)),
        ]
    ),
)
def test_contradictions_stop_the_line(given, when):
    with pytest.raises(JournalContradicted, match=TRN):
        DECIDER.step(after(*given), when, 0)


# --- used -----------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("price", "by_ticket", "lines"),
    named(
        [
            ("exactly", EXACT, 1_000, {f"ticket/{TICKET}": -1_000, f"hold/{ANN}": 1_000}),
            ("worth more", CHEAP, 600, {f"ticket/{TICKET}": -600, f"hold/{ANN}": 600}),
            (
                "cash pays the rest",
                DEAR,
                1_000,
                {f"ticket/{TICKET}": -1_000, f"cash/{ANN}": -200, f"hold/{ANN}": 1_200},
            ),
        ]
    ),
)
def test_a_ticket_pays_what_it_is_worth(price, by_ticket, lines):
    event = decided(after(*WINNER), wanted(*price))
    assert isinstance(event, EntryHeld)
    assert (event.ticket, event.ticket_cents, event.price_cents) == (TICKET, by_ticket, sum(price))
    assert moved(event) == lines


@pytest.mark.parametrize(
    ("price", "rest"),
    named(
        [
            ("exactly", EXACT, {}),
            ("worth more", CHEAP, {f"ticket/{TICKET}": -400, f"cash/{ANN}": 400}),
            ("worth less", DEAR, {}),
        ]
    ),
)
def test_what_a_ticket_is_worth_above_the_price_is_paid_out_when_posted(price, rest):
    event = decided(after(*held(price)), registered(*price))
    assert isinstance(event, EntryPosted)
    fee, commission = price
    bought = {f"hold/{ANN}": -sum(price), f"pool/{BIG}": fee, "commission": commission}
    assert moved(event) == {**bought, **rest}


def test_the_rest_of_a_ticket_of_a_barred_player_waits_unclaimed():
    event = decided(after(*held(CHEAP), suspended(ANN)), registered(*CHEAP))
    assert moved(event)["unclaimed"] == 400


def test_a_ticket_that_is_worth_nothing_is_an_entry_for_who_wins_it():
    """A prize of a free tournament, or one whose worth went into a charge."""
    given = (*PLAYED, replace(WON, amount_cents=0), wanted(0), registered(0))
    assert after(*given).entries[ABOUT["entry"]].stage == "posted"
    assert unmoved(after(*given), registered(0))


USED = in_for(EXACT)
AGAIN = entry(ANN, BIG, 2)


@pytest.mark.parametrize(
    ("given", "when", "reason"),
    named(
        [
            ("nobody", (*WINNER,), wanted(0, player=NOBODY), "unknown_account"),
            ("suspended", (*WINNER, suspended(ANN)), wanted(0, ticket="x"), "not_identified"),
            ("no such ticket", WINNER, wanted(0, ticket="trn_1/2"), "unknown_ticket"),
            ("another's", WINNER, wanted(0, player=BEA, tournament="x"), "not_your_ticket"),
            (
                "another tournament, and used",
                USED,
                wanted(0, tournament="x", entry="x"),
                "ticket_for_another_tournament",
            ),
            ("used, and too poor", USED, wanted(9_000, **AGAIN), "ticket_used"),
            ("in use", held(EXACT), wanted(0, **AGAIN), "ticket_used"),
            ("too poor for the rest", WINNER, wanted(1_301), "insufficient_funds"),
        ]
    ),
)
def test_refusals_in_order(given, when, reason):
    refused = EntryRefused(
        tournament=when.tournament, entry=when.entry, player=when.player, reason=reason
    )
    assert decided(after(*given), when) == refused


def test_the_last_cent_of_cash_may_go_on_top():
    assert isinstance(decided(after(*WINNER), wanted(1_300)), EntryHeld)


# --- given back -----------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("price", "back"),
    named(
        [
            ("exactly", EXACT, {f"ticket/{TICKET}": 1_000}),
            ("worth more", CHEAP, {f"ticket/{TICKET}": 600}),
            ("worth less", DEAR, {f"ticket/{TICKET}": 1_000, f"cash/{ANN}": 200}),
        ]
    ),
)
def test_what_is_released_goes_back_where_it_came_from(price, back):
    given = held(price)
    event = decided(after(*given), DECLINED)
    assert isinstance(event, EntryReleased)
    assert event.ticket == TICKET
    assert moved(event) == {f"hold/{ANN}": -sum(price), **back}
    wallet = after(*given, DECLINED)
    assert wallet.balances[f"ticket/{TICKET}"] == 1_000
    assert isinstance(decided(wallet, wanted(*price, **AGAIN)), EntryHeld)


@pytest.mark.parametrize(
    ("price", "refund", "back"),
    named(
        [
            ("all of it", EXACT, 1_000, {f"ticket/{TICKET}": 1_000}),
            ("less a charge", EXACT, 900, {f"ticket/{TICKET}": 900}),
            ("nothing", EXACT, 0, {}),
            ("what it paid, no more", CHEAP, 600, {f"ticket/{TICKET}": 600}),
            ("cash and all", DEAR, 1_200, {f"ticket/{TICKET}": 1_000, f"cash/{ANN}": 200}),
            (
                "the charge off the cash",
                DEAR,
                1_050,
                {f"ticket/{TICKET}": 1_000, f"cash/{ANN}": 50},
            ),
            ("the charge off both", DEAR, 950, {f"ticket/{TICKET}": 950}),
        ]
    ),
)
def test_who_leaves_gets_the_ticket_back_as_far_as_the_refund_goes(price, refund, back):
    given = in_for(price)
    event = decided(after(*given), left(refund))
    assert isinstance(event, EntryRefunded)
    assert event.ticket == TICKET
    paid = {"commission": price[0] - refund} if price[0] != refund else {}
    assert moved(event) == {f"pool/{BIG}": -price[0], **paid, **back}
    again = decided(after(*given, left(refund)), wanted(0, **AGAIN))
    assert isinstance(again, EntryHeld)


def test_of_a_cancelled_tournament_the_worth_comes_back_and_the_ticket_is_used():
    event = decided(after(*in_for(DEAR)), left(1_200, cancelled=True))
    assert event.ticket == ""
    assert moved(event) == {f"pool/{BIG}": -1_100, "commission": -100, f"cash/{ANN}": 1_200}
    refused = decided(after(*in_for(DEAR), left(1_200, cancelled=True)), wanted(0, **AGAIN))
    assert refused.reason == "ticket_used"


CANCELLED = TournamentCancelled(tournament=BIG, author="opr_1", reason="rain")


def test_tickets_to_a_cancelled_tournament_are_paid_out_at_their_worth():
    wallet = after(*WINNER)
    voided, paid = DECIDER.decide(wallet, CANCELLED, 0)
    assert voided == TicketsVoided(tournament=BIG)
    assert paid == TicketPaidOut(
        ticket=TICKET,
        target=BIG,
        player=ANN,
        amount_cents=1_000,
        credited=f"cash/{ANN}",
        postings=postings((f"ticket/{TICKET}", -1_000, 0), (f"cash/{ANN}", 1_000, 1_300)),
    )
    assert unmoved(after(*WINNER, CANCELLED), CANCELLED)


def test_two_tickets_of_one_player_are_paid_out_one_after_the_other():
    both = (replace(WON, amount_cents=600), replace(WON, place=2, amount_cents=400))
    wallet = after(*PLAYED, *both, CANCELLED)
    assert wallet.balances[f"cash/{ANN}"] == 1_300
    assert not any(wallet.balances[f"ticket/{TRN}/{place}"] for place in (1, 2))


def test_a_ticket_to_another_tournament_stays_a_ticket():
    given = (*PLAYED, replace(WON, ticket_for="trn_x"))
    assert DECIDER.decide(after(*given), CANCELLED, 0) == (TicketsVoided(tournament=BIG),)


@pytest.mark.parametrize("price", [CHEAP, EXACT, DEAR])
def test_a_ticket_in_use_when_all_is_cancelled_comes_back_as_money(price):
    given = (*held(price), CANCELLED)
    assert len(DECIDER.decide(after(*held(price)), CANCELLED, 0)) == 1
    event = decided(after(*given), DECLINED)
    assert event.ticket == ""
    assert after(*given, DECLINED).balances[f"cash/{ANN}"] == 1_300
    assert not after(*given, DECLINED).balances[f"ticket/{TICKET}"]


def test_a_ticket_won_after_its_tournament_was_cancelled_is_money():
    event = decided(after(*PLAYED, CANCELLED), WON)
    assert (type(event), event.credited, event.ticket_for) == (PrizePaid, f"cash/{ANN}", BIG)
    assert unmoved(after(*PLAYED, CANCELLED, WON), WON)


def test_the_worth_of_a_barred_players_ticket_waits_unclaimed():
    _, paid = DECIDER.decide(after(*WINNER, suspended(ANN)), CANCELLED, 0)
    assert paid.credited == "unclaimed"


@pytest.mark.parametrize("status", [suspended, closed])
@pytest.mark.parametrize(
    ("given", "when"),
    named([("release", held(DEAR), DECLINED), ("refund", in_for(DEAR), left(1_200))]),
)
def test_to_a_barred_player_the_worth_comes_back_unclaimed(status, given, when):
    event = decided(after(*given, status(ANN)), when)
    assert event.ticket == ""
    assert moved(event)["unclaimed"] == 1_200


@pytest.mark.parametrize(
    ("given", "when"),
    named(
        [
            ("wanted twice", held(EXACT), wanted(*EXACT)),
            ("released twice", (*held(EXACT), DECLINED), DECLINED),
            ("posted twice, with a rest", in_for(CHEAP), registered(*CHEAP)),
            ("posted before the refund", (*in_for(CHEAP), left(600)), registered(*CHEAP)),
            ("refunded twice", (*in_for(DEAR), left(950)), left(950)),
        ]
    ),
)
def test_what_was_heard_before_changes_nothing(given, when):
    assert unmoved(after(*given), when)


def test_a_correction_turns_an_unused_ticket_into_money():
    """Its tournament was cancelled, or is over, and nobody used it."""
    paid_out = PostCorrection(
        correction="cor_1",
        corrects=1,
        lines=(CorrectionLine(f"ticket/{TICKET}", -1_000), CorrectionLine(f"cash/{ANN}", 1_000)),
        author="opr_1",
        reason="the tournament was cancelled",
    )
    wallet = after(*WINNER, paid_out)
    assert wallet.balances[f"cash/{ANN}"] == 1_300
    event = decided(wallet, wanted(*EXACT))
    assert (event.ticket_cents, moved(event)) == (
        0,
        {f"cash/{ANN}": -1_000, f"hold/{ANN}": 1_000},
    )
