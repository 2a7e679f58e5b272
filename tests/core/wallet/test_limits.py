"""BP-RESPONSIBLE in the core: limits of money are set, lowered, raised, and shown."""

import pytest
from msgspec.structs import replace

from services.wallet.core import WalletRules, make_decider, respond, timers
from services.wallet.core.limits.allowance import obstacle_to_stake
from services.wallet.core.limits.decide import LIMIT_MAX
from services.wallet.core.rules import DAY_MS
from shared.contracts.wallet import AccountOpened, LimitsView, LimitView, ReadLimits
from shared.kernel.decider import Refused
from tests.core.wallet.given import ANN, BEA, DECIDER, closed, named
from tests.core.wallet.limiting import (
    COOLING_MS,
    FIRED,
    HOUR_MS,
    NOON,
    PLAYERS,
    RICH,
    after,
    away,
    decided,
    limit,
    limit_set,
    ms,
    requested,
    scheduled,
    seen,
)

SET = limit("stake", "day", 1_000)
LOWER, NOTHING = replace(SET, amount=900), replace(SET, amount=0)
HIGHER, LESS_HIGH, LIFTED = (replace(SET, amount=amount) for amount in (2_000, 1_500, None))
WEEKLY, LOSS = replace(SET, window="week", amount=9_999), replace(SET, kind="loss", amount=9_999)
WAITING = (SET, HIGHER)

SET_ROWS = [
    # case, given, when, then
    ("a first limit counts at once", (), SET, (limit_set(SET),)),
    ("the same limit again", (SET,), SET, ()),
    ("a lower one counts at once", (SET,), LOWER, (limit_set(LOWER),)),
    ("nothing is allowed at all", (SET,), NOTHING, (limit_set(NOTHING),)),
    ("a higher one waits", (SET,), HIGHER, (scheduled(HIGHER),)),
    ("none at all waits", (SET,), LIFTED, (scheduled(LIFTED),)),
    ("the same raise again does not wait anew", WAITING, HIGHER, ()),
    ("the same lifting again", (SET, LIFTED), LIFTED, ()),
    ("another raise waits anew", WAITING, LESS_HIGH, (scheduled(LESS_HIGH),)),
    ("lowering calls off a raise", WAITING, LOWER, (limit_set(LOWER),)),
    ("the limit as it is calls off a raise", WAITING, SET, (limit_set(SET),)),
    ("what is not there is not lifted", (), LIFTED, ()),
    ("another window is another limit", (SET,), WEEKLY, (limit_set(WEEKLY),)),
    ("another kind is another limit", (SET,), LOSS, (limit_set(LOSS),)),
    ("who is nobody", (), replace(SET, player="ann"), "player_id_invalid"),
    ("less than nothing", (), replace(SET, amount=-1), "limit_invalid"),
    ("more than anybody has", (), replace(SET, amount=LIMIT_MAX + 1), "limit_invalid"),
    ("a wrong limit of nobody", (), replace(SET, player="x", amount=-1), "player_id_invalid"),
    ("unknown", (), replace(SET, player="ply_cid"), "unknown_account"),
    ("a wrong limit, unknown", (), replace(SET, player="ply_cid", amount=-1), "limit_invalid"),
]


@pytest.mark.parametrize(("before", "when", "then"), named(SET_ROWS))
def test_setting_a_limit(before, when, then):
    decision = decided(after(PLAYERS, *before), when)
    if isinstance(then, str):
        assert decision.reason == then
    else:
        assert decision == then


def test_a_closed_account_sets_nothing_any_more():
    gone = DECIDER.evolve(PLAYERS, closed(ANN))
    assert decided(gone, SET) == Refused("account_closed")
    assert decided(gone, away(NOON + 1)) == Refused("account_closed")


def test_a_pending_account_may_set_limits():
    pending = DECIDER.fold([AccountOpened(player=ANN, name="Ann")])
    assert decided(pending, SET) == (limit_set(SET),)


def test_a_raise_counts_when_its_time_has_come_and_not_before():
    wallet = after(RICH, SET, HIGHER)
    due_ms = NOON + COOLING_MS
    assert timers(wallet) == (("deadline", due_ms),)
    assert decided(wallet, FIRED, due_ms - 1) == ()
    assert obstacle_to_stake(wallet, ANN, 1_001, due_ms - 1) == "stake_limit_reached"
    assert decided(wallet, FIRED, due_ms) == (limit_set(HIGHER, due_ms),)
    wallet = after(wallet, (FIRED, due_ms))
    assert timers(wallet) == ()
    assert obstacle_to_stake(wallet, ANN, 2_000, due_ms) is None
    assert obstacle_to_stake(wallet, ANN, 2_001, due_ms) == "stake_limit_reached"


def test_a_lifted_limit_is_gone():
    due_ms = NOON + COOLING_MS
    wallet = after(RICH, SET, LIFTED, (FIRED, due_ms))
    assert obstacle_to_stake(wallet, ANN, 100_000, due_ms) is None
    assert timers(wallet) == ()


def test_a_raise_that_was_called_off_never_comes():
    wallet = after(RICH, SET, HIGHER, LOWER)
    assert timers(wallet) == ()
    assert decided(wallet, FIRED, NOON + COOLING_MS) == ()


def test_raises_of_one_moment_all_come():
    loss, higher_loss = limit("loss", "week", 500), limit("loss", "week", 700)
    due_ms = NOON + COOLING_MS
    wallet = after(RICH, SET, loss, HIGHER, higher_loss)
    assert decided(wallet, FIRED, due_ms) == (
        limit_set(HIGHER, due_ms),
        limit_set(higher_loss, due_ms),
    )
    assert timers(after(wallet, (FIRED, due_ms))) == ()


def test_each_raise_comes_at_its_own_time():
    loss, higher_loss = limit("loss", "week", 500), limit("loss", "week", 700)
    wallet = after(RICH, SET, loss, HIGHER, (higher_loss, NOON + 1))
    due_ms = NOON + COOLING_MS
    assert decided(wallet, FIRED, due_ms) == (limit_set(HIGHER, due_ms),)


def test_the_cooling_off_time_is_the_operators():
    decider = make_decider(WalletRules(cooling_off_ms=HOUR_MS))
    (event,) = decider.decide(after(PLAYERS, SET), HIGHER, NOON)
    assert event.from_ms == NOON + HOUR_MS


def test_the_view_shows_limits_their_windows_and_what_is_to_come():
    weekly, monthly = limit("loss", "week", 3_000), limit("deposit", "month", 8_000)
    wallet = after(RICH, SET, weekly, monthly, requested(600), HIGHER, away(NOON + DAY_MS))
    assert decided(wallet, ReadLimits(player=ANN, at_ms=NOON)) == ()
    view = seen(wallet)
    assert (view.player, view.excluded, view.excluded_until_ms) == (ANN, True, NOON + DAY_MS)
    assert [(shown.kind, shown.window, shown.used) for shown in view.limits] == [
        ("deposit", "month", 0),
        ("stake", "day", 600),
        ("loss", "week", 600),
    ]
    assert view.limits[1] == LimitView(
        kind="stake",
        window="day",
        amount=1_000,
        used=600,
        from_ms=ms("2026-03-10"),
        to_ms=ms("2026-03-11"),
        raise_to=2_000,
        raise_from_ms=NOON + COOLING_MS,
    )


def test_who_has_set_nothing_sees_so_and_strangers_see_nothing():
    read = ReadLimits(player=BEA, at_ms=NOON)
    assert respond(RICH, read) == LimitsView(player=BEA, limits=(), excluded=False)
    assert decided(RICH, replace(read, player="ply_cid")) == Refused("unknown_account")
