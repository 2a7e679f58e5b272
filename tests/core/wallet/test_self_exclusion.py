"""Staying away until a moment or for good: longer, never shorter (BP-RESPONSIBLE)."""

import pytest
from msgspec.structs import replace

from services.wallet.core import timers
from services.wallet.core.limits.allowance import obstacle_to_stake
from services.wallet.core.limits.decide import EXCLUSION_MAX_MS
from services.wallet.core.rules import DAY_MS
from shared.contracts.wallet import EntryRefused, ExcludeSelf, SelfExcluded, SelfExclusionEnded
from shared.kernel.decider import Refused
from tests.core.wallet.given import ANN, named
from tests.core.wallet.limiting import (
    COOLING_MS,
    FIRED,
    NOON,
    PLAYERS,
    RICH,
    after,
    away,
    decided,
    deposit,
    entry,
    limit,
    requested,
    seen,
)

AWAY = away(NOON + DAY_MS)
FOR_GOOD = ExcludeSelf(player=ANN)
LONGER = replace(AWAY, until_ms=AWAY.until_ms + 1)

EXCLUSION_ROWS = [
    # case, given, when, then
    ("until a moment", (), AWAY, SelfExcluded(player=ANN, until_ms=AWAY.until_ms)),
    ("for good", (), FOR_GOOD, SelfExcluded(player=ANN, until_ms=None)),
    ("the same again", (AWAY,), AWAY, None),
    ("for good again", (FOR_GOOD,), FOR_GOOD, None),
    ("longer", (AWAY,), LONGER, SelfExcluded(player=ANN, until_ms=LONGER.until_ms)),
    ("now for good", (AWAY,), FOR_GOOD, SelfExcluded(player=ANN, until_ms=None)),
    ("shorter", (LONGER,), AWAY, "already_excluded_longer"),
    ("not for good after all", (FOR_GOOD,), AWAY, "already_excluded_longer"),
    ("of nobody", (), replace(AWAY, player="ann"), "player_id_invalid"),
    ("until now", (), replace(AWAY, until_ms=NOON), "until_in_the_past"),
    ("until before now", (FOR_GOOD,), replace(AWAY, until_ms=1), "until_in_the_past"),
    ("longer than a life", (), away(NOON + EXCLUSION_MAX_MS + 1), "until_too_far"),
    ("unknown", (), replace(AWAY, player="ply_cid"), "unknown_account"),
    ("over, unknown", (), replace(AWAY, player="ply_cid", until_ms=1), "until_in_the_past"),
]


@pytest.mark.parametrize(("before", "when", "then"), named(EXCLUSION_ROWS))
def test_self_exclusion(before, when, then):
    decision = decided(after(PLAYERS, *before), when)
    if isinstance(then, str):
        assert decision.reason == then
    else:
        assert decision == (() if then is None else (then,))


def test_who_is_excluded_neither_pays_in_nor_enters():
    wallet = after(RICH, AWAY)
    assert decided(wallet, deposit(1, "r1")) == Refused("self_excluded")
    assert decided(wallet, requested(0)) == (EntryRefused(**entry(), reason="self_excluded"),)


def test_self_exclusion_ends_by_itself():
    wallet = after(RICH, AWAY, (LONGER, NOON + 1))
    assert timers(wallet) == (("deadline", LONGER.until_ms),)
    assert decided(wallet, FIRED, AWAY.until_ms) == ()
    assert obstacle_to_stake(wallet, ANN, 0, AWAY.until_ms) == "self_excluded"
    assert obstacle_to_stake(wallet, ANN, 0, LONGER.until_ms) is None
    assert decided(wallet, FIRED, LONGER.until_ms) == (SelfExclusionEnded(player=ANN),)
    wallet = after(wallet, (FIRED, LONGER.until_ms))
    assert timers(wallet) == ()
    assert not seen(wallet).excluded


def test_for_good_has_no_end():
    assert timers(after(RICH, AWAY, FOR_GOOD)) == ()


def test_limits_and_exclusion_do_not_touch_each_other():
    stake = limit("stake", "day", 1_000)
    wallet = after(RICH, stake, replace(stake, amount=2_000), AWAY, (FIRED, AWAY.until_ms))
    assert timers(wallet) == (("deadline", NOON + COOLING_MS),)
    wallet = after(wallet, (FIRED, NOON + COOLING_MS))
    assert obstacle_to_stake(wallet, ANN, 2_001, NOON + COOLING_MS) == "stake_limit_reached"
