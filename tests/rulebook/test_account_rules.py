"""Rules of accounts and money that the wallet keeps: PP-ACCOUNT, PP-BONUS and PP-ENTRY."""

from datetime import UTC, datetime
from typing import get_args

import pytest
from msgspec.structs import replace

from services.wallet.core import (
    DECIDER,
    Now,
    WalletRules,
    make_decider,
    verdict_on_filing,
)
from services.wallet.core.accounts.bonus import withdrawable_cents
from shared.contracts.director import (
    EntryDeclined,
    EntryRequested,
    PlayerRegistered,
    PlayerUnregistered,
    PrizeDue,
)
from shared.contracts.wallet import (
    AccountStatus,
    BonusGranted,
    CloseAccount,
    Deposit,
    EntryHeld,
    EntryRefused,
    FileContract,
    ReinstateAccount,
    SuspendAccount,
)
from shared.kernel.decider import Refused
from tests.people import PERSON, signed_up

ANN, TRN = "ply_ann", "trn_1"
ABOUT = {"tournament": TRN, "entry": f"{TRN}/{ANN}/1", "player": ANN}
FEE, COMMISSION = 1_000, 100
SIGN_UP, CONTRACT, IDENTIFIED = signed_up(ANN)
KNOWN = (SIGN_UP, CONTRACT, IDENTIFIED)
SMALL = 2_400
DEPOSIT = Deposit(player=ANN, amount_cents=SMALL, reference="bank-1")
FIRST = Deposit(player=ANN, amount_cents=2_500, reference="bank-1")
SAID = {"player": ANN, "author": "opr_1", "reason": "a question is open"}
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


def test_pp_account_identification_needs_the_signed_contract_and_the_document():
    assert DECIDER.decide(after(SIGN_UP), IDENTIFIED, 0).reason == "no_contract"
    assert after(*KNOWN).accounts[ANN].status == "identified"


@pytest.mark.parametrize(
    ("born", "at", "verdict"),
    [
        ("2008-03-10", "2026-03-09T23:59:59.999", "under_age"),
        ("2008-03-10", "2026-03-10T00:00:00", "due"),
        ("2008-02-29", "2026-02-28T23:59:59.999", "under_age"),
        ("2008-02-29", "2026-03-01T00:00:00", "due"),
        ("2027-01-01", "2026-03-10T00:00:00", "under_age"),
        ("1900-01-01", "2026-03-10T00:00:00", "due"),
        ("1899-12-31", "2026-03-10T00:00:00", "born_invalid"),
        ("2007-02-29", "2026-03-10T00:00:00", "born_invalid"),
        ("2007-13-01", "2026-03-10T00:00:00", "born_invalid"),
        ("10.03.2001", "2026-03-10T00:00:00", "born_invalid"),
        ("2001-03-10-", "2026-03-10T00:00:00", "born_invalid"),
        ("+001-03-10", "2026-03-10T00:00:00", "born_invalid"),
        ("２００１-03-10", "2026-03-10T00:00:00", "born_invalid"),
    ],
)
def test_pp_account_who_is_identified_is_of_age(born, at, verdict):
    at_ms = round(datetime.fromisoformat(at).replace(tzinfo=UTC).timestamp() * 1000)
    filing = FileContract(player=ANN, person=replace(PERSON, born=born))
    found = verdict_on_filing(after(SIGN_UP), filing, Now(at_ms, WalletRules()))
    assert (found.reason if isinstance(found, Refused) else found) == verdict


def test_pp_account_the_states_of_an_account():
    walk = [
        (SIGN_UP, "pending"),
        (CONTRACT, "pending"),
        (IDENTIFIED, "identified"),
        (SuspendAccount(**SAID), "suspended"),
        (ReinstateAccount(**SAID), "identified"),
        (SuspendAccount(**SAID), "suspended"),
        (CloseAccount(**SAID), "closed"),
    ]
    wallet, seen = DECIDER.initial, set[AccountStatus]()
    for command, status in walk:
        _, wallet = DECIDER.step(wallet, command, 0)
        assert wallet.accounts[ANN].status == status
        seen.add(status)
    assert seen == set(get_args(AccountStatus))


@pytest.mark.parametrize("barred", [(SuspendAccount(**SAID),), (CloseAccount(**SAID),)])
def test_pp_account_nothing_goes_in_and_nobody_plays_unless_identified(barred):
    wallet = after(*KNOWN, *barred)
    assert DECIDER.decide(wallet, DEPOSIT, 0).reason == "not_identified"
    refused = EntryRefused(**ABOUT, reason="not_identified")
    assert DECIDER.decide(wallet, FREE, 0) == (refused,)


def test_pp_bonus_a_first_deposit_of_25_euros_earns_10_out_of_promotions():
    wallet = after(*KNOWN, FIRST)
    assert balances(wallet) == {
        "external": -2_500,
        "promotions": -1_000,
        f"cash/{ANN}": 3_500,
    }


def test_pp_bonus_it_is_in_the_same_decision_as_the_deposit():
    events = DECIDER.decide(after(*KNOWN), FIRST, 0)
    assert [type(event).__name__ for event in events] == ["MoneyDeposited", "BonusGranted"]


@pytest.mark.parametrize("before", [(DEPOSIT,), (FIRST,)])
def test_pp_bonus_once_a_player_and_for_the_first_deposit_only(before):
    again = Deposit(player=ANN, amount_cents=9_000, reference="bank-2")
    events = DECIDER.decide(after(*KNOWN, *before), again, 0)
    assert not any(isinstance(event, BonusGranted) for event in events)


@pytest.mark.parametrize(("locked", "withdrawable"), [(True, 2_500), (False, 3_500)])
def test_pp_bonus_whether_it_can_be_withdrawn_is_configuration(locked, withdrawable):
    decider = make_decider(WalletRules(bonus_locked=locked))
    _, wallet = decider.step(after(*KNOWN), FIRST, 0)
    assert withdrawable_cents(wallet, ANN) == withdrawable


LAST = {"fee_cents": 2_500, "commission_cents": 500}
WANTED = EntryRequested(**ABOUT, **LAST, deadline_ms=0)
ENTERED = (*KNOWN, FIRST, WANTED, PlayerRegistered(**ABOUT, **LAST))
MORE = Deposit(player=ANN, amount_cents=4_000, reference="bank-2")


def test_pp_bonus_what_of_it_was_staked_locks_no_money_that_comes_later():
    """Own money goes first: of 35 euros 30 are staked, and 5 of the bonus are left."""
    assert withdrawable_cents(after(*ENTERED), ANN) == 0
    assert withdrawable_cents(after(*ENTERED, MORE), ANN) == 4_000
    prize = PrizeDue(tournament=TRN, place=1, player=ANN, amount_cents=2_500)
    assert withdrawable_cents(after(*ENTERED, prize), ANN) == 2_500


def test_pp_bonus_entering_and_leaving_again_unlocks_nothing():
    left = PlayerUnregistered(**ABOUT, refund_cents=3_000)
    assert withdrawable_cents(after(*ENTERED, left), ANN) == 2_500
    assert withdrawable_cents(after(*ENTERED, MORE, left), ANN) == 6_500


def test_pp_bonus_what_only_waits_for_an_entry_is_not_staked_yet():
    declined = EntryDeclined(**ABOUT, reason="full")
    assert withdrawable_cents(after(*KNOWN, FIRST, WANTED, declined), ANN) == 2_500


def test_pp_account_deposits_and_play_once_identified():
    identified = after(*KNOWN, DEPOSIT)
    assert identified.balances[f"cash/{ANN}"] == SMALL
    (held,) = DECIDER.decide(identified, FREE, 0)
    assert isinstance(held, EntryHeld)


def test_pp_entry_the_price_is_fee_plus_commission_debited_at_once():
    held = after(*KNOWN, DEPOSIT, REQUESTED)
    assert balances(held) == {
        "external": -SMALL,
        f"cash/{ANN}": SMALL - 1_100,
        f"hold/{ANN}": 1_100,
    }


def test_pp_entry_the_fee_goes_to_the_pool_and_the_commission_to_the_operator():
    entered = after(*KNOWN, DEPOSIT, REQUESTED, REGISTERED)
    assert balances(entered) == {
        "external": -SMALL,
        f"cash/{ANN}": SMALL - 1_100,
        f"pool/{TRN}": 1_000,
        "commission": 100,
    }


@pytest.mark.parametrize(
    ("charge_percent", "operator_cents"), [(0, 0), (5, 55), (20, 220), (100, 1_100)]
)
def test_pp_entry_leaving_refunds_the_price_less_the_charge(charge_percent, operator_cents):
    refund = (FEE + COMMISSION) * (100 - charge_percent) // 100
    left = PlayerUnregistered(**ABOUT, refund_cents=refund)
    wallet = after(*KNOWN, DEPOSIT, REQUESTED, REGISTERED, left)
    expected = {
        "external": -SMALL,
        f"cash/{ANN}": SMALL - 1_100 + refund,
        "commission": operator_cents,
    }
    assert balances(wallet) == {account: cents for account, cents in expected.items() if cents}
