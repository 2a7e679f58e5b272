"""BP-RESPONSIBLE: limits that players set on themselves, and self-exclusion."""

import pytest

from services.wallet.core import WalletRules, make_decider
from services.wallet.core.rules import DAY_MS
from shared.contracts.director import EntryRequested, PlayerRegistered, PrizeDue, RebuyRequested
from shared.contracts.message import TimerFired
from shared.contracts.wallet import (
    AccountIdentified,
    AccountOpened,
    CountSession,
    Deposit,
    EntryHeld,
    EntryPosted,
    EntryRefused,
    ExcludeSelf,
    LimitScheduled,
    LimitSet,
    MoneyDeposited,
    PrizePaid,
    RequestWithdrawal,
    SelfExclusionEnded,
    SetLimit,
    WithdrawalHeld,
)
from shared.kernel.decider import Refused

ANN, TRN = "ply_ann", "trn_1"
DECIDER = make_decider(WalletRules(bonus_cents=0))
NOON = 1_773_144_000_000  # Tuesday, 10 March 2026, 12:00 UTC.
COOLING_MS = WalletRules().cooling_off_ms
HOUR_MS = 3_600_000
FIRED = TimerFired(name="deadline")
READY = DECIDER.fold([AccountOpened(player=ANN, name="Ann"), AccountIdentified(player=ANN)])


def deposit(cents, reference="r1"):
    return Deposit(player=ANN, amount_cents=cents, reference=reference)


def money(cents):
    return {"fee_cents": cents, "commission_cents": 0}


def entry(n):
    return {"tournament": TRN, "entry": f"{TRN}/{ANN}/{n}", "player": ANN}


def requested(cents, n=1):
    return EntryRequested(**entry(n), **money(cents), deadline_ms=0)


def limit(kind, window, amount):
    return SetLimit(player=ANN, kind=kind, window=window, amount=amount)


def after(wallet, *commands, at_ms=NOON):
    for command in commands:
        _, wallet = DECIDER.step(wallet, command, at_ms)
    return wallet


def first(wallet, command, at_ms=NOON):
    """The first event of a decision, or its refusal."""
    decision = DECIDER.decide(wallet, command, at_ms)
    return decision if isinstance(decision, Refused) else decision[0]


RICH = after(READY, deposit(50_000))


def why_no_entry(wallet, cents, at_ms=NOON):
    """Why an entry is refused, "" when it is held."""
    event = first(wallet, requested(cents, 9), at_ms)
    return event.reason if isinstance(event, EntryRefused) else ""


WINDOWS = [("day", DAY_MS), ("week", 7 * DAY_MS), ("month", 31 * DAY_MS)]


@pytest.mark.parametrize(("window", "length_ms"), WINDOWS)
def test_bp_responsible_limits_of_deposits(window, length_ms):
    wallet = after(READY, limit("deposit", window, 1_000), deposit(1_000))
    assert first(wallet, deposit(1, "r2")) == Refused("deposit_limit_reached")
    assert isinstance(first(wallet, deposit(1_000, "r2"), NOON + length_ms), MoneyDeposited)


@pytest.mark.parametrize(("window", "length_ms"), WINDOWS)
def test_bp_responsible_limits_of_stakes(window, length_ms):
    wallet = after(RICH, limit("stake", window, 1_000), requested(1_000))
    assert why_no_entry(wallet, 1) == "stake_limit_reached"
    assert why_no_entry(wallet, 1_000, NOON + length_ms) == ""


@pytest.mark.parametrize(("window", "length_ms"), WINDOWS)
def test_bp_responsible_limits_of_losses(window, length_ms):
    """What was won may be lost again."""
    bought = (requested(1_000), PlayerRegistered(**entry(1), **money(1_000)))
    wallet = after(RICH, limit("loss", window, 1_000), *bought)
    assert why_no_entry(wallet, 1) == "loss_limit_reached"
    assert why_no_entry(wallet, 1_000, NOON + length_ms) == ""
    won = after(wallet, PrizeDue(tournament=TRN, place=1, player=ANN, amount_cents=600))
    assert why_no_entry(won, 600) == ""
    assert why_no_entry(won, 601) == "loss_limit_reached"


@pytest.mark.parametrize(("window", "length_ms"), WINDOWS)
def test_bp_responsible_limits_of_session_time(window, length_ms):
    wallet = after(RICH, limit("session", window, HOUR_MS), at_ms=NOON - DAY_MS // 4)
    wallet = after(wallet, CountSession(player=ANN, from_ms=NOON - HOUR_MS, to_ms=NOON))
    assert why_no_entry(wallet, 0) == "session_limit_reached"
    assert why_no_entry(wallet, 0, NOON + length_ms) == ""


@pytest.mark.parametrize("kind", ["deposit", "stake", "loss", "session"])
@pytest.mark.parametrize("window", ["day", "week", "month"])
def test_bp_responsible_lowering_counts_at_once(kind, window):
    wallet = after(RICH, limit(kind, window, 1_000))
    assert isinstance(first(wallet, limit(kind, window, 999)), LimitSet)


@pytest.mark.parametrize("kind", ["deposit", "stake", "loss", "session"])
@pytest.mark.parametrize("window", ["day", "week", "month"])
@pytest.mark.parametrize("amount", [1_001, None])
def test_bp_responsible_raising_waits_for_the_cooling_off_time(kind, window, amount):
    wallet = after(RICH, limit(kind, window, 1_000))
    scheduled = first(wallet, limit(kind, window, amount))
    assert isinstance(scheduled, LimitScheduled)
    assert scheduled.from_ms == NOON + COOLING_MS
    wallet = after(wallet, limit(kind, window, amount))
    assert DECIDER.decide(wallet, FIRED, scheduled.from_ms - 1) == ()
    raised = first(wallet, FIRED, scheduled.from_ms)
    assert isinstance(raised, LimitSet)
    assert (raised.kind, raised.window, raised.amount) == (kind, window, amount)


def test_bp_responsible_self_exclusion_stops_deposits_and_entries():
    wallet = after(RICH, ExcludeSelf(player=ANN, until_ms=NOON + DAY_MS))
    assert first(wallet, deposit(1, "r2")) == Refused("self_excluded")
    assert why_no_entry(wallet, 0) == "self_excluded"


def test_bp_responsible_a_seat_that_was_bought_is_finished_under_self_exclusion():
    """The price is posted and the prize paid; nothing more is bought."""
    wallet = after(RICH, requested(1_000), ExcludeSelf(player=ANN))
    assert isinstance(first(wallet, PlayerRegistered(**entry(1), **money(1_000))), EntryPosted)
    wallet = after(wallet, PlayerRegistered(**entry(1), **money(1_000)))
    rebuy = RebuyRequested(**entry(2), **money(1_000), kind="rebuy", deadline_ms=0)
    assert first(wallet, rebuy) == EntryRefused(**entry(2), reason="self_excluded")
    prize = PrizeDue(tournament=TRN, place=1, player=ANN, amount_cents=1_000)
    paid = first(wallet, prize)
    assert isinstance(paid, PrizePaid)
    assert paid.credited == f"cash/{ANN}"


def test_bp_responsible_money_can_be_taken_out_under_self_exclusion():
    wallet = after(RICH, ExcludeSelf(player=ANN))
    wanted = RequestWithdrawal(player=ANN, payment="pay_1", amount_cents=50_000)
    assert isinstance(first(wallet, wanted), WithdrawalHeld)


def test_bp_responsible_self_exclusion_cannot_be_shortened():
    wallet = after(RICH, ExcludeSelf(player=ANN, until_ms=NOON + 2 * DAY_MS))
    shorter = ExcludeSelf(player=ANN, until_ms=NOON + DAY_MS)
    assert first(wallet, shorter) == Refused("already_excluded_longer")
    for_good = after(wallet, ExcludeSelf(player=ANN))
    assert first(for_good, shorter) == Refused("already_excluded_longer")


def test_bp_responsible_self_exclusion_ends_by_itself():
    until_ms = NOON + DAY_MS
    wallet = after(RICH, ExcludeSelf(player=ANN, until_ms=until_ms))
    assert first(wallet, FIRED, until_ms) == SelfExclusionEnded(player=ANN)
    wallet = after(wallet, FIRED, at_ms=until_ms)
    assert isinstance(first(wallet, requested(1_000, 9), until_ms), EntryHeld)
