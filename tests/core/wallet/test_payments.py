"""What players and operators ask of payments, told as rows: one row, one reason to exist."""

import pytest
from msgspec.structs import replace

from services.wallet.core import WalletRules, make_decider, respond
from shared.contracts.message import TimerFired
from shared.contracts.wallet import (
    DepositFailed,
    DepositRequested,
    ExcludeSelf,
    PaymentSent,
    PaymentView,
    ReadOpenPayments,
    ReadPayment,
    ReadPayments,
    SendDeposit,
    SendWithdrawal,
    SetLimit,
    WithdrawalApproved,
    WithdrawalHeld,
    WithdrawalReleased,
)
from shared.kernel.decider import Refused
from tests.core.wallet.given import (
    ANN,
    BEA,
    DECIDER,
    after,
    closed,
    named,
    person,
    postings as lines,
    suspended,
)
from tests.core.wallet.paying import (
    APPROVE,
    APPROVED,
    ASKED,
    CANCEL,
    CENTS,
    DEPOSIT,
    EXPIRES_MS,
    HELD,
    KNOWN,
    OUT,
    PAY,
    REFUSE,
    RICH,
    WITHDRAW,
    facts,
    held,
    kinds,
    of_payout,
    rejected,
    said,
    stage,
    started,
    then,
)

LATE = EXPIRES_MS + 1
FIRED = TimerFired(name="deadline")
WITHOUT_PROVIDER = make_decider(WalletRules(provider=False))

WRONG_WORDS = [
    ("no player", {"player": "Ann"}, "player_id_invalid"),
    ("no payment", {"payment": "bank-1"}, "payment_invalid"),
    ("a payment with a slash", {"payment": "pay_a/b"}, "payment_invalid"),
    ("nothing", {"amount_cents": 0}, "amount_must_be_positive"),
    ("a debt", {"amount_cents": -1}, "amount_must_be_positive"),
    ("too much", {"amount_cents": 100_000_001}, "amount_too_large"),
    ("somebody unknown", {"player": BEA}, "unknown_account"),
]


@pytest.mark.parametrize("request_", [DEPOSIT, WITHDRAW], ids=["deposit", "withdrawal"])
@pytest.mark.parametrize(("change", "reason"), named(WRONG_WORDS))
def test_what_is_wrong_with_a_request_by_itself(request_, change, reason):
    refusal = DECIDER.decide(after(*RICH), replace(request_, **change), 0)
    assert refusal.reason == reason


@pytest.mark.parametrize("request_", [DEPOSIT, WITHDRAW], ids=["deposit", "withdrawal"])
@pytest.mark.parametrize(
    ("given", "reason"),
    [
        (person(ANN)[:1], "not_identified"),
        ((*RICH, suspended(ANN)), "not_identified"),
        ((*KNOWN, closed(ANN)), "not_identified"),
    ],
    ids=["pending", "suspended", "closed"],
)
def test_money_goes_through_identified_accounts_only(request_, given, reason):
    assert DECIDER.decide(after(*given), request_, 0).reason == reason


@pytest.mark.parametrize(
    ("given", "request_", "change"),
    named(
        [
            ("another amount", ASKED, DEPOSIT, {"amount_cents": 1}),
            ("another player", (*ASKED, *person(BEA)), DEPOSIT, {"player": BEA}),
            ("another amount out", HELD, WITHDRAW, {"amount_cents": 1}),
            ("another player out", (*HELD, *person(BEA)), WITHDRAW, {"player": BEA}),
            ("a deposit of a withdrawal's name", HELD, DEPOSIT, {"payment": OUT}),
            ("a withdrawal of a deposit's name", (*RICH, DEPOSIT), WITHDRAW, {"payment": PAY}),
        ]
    ),
)
def test_a_payments_name_is_used_once(given, request_, change):
    refusal = DECIDER.decide(after(*given), replace(request_, **change), 0)
    assert refusal.reason == "exists_with_different_content"


# --- deposits -------------------------------------------------------------------------------


def test_a_deposit_is_asked_of_the_provider_and_moves_nothing():
    decision = DECIDER.decide(after(*KNOWN), DEPOSIT, 0)
    assert decision[0] == DepositRequested(player=ANN, payment=PAY, amount_cents=CENTS)
    assert decision[1].errands == (SendDeposit(PAY, ANN, CENTS),)
    assert held(after(*ASKED)) == {}


@pytest.mark.parametrize("meanwhile", [(), (suspended(ANN),), (said("succeeded"),)])
def test_a_deposit_asked_for_again_is_the_same_one_whatever_came_of_it(meanwhile):
    assert DECIDER.decide(after(*ASKED, *meanwhile), DEPOSIT, 0) == ()


def test_without_a_provider_only_the_desk_takes_money():
    refused = Refused("no_provider")
    rich, waiting = after(*RICH), after(*HELD)
    assert WITHOUT_PROVIDER.decide(rich, DEPOSIT, 0) == refused
    assert WITHOUT_PROVIDER.decide(rich, WITHDRAW, 0) == refused
    assert WITHOUT_PROVIDER.decide(waiting, APPROVE, 0) == refused
    assert WITHOUT_PROVIDER.decide(after(*ASKED), DEPOSIT, 0) == ()
    assert held(rich)[f"cash/{ANN}"] == 5_000


def test_bp_responsible_limits_stand_in_the_way_and_failures_give_back():
    limit = SetLimit(player=ANN, kind="deposit", window="day", amount=CENTS)
    limited = then(after(*KNOWN), limit, at_ms=1)
    other = replace(DEPOSIT, payment="pay_2", amount_cents=1)
    asked = then(limited, DEPOSIT, at_ms=2)
    assert DECIDER.decide(asked, other, 3).reason == "deposit_limit_reached"
    failed = then(asked, said("failed"), at_ms=3)
    assert kinds(failed, other, 4)[0] == "DepositRequested"
    away = then(limited, ExcludeSelf(player=ANN, until_ms=9), at_ms=2)
    assert DECIDER.decide(away, DEPOSIT, 3).reason == "self_excluded"


def test_the_page_comes_with_the_providers_answer():
    wallet = after(*ASKED)
    sent = PaymentSent(payment=PAY, provider_reference="prv_1", page="https://pay.example/1")
    assert facts(wallet, started(wallet)) == [sent]
    assert stage(then(wallet, started(wallet))) == "sent"


def test_a_word_may_come_before_the_providers_answer_has():
    wallet = after(*ASKED)
    answer = started(wallet)
    wallet = then(wallet, said("succeeded"), answer)
    assert stage(wallet) == "confirmed"
    assert wallet.payments[PAY].page == "https://pay.example/1"


def test_a_deposit_that_the_provider_rejects_has_failed():
    wallet = after(*ASKED)
    failed = DepositFailed(player=ANN, payment=PAY, reason="rejected: card_blocked")
    assert facts(wallet, rejected(wallet)) == [failed]


def test_a_rejection_says_nothing_against_the_providers_word():
    wallet = after(*ASKED)
    answer = rejected(wallet)
    assert stage(then(wallet, said("succeeded"), answer)) == "confirmed"


# --- withdrawals ----------------------------------------------------------------------------


def test_a_withdrawal_is_held_until_it_expires():
    (event,) = DECIDER.decide(after(*RICH), WITHDRAW, 7)
    assert event == WithdrawalHeld(
        player=ANN,
        payment=OUT,
        amount_cents=CENTS,
        expires_at_ms=EXPIRES_MS + 7,
        postings=lines((f"cash/{ANN}", -CENTS, 3_000), (f"withdrawal/{ANN}", CENTS, CENTS)),
    )


def test_only_what_is_there_can_be_withdrawn():
    rich = after(*RICH)
    assert DECIDER.decide(rich, replace(WITHDRAW, amount_cents=5_001), 0).reason == (
        "insufficient_funds"
    )
    assert kinds(rich, replace(WITHDRAW, amount_cents=5_000)) == ["WithdrawalHeld"]


def test_pp_bonus_what_is_locked_cannot_leave():
    decider = make_decider(WalletRules())
    wallet = decider.initial
    for one in person(ANN):
        wallet = decider.evolve(wallet, one)
    _, wallet = decider.step(wallet, replace(DEPOSIT, amount_cents=2_500), 0)
    _, wallet = decider.step(wallet, said("succeeded", cents=2_500), 0)
    assert held(wallet)[f"cash/{ANN}"] == 3_500
    for cents, reason in ((3_501, "insufficient_funds"), (2_501, "bonus_locked")):
        refusal = decider.decide(wallet, replace(WITHDRAW, amount_cents=cents), 0)
        assert refusal.reason == reason
    (left,) = decider.decide(wallet, replace(WITHDRAW, amount_cents=2_500), 0)
    assert isinstance(left, WithdrawalHeld)


def test_an_approved_withdrawal_is_asked_of_the_provider():
    decision = DECIDER.decide(after(*HELD), APPROVE, 0)
    approved = WithdrawalApproved(player=ANN, payment=OUT, amount_cents=CENTS, author="carla")
    assert decision[0] == approved
    assert decision[1].errands == (SendWithdrawal(OUT, ANN, CENTS),)
    assert after(*APPROVED).deadlines == ()


def back(why, author="", reason=""):
    return WithdrawalReleased(
        player=ANN,
        payment=OUT,
        amount_cents=CENTS,
        why=why,
        author=author,
        reason=reason,
        credited=f"cash/{ANN}",
        postings=lines((f"withdrawal/{ANN}", -CENTS, 0), (f"cash/{ANN}", CENTS, 5_000)),
    )


@pytest.mark.parametrize(
    ("end", "at_ms", "event"),
    named(
        [
            ("the player", CANCEL, 0, back("cancelled")),
            ("an operator", REFUSE, 0, back("refused", "carla", REFUSE.reason)),
            ("an operator, late", REFUSE, LATE, back("refused", "carla", REFUSE.reason)),
            ("nobody in time", FIRED, EXPIRES_MS, back("expired")),
        ]
    ),
)
def test_who_ends_a_hold(end, at_ms, event):
    wallet = after(*HELD)
    assert facts(wallet, end, at_ms) == [event]
    ended = then(wallet, end, at_ms=at_ms)
    assert ended.deadlines == ()
    assert DECIDER.decide(ended, end, at_ms) == ()


def test_a_hold_does_not_end_before_its_time():
    assert DECIDER.decide(after(*HELD), FIRED, EXPIRES_MS - 1) == ()


def test_a_withdrawal_that_the_provider_rejects_is_released():
    wallet = after(*APPROVED)
    assert facts(wallet, rejected(wallet, OUT)) == [back("failed", reason="rejected: card_blocked")]


EXPIRED = then(after(*HELD), FIRED, at_ms=EXPIRES_MS)
REFUSALS = [
    # case, wallet, when, at, reason
    ("approve nonsense", after(*HELD), replace(APPROVE, payment="x"), 0, "payment_invalid"),
    ("approve as nobody", after(*HELD), replace(APPROVE, author=""), 0, "author_invalid"),
    ("approve nothing", after(*RICH), APPROVE, 0, "unknown_payment"),
    ("approve a deposit", after(*ASKED), replace(APPROVE, payment=PAY), 0, "unknown_payment"),
    ("approve too late", after(*HELD), APPROVE, EXPIRES_MS, "hold_expired"),
    ("approve what expired", EXPIRED, APPROVE, LATE, "hold_expired"),
    ("approve what was refused", after(*HELD, REFUSE), APPROVE, 0, "not_awaiting_approval"),
    ("approve what was cancelled", after(*HELD, CANCEL), APPROVE, 0, "not_awaiting_approval"),
    ("approve for a suspended", after(*HELD, suspended(ANN)), APPROVE, 0, "not_identified"),
    ("refuse nonsense", after(*HELD), replace(REFUSE, payment="x"), 0, "payment_invalid"),
    ("refuse as nobody", after(*HELD), replace(REFUSE, author=""), 0, "author_invalid"),
    ("refuse for nothing", after(*HELD), replace(REFUSE, reason=""), 0, "reason_invalid"),
    ("refuse nothing", after(*RICH), REFUSE, 0, "unknown_payment"),
    ("refuse what is approved", after(*APPROVED), REFUSE, 0, "not_awaiting_approval"),
    ("refuse what expired", EXPIRED, REFUSE, LATE, "not_awaiting_approval"),
    ("cancel as nobody", after(*HELD), replace(CANCEL, player="Ann"), 0, "player_id_invalid"),
    ("cancel nonsense", after(*HELD), replace(CANCEL, payment="x"), 0, "payment_invalid"),
    ("cancel nothing", after(*RICH), CANCEL, 0, "unknown_payment"),
    ("cancel another's", after(*HELD), replace(CANCEL, player=BEA), 0, "unknown_payment"),
    ("cancel what is approved", after(*APPROVED), CANCEL, 0, "not_awaiting_approval"),
    ("cancel what was refused", after(*HELD, REFUSE), CANCEL, 0, "not_awaiting_approval"),
    ("cancel when suspended", after(*HELD, suspended(ANN)), CANCEL, 0, "not_identified"),
]


@pytest.mark.parametrize(("wallet", "when", "at_ms", "reason"), named(REFUSALS))
def test_what_cannot_be_done_about_a_withdrawal(wallet, when, at_ms, reason):
    assert DECIDER.decide(wallet, when, at_ms).reason == reason


@pytest.mark.parametrize(
    "wallet",
    [after(*APPROVED), *[after(*APPROVED, of_payout(word)) for word in ("succeeded", "failed")]],
    ids=["approved", "paid", "failed"],
)
def test_an_approval_that_is_sent_again_is_no_second_one(wallet):
    assert DECIDER.decide(wallet, APPROVE, LATE) == ()


def test_a_hold_of_a_suspended_account_goes_unclaimed():
    wallet = then(after(*HELD, suspended(ANN)), FIRED, at_ms=EXPIRES_MS)
    assert held(wallet)["unclaimed"] == CENTS


def test_two_rejections_in_one_batch_are_booked_one_after_the_other():
    first, second = (replace(WITHDRAW, payment=f"pay_{n}") for n in (1, 2))
    third = replace(DEPOSIT, payment="pay_3")
    wallet = after(*RICH, first, second, third)
    wallet = then(wallet, *[replace(APPROVE, payment=f"pay_{n}") for n in (1, 2)])
    wallet = then(wallet, rejected(wallet, "pay_3"))
    answer = rejected(wallet, "pay_1")
    answer = replace(answer, outcomes=(*answer.outcomes, *rejected(wallet, "pay_2").outcomes))
    assert held(then(wallet, answer)) == {"external": -5_000, f"cash/{ANN}": 5_000}


# --- reads ----------------------------------------------------------------------------------


def seen(**changes):
    view = PaymentView(
        payment=OUT,
        kind="withdrawal",
        player=ANN,
        stage="held",
        amount_cents=CENTS,
        moved_cents=0,
        page="",
        expires_at_ms=EXPIRES_MS,
        differs=False,
        why=None,
    )
    return replace(view, **changes)


def test_players_see_their_payments_the_newest_first():
    wallet = after(*HELD, DEPOSIT)
    deposit = seen(payment=PAY, kind="deposit", stage="requested", expires_at_ms=0)
    assert respond(wallet, ReadPayments(player=ANN)).payments == (deposit, seen())
    assert respond(wallet, ReadPayment(payment=OUT)) == seen()
    assert DECIDER.decide(wallet, ReadPayments(player=ANN), 0) == ()
    assert DECIDER.decide(wallet, ReadPayment(payment="pay_x"), 0) == Refused("unknown_payment")
    assert DECIDER.decide(wallet, ReadPayments(player=BEA), 0) == Refused("unknown_account")


def test_operators_see_what_waits_for_them():
    wallet = after(*HELD, DEPOSIT, said("succeeded", cents=CENTS - 1))
    view = respond(wallet, ReadOpenPayments())
    assert view.withdrawals == (seen(),)
    assert [(one.payment, one.differs) for one in view.differing] == [(PAY, True)]
    assert respond(then(wallet, APPROVE), ReadOpenPayments()).withdrawals == ()
