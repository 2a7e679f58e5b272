"""BP-RESPONSIBLE whatever is asked in any order: a second set of books agrees with every limit."""

from functools import reduce

import msgspec
from hypothesis import given, strategies as st

from services.wallet.core import JournalContradicted, Wallet
from services.wallet.core.limits.allowance import obstacle_to_stake
from shared.contracts.director import EntryDeclined, PlayerUnregistered
from shared.contracts.wallet import (
    WalletEvent,
)
from shared.kernel.decider import Refused
from shared.kernel.pmap import dec_hook, enc_hook
from tests.core.wallet.given import ANN, DECIDER
from tests.core.wallet.limiting import (
    COOLING_MS,
    FIRED,
    HOUR_MS,
    NOON,
    RICH,
    deposit,
    entry,
    limit,
    registered,
    requested,
)
from tests.core.wallet.machine.allowances import Allowances

AMOUNTS = [0, 1, 300, 1_000, 5_000]
KINDS = ["deposit", "stake"]
WINDOWS = ["day", "week", "month"]
entries = st.integers(1, 20)
amounts = st.sampled_from(AMOUNTS)
limits = st.builds(limit, st.sampled_from(KINDS), st.sampled_from(WINDOWS), st.none() | amounts)
spending = st.builds(requested, st.sampled_from([1, 300, 300, 1_000]), entries) | st.builds(
    deposit, st.sampled_from([1, 300, 300, 1_000]), st.integers(1, 20).map(str)
)
asks = st.one_of(
    spending,
    spending,
    spending,
    limits,
    st.just(FIRED),
    st.builds(registered, st.just(300), entries),
    st.builds(lambda n: EntryDeclined(**entry(n), reason="full"), entries),
    st.builds(lambda n: PlayerUnregistered(**entry(n), refund_cents=200), entries),
)
pauses = st.sampled_from([0, 0, 0, 0, 1, 1, HOUR_MS, 24 * HOUR_MS, COOLING_MS])
histories = st.builds(
    lambda first, rest: [(0, one) for one in first] + rest,
    st.lists(limits, max_size=3),
    st.lists(st.tuples(pauses, asks), max_size=60),
)


def stepped(wallet, command, at_ms):
    """Take one step; a refusal or a contradiction leaves things as they are."""
    try:
        outcome = DECIDER.step(wallet, command, at_ms)
    except JournalContradicted:
        return (), wallet
    return ((), wallet) if isinstance(outcome, Refused) else outcome


@given(histories)
def test_nobody_uses_more_than_they_allow_themselves_and_no_raise_comes_early(asked):
    wallet, books, at_ms = RICH, Allowances(), NOON
    for pause_ms, command in asked:
        at_ms += pause_ms
        events, wallet = stepped(wallet, command, at_ms)
        for event in events:
            books.enter(event, at_ms)


@given(histories, amounts)
def test_what_is_lowered_counts_at_once(asked, cents):
    wallet, at_ms = RICH, NOON
    for pause_ms, command in asked:
        at_ms += pause_ms
        _, wallet = stepped(wallet, command, at_ms)
    _, wallet = stepped(wallet, limit("stake", "day", cents), at_ms)
    assert obstacle_to_stake(wallet, ANN, cents + 1, at_ms) == "stake_limit_reached"


@given(histories)
def test_the_history_of_limits_leads_to_the_state_that_step_returned(asked):
    wallet, log, at_ms = RICH, [], NOON
    for pause_ms, command in asked:
        at_ms += pause_ms
        events, wallet = stepped(wallet, command, at_ms)
        log += [msgspec.json.encode(event) for event in events]
    told = [msgspec.json.decode(row, type=WalletEvent) for row in log]
    assert reduce(DECIDER.evolve, told, RICH) == wallet
    kept = msgspec.json.encode(wallet, enc_hook=enc_hook)
    assert msgspec.json.decode(kept, type=Wallet, dec_hook=dec_hook) == wallet
