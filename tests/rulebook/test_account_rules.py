"""Rules of money that the wallet keeps: PP-ACCOUNT and PP-ENTRY."""

import pytest

from services.wallet.core import DECIDER
from shared.contracts.director import EntryRequested, PlayerRegistered, PlayerUnregistered
from shared.contracts.wallet import (
    Deposit,
    EntryHeld,
    EntryRefused,
    IdentifyAccount,
    OpenAccount,
)
from shared.kernel.decider import Refused

ANN, TRN = "ply_ann", "trn_1"
ABOUT = {"tournament": TRN, "entry": f"{TRN}/{ANN}/1", "player": ANN}
FEE, COMMISSION = 1_000, 100
SIGN_UP = OpenAccount(player=ANN, name="Ann")
IDENTIFIED = IdentifyAccount(player=ANN)
DEPOSIT = Deposit(player=ANN, amount_cents=5_000, reference="bank-1")
FREE = EntryRequested(**ABOUT, fee_cents=0, commission_cents=0, deadline_ms=0)
REQUESTED = EntryRequested(**ABOUT, fee_cents=FEE, commission_cents=COMMISSION, deadline_ms=0)
REGISTERED = PlayerRegistered(**ABOUT, fee_cents=FEE, commission_cents=COMMISSION)


def after(*commands):
    wallet = DECIDER.initial
    for command in commands:
        _, wallet = DECIDER.step(wallet, command, 0)
    return wallet


def balances(wallet):
    return {account: cents for account, cents in wallet.balances.items() if cents}


def test_pp_account_no_deposit_and_no_play_before_identification():
    pending = after(SIGN_UP)
    refusal = DECIDER.decide(pending, DEPOSIT, 0)
    assert isinstance(refusal, Refused)
    assert refusal.reason == "not_identified"
    refused = EntryRefused(**ABOUT, reason="not_identified")
    assert DECIDER.decide(pending, FREE, 0) == (refused,)


def test_pp_account_deposits_and_play_once_identified():
    identified = after(SIGN_UP, IDENTIFIED, DEPOSIT)
    assert identified.balances[f"cash/{ANN}"] == 5_000
    (held,) = DECIDER.decide(identified, FREE, 0)
    assert isinstance(held, EntryHeld)


def test_pp_entry_the_price_is_fee_plus_commission_debited_at_once():
    held = after(SIGN_UP, IDENTIFIED, DEPOSIT, REQUESTED)
    assert balances(held) == {"external": -5_000, f"cash/{ANN}": 3_900, f"hold/{ANN}": 1_100}


def test_pp_entry_the_fee_goes_to_the_pool_and_the_commission_to_the_operator():
    entered = after(SIGN_UP, IDENTIFIED, DEPOSIT, REQUESTED, REGISTERED)
    assert balances(entered) == {
        "external": -5_000,
        f"cash/{ANN}": 3_900,
        f"pool/{TRN}": 1_000,
        "commission": 100,
    }


@pytest.mark.parametrize(
    ("charge_percent", "operator_cents"), [(0, 0), (5, 55), (20, 220), (100, 1_100)]
)
def test_pp_entry_leaving_refunds_the_price_less_the_charge(charge_percent, operator_cents):
    refund = (FEE + COMMISSION) * (100 - charge_percent) // 100
    left = PlayerUnregistered(**ABOUT, refund_cents=refund)
    wallet = after(SIGN_UP, IDENTIFIED, DEPOSIT, REQUESTED, REGISTERED, left)
    expected = {"external": -5_000, f"cash/{ANN}": 3_900 + refund, "commission": operator_cents}
    assert balances(wallet) == {account: cents for account, cents in expected.items() if cents}
