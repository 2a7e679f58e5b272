"""What counts for limits of money, what is given back, and what a limit stops (BP-RESPONSIBLE)."""

import pytest
from msgspec.structs import replace

from services.wallet.core.limits.allowance import obstacle_to_deposit, obstacle_to_stake
from services.wallet.core.limits.usage import usage_of
from services.wallet.core.rules import DAY_MS
from shared.contracts.director import (
    EntryDeclined,
    PlayerUnregistered,
    PrizeDue,
    QualifiersNamed,
    StagePrizeDue,
)
from shared.contracts.wallet import (
    DepositConfirmed,
    DepositFailed,
    DepositRequested,
    EntryHeld,
    EntryRefused,
    MoneyDeposited,
    PayoutPaid,
    TicketIssued,
)
from shared.kernel.decider import Refused
from tests.core.wallet.given import ANN, BEA, DECIDER, TRN
from tests.core.wallet.limiting import (
    HOUR_MS,
    NOON,
    PLAYERS,
    RICH,
    after,
    away,
    decided,
    deposit,
    entry,
    limit,
    ms,
    registered,
    requested,
    seen,
    used,
)

SET = limit("stake", "day", 1_000)
LOSS = limit("loss", "week", 3_000)
DEPOSITS = limit("deposit", "month", 8_000)
LIMITED = after(RICH, SET, LOSS, DEPOSITS)
E1 = entry()["entry"]


def test_without_limits_nothing_is_counted():
    (held,) = decided(RICH, requested(1_000))
    assert isinstance(held, EntryHeld)


def test_an_entry_counts_as_stake_and_as_loss_in_the_decision_of_its_hold():
    held, stake, loss = decided(LIMITED, requested(1_000))
    assert isinstance(held, EntryHeld)
    assert (stake, loss) == (used("stake", 1_000, act=E1), used("loss", 1_000, act=E1))


def test_only_what_has_a_limit_is_counted():
    _, only = decided(after(RICH, LOSS), requested(500))
    assert only == used("loss", 500, act=E1)


def test_a_free_entry_uses_nothing_and_no_limit_of_money_stops_it():
    wallet = after(RICH, limit("stake", "day", 0), limit("loss", "day", 0))
    assert [type(event) for event in decided(wallet, requested(0))] == [EntryHeld]


def test_an_entry_over_the_limit_is_refused():
    wallet = after(LIMITED, requested(600))
    (refused,) = decided(wallet, requested(401, 2))
    assert refused == EntryRefused(**entry(2), reason="stake_limit_reached")
    assert isinstance(decided(wallet, requested(400, 2))[0], EntryHeld)


def test_the_next_day_begins_with_nothing_used():
    wallet = after(LIMITED, requested(1_000))
    assert obstacle_to_stake(wallet, ANN, 1, NOON + 12 * HOUR_MS - 1) == "stake_limit_reached"
    assert obstacle_to_stake(wallet, ANN, 1_000, NOON + 12 * HOUR_MS) is None
    for n in (2, 3):
        wallet = after(wallet, (requested(1_000, n), NOON + (n - 1) * DAY_MS))
    assert obstacle_to_stake(wallet, ANN, 1, NOON + 3 * DAY_MS) == "loss_limit_reached"
    assert obstacle_to_stake(wallet, ANN, 1, ms("2026-03-16")) is None


def test_what_was_used_before_a_limit_was_set_does_not_count():
    wallet = after(RICH, requested(5_000), SET)
    assert obstacle_to_stake(wallet, ANN, 1_000, NOON) is None


def test_lowering_a_limit_keeps_what_is_used():
    wallet = after(LIMITED, requested(600), replace(SET, amount=500))
    assert obstacle_to_stake(wallet, ANN, 1, NOON) == "stake_limit_reached"
    assert seen(wallet).limits[1].used == 600


def test_a_declined_entry_gives_back_what_it_used():
    wallet = after(LIMITED, requested(1_000))
    declined = EntryDeclined(**entry(), reason="full")
    _, stake, loss = decided(wallet, declined, NOON + HOUR_MS)
    assert (stake, loss) == (used("stake", -1_000, act=E1), used("loss", -1_000, act=E1))
    wallet = after(wallet, (declined, NOON + HOUR_MS))
    assert obstacle_to_stake(wallet, ANN, 1_000, NOON + HOUR_MS) is None
    assert not list(wallet.counted)


def test_leaving_gives_back_what_was_refunded():
    wallet = after(LIMITED, requested(1_000), registered(1_000))
    left = PlayerUnregistered(**entry(), refund_cents=900)
    _, stake, loss = decided(wallet, left)
    assert (stake.amount, loss.amount) == (-900, -900)
    assert obstacle_to_stake(after(wallet, left), ANN, 901, NOON) == "stake_limit_reached"


def test_what_is_given_back_does_not_swell_another_window():
    wallet = after(LIMITED, requested(1_000), (requested(400, 2), NOON + DAY_MS))
    wallet = after(wallet, (EntryDeclined(**entry(), reason="full"), NOON + DAY_MS))
    assert obstacle_to_stake(wallet, ANN, 600, NOON + DAY_MS) is None
    assert obstacle_to_stake(wallet, ANN, 601, NOON + DAY_MS) == "stake_limit_reached"


@pytest.mark.parametrize("later_ms", [0, 1])
def test_what_is_given_back_does_not_count_for_limits_set_meanwhile(later_ms):
    weekly, later = limit("stake", "week", 1_000), NOON + later_ms
    wallet = after(RICH, limit("stake", "month", 9_000), requested(800))
    wallet = after(wallet, (weekly, later), (requested(200, 2), later))
    wallet = after(wallet, (EntryDeclined(**entry(), reason="full"), later))
    assert obstacle_to_stake(wallet, ANN, 800, later) is None
    assert obstacle_to_stake(wallet, ANN, 801, later) == "stake_limit_reached"


def test_an_entry_from_before_all_limits_gives_nothing_back():
    wallet = after(RICH, requested(1_000), (SET, NOON + 1))
    declined = EntryDeclined(**entry(), reason="full")
    assert len(decided(wallet, declined, NOON + 2)) == 1


def test_a_prize_makes_up_for_losses_and_more():
    wallet = after(RICH, limit("loss", "day", 1_000), requested(1_000), registered(1_000))
    assert obstacle_to_stake(wallet, ANN, 1, NOON) == "loss_limit_reached"
    prize = PrizeDue(tournament=TRN, place=1, player=ANN, amount_cents=1_000)
    assert decided(wallet, prize, NOON + 1)[1] == used("loss", -1_000, NOON + 1)
    wallet = after(wallet, (prize, NOON + 1))
    assert obstacle_to_stake(wallet, ANN, 1_000, NOON + 1) is None
    assert obstacle_to_stake(wallet, ANN, 1_001, NOON + 1) == "loss_limit_reached"


def test_bh_bigshoot_who_withdraws_has_lost_less():
    """BH-BIGSHOOT: a part payment instead of playing on."""
    wallet = after(RICH, limit("loss", "day", 1_000), requested(1_000), registered(1_000))
    named = QualifiersNamed(
        tournament=TRN,
        series="trn_final",
        target="trn_final",
        players=(ANN,),
        amount_cents=1_000,
        fee_cents=1_000,
        commission_cents=0,
        withdrawal_cents=400,
    )
    due = StagePrizeDue(
        tournament="trn_final", from_tournament=TRN, player=ANN, amount_cents=400, withdrew=True
    )
    wallet = after(wallet, (named, NOON), (due, NOON + 1))
    assert obstacle_to_stake(wallet, ANN, 400, NOON + 1) is None
    assert obstacle_to_stake(wallet, ANN, 401, NOON + 1) == "loss_limit_reached"


def test_tickets_won_and_shares_of_cancelled_tournaments_lessen_the_loss():
    ticket = TicketIssued(
        ticket="trn_1/1",
        tournament=TRN,
        place=1,
        player=ANN,
        target="trn_2",
        value_cents=700,
        postings=(),
    )
    share = PayoutPaid(
        tournament=TRN,
        player=ANN,
        pool_cents=300,
        commission_cents=30,
        top_up_cents=3,
        credited="",
        postings=(),
    )
    assert usage_of(LIMITED, ticket, NOON + 1) == (used("loss", -700, NOON + 1),)
    assert usage_of(LIMITED, share, NOON + 1) == (used("loss", -333, NOON + 1),)
    assert usage_of(RICH, share, NOON + 1) == ()


def test_a_deposit_over_the_limit_is_refused():
    paid, counted = decided(LIMITED, deposit(8_000, "r1"))
    assert isinstance(paid, MoneyDeposited)
    assert counted == used("deposit", 8_000)
    wallet = after(LIMITED, deposit(5_000, "r1"))
    assert decided(wallet, deposit(3_001, "r2")) == Refused("deposit_limit_reached")
    assert decided(wallet, deposit(3_000, "r2"), ms("2026-03-31T23:59"))[1].amount == 3_000
    assert decided(wallet, deposit(8_000, "r2"), ms("2026-04-01"))[1].amount == 8_000


def test_a_deposit_that_was_made_is_no_obstacle_to_its_repetition():
    assert decided(after(LIMITED, deposit(8_000, "r1")), deposit(8_000, "r1")) == ()


def test_a_deposit_by_the_provider_counts_when_it_is_asked_for_and_not_if_it_fails():
    asked = DepositRequested(player=ANN, payment="pay_1", amount_cents=8_000)
    (counted,) = usage_of(LIMITED, asked, NOON)
    assert counted == used("deposit", 8_000, act="pay_1")
    wallet = DECIDER.evolve(LIMITED, counted)
    assert obstacle_to_deposit(wallet, ANN, 1, NOON) == "deposit_limit_reached"
    failed = DepositFailed(player=ANN, payment="pay_1", reason="no")
    (back,) = usage_of(wallet, failed, NOON + HOUR_MS)
    assert back == used("deposit", -8_000, act="pay_1")
    assert obstacle_to_deposit(DECIDER.evolve(wallet, back), ANN, 8_000, NOON) is None


def test_a_deposit_that_arrives_counts_if_it_did_not_before():
    arrived = DepositConfirmed(
        player=ANN, payment="pay_1", amount_cents=700, credited=f"cash/{ANN}", postings=()
    )
    assert usage_of(LIMITED, arrived, NOON) == (used("deposit", 700),)
    asked = DepositRequested(player=ANN, payment="pay_1", amount_cents=700)
    (counted,) = usage_of(LIMITED, asked, NOON)
    assert usage_of(DECIDER.evolve(LIMITED, counted), arrived, NOON) == ()


def test_an_obstacle_is_named_in_documented_order():
    wallet = after(
        RICH,
        limit("session", "day", 0),
        limit("loss", "day", 0),
        limit("stake", "day", 0),
        limit("deposit", "day", 0),
    )
    assert obstacle_to_stake(wallet, ANN, 1, NOON) == "stake_limit_reached"
    assert obstacle_to_stake(wallet, ANN, 0, NOON) == "session_limit_reached"
    assert obstacle_to_deposit(wallet, ANN, 1, NOON) == "deposit_limit_reached"
    wallet = after(wallet, away(NOON + 1))
    assert obstacle_to_stake(wallet, ANN, 1, NOON) == "self_excluded"
    assert obstacle_to_deposit(wallet, ANN, 1, NOON) == "self_excluded"
    assert obstacle_to_stake(wallet, BEA, 1, NOON) is None
    assert obstacle_to_deposit(wallet, BEA, 1, NOON) is None


def test_a_limit_is_named_before_the_lack_of_money():
    (refused,) = decided(after(PLAYERS, SET), requested(1_001))
    assert refused.reason == "stake_limit_reached"
