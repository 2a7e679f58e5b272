"""Corrections: what was posted stays, an operator's entry sets it right."""

import pytest
from msgspec.structs import replace

from shared.contracts.director import PrizeDue
from shared.contracts.wallet import CorrectionLine, CorrectionPosted, PostCorrection
from shared.kernel.decider import Refused
from tests.core.wallet.given import (
    ANN,
    BEA,
    DECIDER,
    NOBODY,
    TRN,
    after,
    closed,
    entered,
    named,
    person,
    postings,
    suspended,
    unmoved,
)
from tests.core.wallet.paying import ASKED, CENTS, PAY, said, then

PRIZE = PrizeDue(tournament=TRN, place=1, player=NOBODY, amount_cents=400)
TICKET = PrizeDue(tournament=TRN, place=2, player=ANN, amount_cents=100, ticket_for="trn_2")
GIVEN = (*person(ANN, 5_000), *person(BEA), *entered(ANN), PRIZE, TICKET)
"""Ann has 3,900 in cash, the pool 500, the commission 100; 400 wait unclaimed, 100 in a ticket."""


def lines(*pairs):
    return tuple(CorrectionLine(*pair) for pair in pairs)


CLAIMED = PostCorrection(
    correction="cor_1",
    corrects=7,
    lines=lines(("unclaimed", -400), (f"cash/{BEA}", 400)),
    author="opr_1",
    reason="Bea has shown that the prize is hers",
)
SEVENTEEN = lines(*((f"cash/ply_{n}", 1) for n in range(16)), ("external", -16))


def test_money_that_waited_unclaimed_gets_to_its_owner():
    wallet = after(*GIVEN)
    assert DECIDER.decide(wallet, CLAIMED, 0) == (
        CorrectionPosted(
            correction="cor_1",
            corrects=7,
            author="opr_1",
            reason="Bea has shown that the prize is hers",
            postings=postings(("unclaimed", -400, 0), (f"cash/{BEA}", 400, 400)),
        ),
    )
    balances = after(*GIVEN, CLAIMED).balances
    assert (balances["unclaimed"], balances[f"cash/{BEA}"]) == (0, 400)


@pytest.mark.parametrize(
    "moved",
    named(
        [
            ("a deposit noted too high", lines((f"cash/{ANN}", -3_900), ("external", 3_900))),
            ("a pool that was short", lines(("top-up", -100), (f"pool/{TRN}", 100))),
            ("what a pool had too much", lines((f"pool/{TRN}", -500), ("commission", 500))),
            ("a ticket nobody can use", lines((f"ticket/{TRN}/2", -100), (f"cash/{ANN}", 100))),
            ("goodwill", lines(("promotions", -1), (f"cash/{ANN}", 1))),
            ("a debt paid late", lines(("external", -5), ("chargebacks", 5))),
            ("the bank's losses", lines(("commission", -100), ("house", 100))),
            ("three at once", lines(("commission", -3), (f"cash/{ANN}", 1), (f"cash/{BEA}", 2))),
        ]
    ),
)
def test_what_can_be_corrected(moved):
    (posted,) = DECIDER.decide(after(*GIVEN), replace(CLAIMED, lines=moved), 0)
    assert isinstance(posted, CorrectionPosted)
    assert [(p.account, p.amount_cents) for p in posted.postings] == [
        (line.account, line.amount_cents) for line in moved
    ]


def test_cash_of_a_suspended_player_can_be_corrected():
    assert DECIDER.decide(after(*GIVEN, suspended(BEA)), CLAIMED, 0)


@pytest.mark.parametrize(
    ("changes", "reason"),
    named(
        [
            ("of another kind", {"correction": "trn_1", "corrects": 0}, "correction_invalid"),
            ("nameless", {"correction": ""}, "correction_invalid"),
            ("of no commit", {"corrects": 0, "lines": ()}, "corrects_invalid"),
            ("of no number", {"corrects": 2**53, "lines": ()}, "corrects_invalid"),
            ("no lines", {"lines": (), "author": ""}, "lines_invalid"),
            ("too many", {"lines": SEVENTEEN}, "lines_invalid"),
            ("nothing", {"lines": lines(("unclaimed", 0), ("external", 0))}, "lines_invalid"),
            (
                "an account twice",
                {"lines": lines(("unclaimed", -1), ("unclaimed", 1))},
                "lines_invalid",
            ),
            (
                "enormous",
                {"lines": lines(("external", -100_000_001), (f"cash/{ANN}", 100_000_001))},
                "lines_invalid",
            ),
            ("nobody's", {"author": "", "reason": ""}, "author_invalid"),
            ("for no reason", {"reason": " ", "lines": lines(("x", 1))}, "reason_invalid"),
            ("out of balance", {"lines": lines(("x", 1))}, "does_not_balance"),
            ("one ledger account", {"lines": lines(("external", -1))}, "does_not_balance"),
        ]
    ),
)
def test_refused_for_what_it_says(changes, reason):
    """Each row but the last of a kind has a second fault that comes later."""
    refused = DECIDER.decide(after(*GIVEN), replace(CLAIMED, **changes), 0)
    assert isinstance(refused, Refused)
    assert refused.reason == reason


def moving(account, cents, other="external"):
    return replace(CLAIMED, lines=lines((account, cents), (other, -cents)))


@pytest.mark.parametrize(
    ("given", "when", "reason"),
    named(
        [
            ("no such ledger account", GIVEN, moving("house/1", 1), "unknown_ledger_account"),
            ("a part of a name", GIVEN, moving("cash", 1), "unknown_ledger_account"),
            ("nobody known", GIVEN, moving(f"cash/{NOBODY}", 1), "unknown_ledger_account"),
            ("closed", (*GIVEN, closed(BEA)), CLAIMED, "unknown_ledger_account"),
            ("a pool never paid into", GIVEN, moving("pool/trn_2", 1), "unknown_ledger_account"),
            ("no such ticket", GIVEN, moving(f"ticket/{TRN}/1", 1), "unknown_ledger_account"),
            ("a hold", GIVEN, moving(f"hold/{ANN}", 1), "unknown_ledger_account"),
            ("a withdrawal", GIVEN, moving(f"withdrawal/{ANN}", 1), "unknown_ledger_account"),
            (
                "unknown, and too much of another",
                GIVEN,
                moving("unclaimed", -401, "x"),
                "unknown_ledger_account",
            ),
            ("more than unclaimed", GIVEN, moving("unclaimed", -401), "would_go_below_zero"),
            ("more than in cash", GIVEN, moving(f"cash/{ANN}", -3_901), "would_go_below_zero"),
            ("more than the pool", GIVEN, moving(f"pool/{TRN}", -501), "would_go_below_zero"),
            ("more than the ticket", GIVEN, moving(f"ticket/{TRN}/2", -101), "would_go_below_zero"),
            ("more than commission", GIVEN, moving("commission", -101), "would_go_below_zero"),
        ]
    ),
)
def test_refused_for_what_the_journal_says(given, when, reason):
    refused = DECIDER.decide(after(*given), when, 0)
    assert isinstance(refused, Refused)
    assert refused.reason == reason


def test_the_same_again_changes_nothing_whatever_has_become_of_the_money():
    assert unmoved(after(*GIVEN, CLAIMED), CLAIMED)
    assert unmoved(after(*GIVEN, CLAIMED, closed(BEA)), CLAIMED)


@pytest.mark.parametrize(
    "changes",
    [
        {"corrects": 8},
        {"lines": lines(("unclaimed", -399), (f"cash/{BEA}", 399))},
        {"lines": lines(("x", 1), ("y", -1))},
        {"author": "opr_2"},
        {"reason": "another"},
        {"settles": "pay_in"},
    ],
)
def test_another_correction_of_the_same_name_is_refused(changes):
    again = replace(CLAIMED, **changes)
    refusal = Refused("exists_with_different_content")
    assert DECIDER.decide(after(*GIVEN, CLAIMED), again, 0) == refusal


# --- payments of another amount ------------------------------------------------------------------

DIFFERING = then(after(*ASKED), said("succeeded", cents=CENTS - 1))
DECIDED = replace(CLAIMED, lines=lines(("unclaimed", 1 - CENTS), (f"cash/{ANN}", CENTS - 1)))


def test_a_payment_that_is_decided_waits_for_nobody_any_more():
    assert DIFFERING.differing == (PAY,)
    assert then(DIFFERING, DECIDED).differing == (PAY,)
    settled = then(DIFFERING, replace(DECIDED, settles=PAY))
    assert settled.differing == ()
    assert not settled.payments[PAY].differs
    assert unmoved(settled, replace(DECIDED, settles=PAY))


def test_a_payment_can_be_left_as_it_was_booked():
    (posted,) = DECIDER.decide(DIFFERING, replace(CLAIMED, lines=(), settles=PAY), 0)
    assert (posted.settles, posted.postings) == (PAY, ())
    assert then(DIFFERING, replace(CLAIMED, lines=(), settles=PAY)).differing == ()


def test_a_decided_payment_waits_again_when_the_provider_speaks_of_another_amount_again():
    settled = then(DIFFERING, replace(DECIDED, settles=PAY))
    assert then(settled, said("succeeded", 2, CENTS)).differing == (PAY,)


@pytest.mark.parametrize("settles", ["pay_other", "x", " "])
def test_only_a_payment_of_another_amount_can_be_decided(settles):
    refused = DECIDER.decide(DIFFERING, replace(DECIDED, settles=settles), 0)
    assert isinstance(refused, Refused)
    assert refused.reason == "nothing_to_settle"
    again = replace(DECIDED, correction="cor_2", settles=PAY)
    refused = DECIDER.decide(then(DIFFERING, replace(DECIDED, settles=PAY)), again, 0)
    assert isinstance(refused, Refused)
    assert refused.reason == "nothing_to_settle"
