"""What the provider's words mean: confirmed, failed, reversed, paid, returned; each once."""

import pytest
from msgspec.structs import replace

from services.wallet.core import DECIDER as WITH_BONUS
from shared.contracts.director import EntryRequested
from shared.contracts.wallet import (
    AccountReinstated,
    AccountSuspended,
    AmountDiffered,
    DepositConfirmed,
    DepositFailed,
    DepositReversed,
    WebhookTaken,
    WithdrawalPaid,
    WithdrawalReturned,
)
from shared.kernel.decider import Refused
from tests.core.wallet.given import (
    ANN,
    DECIDER,
    after,
    closed,
    entry,
    named,
    person,
    postings as lines,
    suspended,
)
from tests.core.wallet.paying import (
    APPROVE,
    APPROVED,
    ASKED,
    CENTS,
    DEPOSIT,
    HELD,
    OUT,
    PAY,
    REFUSE,
    RICH,
    WITHDRAW,
    confirmed,
    facts,
    held,
    kinds,
    of_payout,
    said,
    stage,
    started,
    then,
)

SPENDS = EntryRequested(**entry(ANN), fee_cents=1_400, commission_cents=100, deadline_ms=0)
SUSPENSION = AccountSuspended(player=ANN, author="wallet", reason=f"deposit {PAY}: charged_back")
REINSTATED = AccountReinstated(player=ANN, author="carla", reason="it was the bank")


def taken(word, sequence=1, cents=CENTS, payment=PAY):
    return WebhookTaken(
        payment=payment,
        event=f"evt_{sequence}",
        sequence=sequence,
        occurred_at_ms=sequence,
        provider_reference="prv_1",
        word=word,
        amount_cents=cents,
        reason="",
    )


# --- deposits -------------------------------------------------------------------------------


def test_a_deposit_that_succeeded_is_cash():
    assert facts(after(*ASKED), said("succeeded")) == [
        taken("succeeded"),
        DepositConfirmed(
            player=ANN,
            payment=PAY,
            amount_cents=CENTS,
            credited=f"cash/{ANN}",
            postings=lines(("external", -CENTS, -CENTS), (f"cash/{ANN}", CENTS, CENTS)),
        ),
    ]


def test_pp_bonus_comes_with_the_first_deposit_whichever_way_it_came():
    wallet = WITH_BONUS.initial
    for one in person(ANN):
        wallet = WITH_BONUS.evolve(wallet, one)
    for n, granted in ((1, True), (2, False)):
        name = f"pay_{n}"
        asked = replace(DEPOSIT, payment=name, amount_cents=2_500)
        _, wallet = WITH_BONUS.step(wallet, asked, 0)
        word = said("succeeded", cents=2_500, payment=name)
        events, wallet = WITH_BONUS.step(wallet, word, 0)
        assert ("BonusGranted" in [type(event).__name__ for event in events]) == granted
    assert held(wallet)[f"cash/{ANN}"] == 6_000


@pytest.mark.parametrize("end", [suspended(ANN), closed(ANN)], ids=["suspended", "closed"])
def test_money_that_arrives_for_an_account_that_cannot_take_it_is_unclaimed(end):
    wallet = then(after(*ASKED, end), said("succeeded"))
    assert held(wallet) == {"external": -CENTS, "unclaimed": CENTS}


@pytest.mark.parametrize("cents", [1, CENTS - 1, CENTS + 1, 50_000_000_000])
def test_another_amount_than_was_asked_for_is_nobodys_until_a_person_decides(cents):
    wallet = after(*ASKED)
    differed = AmountDiffered(player=ANN, payment=PAY, expected_cents=CENTS, said_cents=cents)
    assert facts(wallet, said("succeeded", cents=cents))[1] == differed
    wallet = then(wallet, said("succeeded", cents=cents))
    assert held(wallet) == {"external": -cents, "unclaimed": cents}
    assert wallet.differing == (PAY,)
    back = then(wallet, said("failed", 2, cents))
    assert (held(back), back.differing) == ({}, ())


def test_a_deposit_that_failed_moved_nothing():
    failed = DepositFailed(player=ANN, payment=PAY, reason="failed")
    assert facts(after(*ASKED), said("failed")) == [taken("failed"), failed]


def test_a_success_after_a_failure_counts():
    wallet = then(after(*ASKED), said("failed"), said("succeeded", 2))
    assert held(wallet) == {"external": -CENTS, f"cash/{ANN}": CENTS}


@pytest.mark.parametrize("word", ["failed", "charged_back"])
def test_money_that_goes_back_leaves_the_cash_and_the_account_is_suspended(word):
    events = facts(confirmed(), said(word, 2))
    assert events == [
        taken(word, 2),
        DepositReversed(
            player=ANN,
            payment=PAY,
            amount_cents=CENTS,
            spent_cents=0,
            reason=word,
            postings=lines(("external", CENTS, 0), (f"cash/{ANN}", -CENTS, 0)),
        ),
        replace(SUSPENSION, reason=f"deposit {PAY}: {word}"),
    ]


def test_what_was_spent_of_it_is_the_operators_loss_and_nobodys_debt():
    wallet = confirmed(SPENDS)
    reverse = facts(wallet, said("charged_back", 2))[1]
    assert reverse.spent_cents == 1_500
    assert held(then(wallet, said("charged_back", 2))) == {
        "chargebacks": -1_500,
        f"hold/{ANN}": 1_500,
    }


def test_a_withdrawal_that_waits_is_called_off_before_the_operator_loses_anything():
    wallet = confirmed(WITHDRAW, said("charged_back", 2))
    assert held(wallet) == {}
    assert wallet.payments[OUT].why == "refused"
    assert wallet.deadlines == ()


def test_no_more_withdrawals_are_called_off_than_it_takes():
    small = replace(WITHDRAW, payment="pay_a", amount_cents=500)
    wallet = after(*RICH, DEPOSIT, said("succeeded"), small)
    later = replace(WITHDRAW, amount_cents=6_000)
    wallet = then(wallet, later, said("charged_back", 2))
    assert stage(wallet, "pay_a") == "released"
    assert stage(wallet, OUT) == "released"
    assert held(wallet) == {"external": -5_000, f"cash/{ANN}": 5_000}
    wallet = then(after(*RICH, DEPOSIT, said("succeeded"), small), said("charged_back", 2))
    assert stage(wallet, "pay_a") == "held"


def test_an_approved_withdrawal_is_out_of_reach():
    wallet = confirmed(WITHDRAW, APPROVE, said("charged_back", 2))
    assert held(wallet) == {"chargebacks": -CENTS, f"withdrawal/{ANN}": CENTS}


def test_money_that_comes_again_makes_good_the_loss_first():
    wallet = confirmed(SPENDS, said("charged_back", 2))
    event = facts(wallet, said("succeeded", 3))[1]
    assert (event.settled_cents, event.credited) == (1_500, "unclaimed")
    wallet = then(wallet, said("succeeded", 3))
    assert held(wallet) == {"external": -CENTS, "unclaimed": 500, f"hold/{ANN}": 1_500}


def test_of_what_is_unclaimed_no_more_goes_back_than_came():
    other = replace(DEPOSIT, payment="pay_other")
    wallet = confirmed(other, SPENDS, said("charged_back", 2))
    wallet = then(wallet, said("succeeded", 3), said("succeeded", payment="pay_other"))
    assert held(wallet)["unclaimed"] == 500 + CENTS
    wallet = then(wallet, said("charged_back", 4))
    assert held(wallet)["unclaimed"] == CENTS
    assert held(wallet)["chargebacks"] == -1_500


def test_an_account_is_suspended_once_and_again_after_it_was_reinstated():
    wallet = then(confirmed(), said("charged_back", 2))
    assert kinds(wallet, said("charged_back", 3)) == ["WebhookTaken"]
    wallet = DECIDER.evolve(wallet, REINSTATED)
    assert kinds(wallet, said("charged_back", 3)) == ["WebhookTaken", "AccountSuspended"]


def test_a_chargeback_heard_of_before_its_deposit_suspends_and_moves_nothing():
    wallet = after(*ASKED)
    assert facts(wallet, said("charged_back", 2))[1:] == [
        DepositFailed(player=ANN, payment=PAY, reason="charged_back"),
        SUSPENSION,
    ]
    wallet = then(wallet, said("charged_back", 2))
    assert DECIDER.decide(wallet, said("succeeded", 1), 0) == ()
    assert held(wallet) == {}


@pytest.mark.parametrize("word", ["succeeded", "failed", "charged_back"])
def test_another_amount_after_it_was_credited_moves_nothing(word):
    wallet = confirmed()
    differed = AmountDiffered(player=ANN, payment=PAY, expected_cents=CENTS, said_cents=1)
    assert facts(wallet, said(word, 2, 1))[1] == differed
    after_it = then(wallet, said(word, 2, 1))
    assert held(after_it) == held(wallet)
    assert after_it.accounts[ANN].status == ("identified" if word == "succeeded" else "suspended")


# --- withdrawals ----------------------------------------------------------------------------


def test_a_withdrawal_that_succeeded_is_out():
    assert facts(after(*APPROVED), of_payout("succeeded")) == [
        taken("succeeded", payment=OUT),
        WithdrawalPaid(
            player=ANN,
            payment=OUT,
            amount_cents=CENTS,
            postings=lines((f"withdrawal/{ANN}", -CENTS, 0), ("external", CENTS, -3_000)),
        ),
    ]


@pytest.mark.parametrize("word", ["failed", "returned"])
def test_a_withdrawal_that_did_not_arrive_is_cash_again(word):
    wallet = then(after(*APPROVED), of_payout(word))
    assert held(wallet) == {"external": -5_000, f"cash/{ANN}": 5_000}
    assert (stage(wallet, OUT), wallet.payments[OUT].why) == ("released", "failed")


def test_money_that_was_paid_out_and_comes_back_is_cash_again():
    wallet = after(*APPROVED, of_payout("succeeded"))
    event = facts(wallet, of_payout("returned", 2))[1]
    assert event == WithdrawalReturned(
        player=ANN,
        payment=OUT,
        amount_cents=CENTS,
        reason="returned",
        credited=f"cash/{ANN}",
        postings=lines(("external", -CENTS, -5_000), (f"cash/{ANN}", CENTS, 5_000)),
    )


def test_less_than_was_paid_out_comes_back_unclaimed():
    wallet = then(after(*APPROVED), of_payout("succeeded"), of_payout("returned", 2, 1_900))
    assert held(wallet) == {"external": -4_900, f"cash/{ANN}": 3_000, "unclaimed": 1_900}
    assert wallet.differing == (OUT,)


@pytest.mark.parametrize("first", ["failed", "returned"])
def test_a_success_after_it_was_given_back_takes_what_is_there_and_the_rest_is_lost(first):
    wallet = then(after(*APPROVED), of_payout(first))
    spends = replace(SPENDS, fee_cents=3_900)
    wallet = then(wallet, spends, of_payout("succeeded", 2))
    assert held(wallet) == {
        "chargebacks": -1_000,
        "external": -3_000,
        f"hold/{ANN}": 4_000,
    }
    again = then(wallet, of_payout("returned", 3))
    assert held(again) == {"external": -5_000, f"cash/{ANN}": 1_000, f"hold/{ANN}": 4_000}


def test_less_than_was_asked_for_went_out_and_the_rest_waits_for_a_person():
    wallet = after(*APPROVED)
    assert kinds(wallet, of_payout("succeeded", cents=1_900))[1:] == [
        "AmountDiffered",
        "WithdrawalPaid",
    ]
    wallet = then(wallet, of_payout("succeeded", cents=1_900))
    assert held(wallet) == {"external": -3_100, f"cash/{ANN}": 3_000, "unclaimed": 100}
    assert wallet.differing == (OUT,)


def test_more_than_was_asked_for_went_out_at_the_operators_cost():
    wallet = then(after(*APPROVED), of_payout("succeeded", cents=2_300))
    assert held(wallet) == {"external": -2_700, f"cash/{ANN}": 3_000, "chargebacks": -300}
    back = then(wallet, of_payout("returned", 2, 2_300))
    assert held(back) == {"external": -5_000, f"cash/{ANN}": 5_000}


def test_a_late_success_of_another_amount_takes_no_more_than_was_asked_for():
    wallet = then(after(*APPROVED), of_payout("failed"), of_payout("succeeded", 2, 2_300))
    assert held(wallet) == {"external": -2_700, f"cash/{ANN}": 3_000, "chargebacks": -300}


@pytest.mark.parametrize("word", ["failed", "returned"])
def test_of_a_payout_that_failed_nothing_has_moved_whatever_the_amount(word):
    wallet = then(after(*APPROVED), of_payout(word, cents=1))
    assert held(wallet) == {"external": -5_000, f"cash/{ANN}": 5_000}


def test_another_amount_after_it_was_paid_moves_nothing():
    wallet = after(*APPROVED, of_payout("succeeded"))
    assert kinds(wallet, of_payout("succeeded", 2, 1)) == ["WebhookTaken", "AmountDiffered"]
    assert held(then(wallet, of_payout("succeeded", 2, 1))) == held(wallet)


@pytest.mark.parametrize("end", [suspended(ANN)], ids=["suspended"])
def test_a_payout_that_fails_for_an_account_that_cannot_take_it_is_unclaimed(end):
    wallet = then(after(*APPROVED, end), of_payout("failed"))
    assert held(wallet)["unclaimed"] == CENTS


# --- words ----------------------------------------------------------------------------------


@pytest.mark.parametrize("word", ["succeeded", "failed", "charged_back"])
@pytest.mark.parametrize("sequence", [1, 2, 3])
def test_a_word_that_was_heard_or_overtaken_records_nothing(word, sequence):
    wallet = then(after(*ASKED), said("succeeded", 3))
    assert DECIDER.decide(wallet, said(word, sequence), 0) == ()


def test_a_newer_word_that_changes_nothing_is_recorded_so_that_older_ones_come_too_late():
    wallet = then(after(*ASKED), said("succeeded", 1))
    assert kinds(wallet, said("succeeded", 3)) == ["WebhookTaken"]
    assert DECIDER.decide(then(wallet, said("succeeded", 3)), said("failed", 2), 0) == ()


REFUSED = [
    # case, wallet, word, reason
    ("of nothing", after(*RICH), said("succeeded"), "unknown_payment"),
    ("of another kind", after(*ASKED), replace(said("succeeded"), kind="withdrawal"), None),
    ("never approved", after(*HELD), of_payout("succeeded"), "unknown_payment"),
    ("refused", after(*HELD, REFUSE), of_payout("succeeded"), "unknown_payment"),
    ("no such word in", after(*ASKED), said("returned"), "webhook_malformed"),
    ("no such word out", after(*APPROVED), of_payout("charged_back"), "webhook_malformed"),
]


@pytest.mark.parametrize(("wallet", "word", "reason"), named(REFUSED))
def test_words_that_are_refused(wallet, word, reason):
    decision = DECIDER.decide(wallet, word, 0)
    assert isinstance(decision, Refused)
    assert decision.reason == (reason or "unknown_payment")


def test_a_word_under_another_reference_is_not_about_our_payment():
    wallet = after(*ASKED)
    wallet = then(wallet, started(wallet))
    foreign = replace(said("succeeded"), provider_reference="prv_2")
    assert DECIDER.decide(wallet, foreign, 0) == Refused("unknown_payment")
    assert kinds(wallet, said("succeeded"))[1] == "DepositConfirmed"
