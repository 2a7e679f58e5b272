"""Rules of money that goes through a provider: PP-ACCOUNT, PP-BONUS and BP-RESPONSIBLE."""

import pytest
from msgspec.structs import replace

from services.wallet.core import DECIDER, HearProvider, WalletRules, make_decider
from shared.contracts.wallet import (
    ExcludeSelf,
    ReinstateAccount,
    RequestDeposit,
    RequestWithdrawal,
    SetLimit,
    SuspendAccount,
)
from shared.kernel.decider import Refused
from tests.people import signed_up

ANN = "ply_ann"
KNOWN = signed_up(ANN)
DEPOSIT = RequestDeposit(player=ANN, payment="pay_1", amount_cents=2_500)
WITHDRAWAL = RequestWithdrawal(player=ANN, payment="pay_2", amount_cents=2_500)
ARRIVED = HearProvider(
    event="evt_1",
    payment="pay_1",
    kind="deposit",
    provider_reference="prv_1",
    word="succeeded",
    amount_cents=2_500,
    sequence=1,
    occurred_at_ms=0,
    reason="",
)
SAID = {"player": ANN, "author": "opr_1", "reason": "a question is open"}


def after(*commands, decider=DECIDER):
    wallet = decider.initial
    for command in commands:
        _, wallet = decider.step(wallet, command, 0)
    return wallet


def reason(wallet, request, decider=DECIDER):
    """Why a request is refused, None if it is not."""
    decision = decider.decide(wallet, request, 0)
    return decision.reason if isinstance(decision, Refused) else None


@pytest.mark.parametrize("request_", [DEPOSIT, WITHDRAWAL])
def test_pp_account_paying_in_and_withdrawing_take_identification(request_):
    signed, filed, _ = KNOWN
    assert reason(after(signed), request_) == "not_identified"
    assert reason(after(signed, filed), request_) == "not_identified"
    rich = (*KNOWN, DEPOSIT, ARRIVED)
    later = replace(request_, payment="pay_3")
    assert reason(after(*rich), later) is None
    assert reason(after(*rich, SuspendAccount(**SAID)), later) == "not_identified"
    again = (*rich, SuspendAccount(**SAID), ReinstateAccount(**SAID))
    assert reason(after(*again), later) is None


@pytest.mark.parametrize(("locked", "withdrawable"), [(True, 2_500), (False, 3_500)])
def test_pp_bonus_is_earned_by_a_first_deposit_and_stays_if_it_is_locked(locked, withdrawable):
    decider = make_decider(WalletRules(bonus_locked=locked))
    wallet = after(*KNOWN, DEPOSIT, ARRIVED, decider=decider)
    assert wallet.balances[f"cash/{ANN}"] == 3_500
    all_of_it = replace(WITHDRAWAL, amount_cents=withdrawable)
    assert reason(wallet, all_of_it, decider) is None
    more = replace(WITHDRAWAL, amount_cents=withdrawable + 1)
    assert reason(wallet, more, decider) == ("bonus_locked" if locked else "insufficient_funds")


def test_pp_bonus_once_per_player_ever_whatever_becomes_of_the_deposit():
    reversed_ = replace(ARRIVED, word="failed", sequence=2)
    again = replace(ARRIVED, sequence=3)
    wallet = after(*KNOWN, DEPOSIT, ARRIVED, reversed_, ReinstateAccount(**SAID), again)
    assert wallet.balances["promotions"] == -1_000


def test_bp_responsible_a_deposit_limit_counts_what_is_asked_for():
    limit = SetLimit(player=ANN, kind="deposit", window="month", amount=4_000)
    wallet = after(*KNOWN, limit, DEPOSIT)
    other = replace(DEPOSIT, payment="pay_3")
    assert reason(wallet, other) == "deposit_limit_reached"
    assert reason(wallet, replace(other, amount_cents=1_500)) is None


def test_bp_responsible_who_stays_away_pays_nothing_in_but_may_withdraw():
    wallet = after(*KNOWN, DEPOSIT, ARRIVED, ExcludeSelf(player=ANN))
    assert reason(wallet, replace(DEPOSIT, payment="pay_3")) == "self_excluded"
    assert reason(wallet, WITHDRAWAL) is None
