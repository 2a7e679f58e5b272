"""Facts of one tournament in any order and number: a contradiction stops the line, no more."""

from hypothesis import strategies as st
from hypothesis.stateful import rule

from services.wallet.core import DECIDER, JournalContradicted
from shared.contracts.director import (
    EntryDeclined,
    EntryExpired,
    EntryRequested,
    GuaranteeDue,
    PayoutDue,
    PlayerRegistered,
    PlayerUnregistered,
    PrizeDue,
    RebuyGranted,
    RebuyLapsed,
    RebuyRequested,
)
from tests.core.wallet.machine.journal import Journal, anybody

TRN = "trn_rumoured"
PRICE = {"fee_cents": 1_000, "commission_cents": 100}


def about(player, n):
    return {"tournament": TRN, "entry": f"{TRN}/{player}/{n}", "player": player}


entries = st.builds(about, anybody, st.integers(1, 2))
amounts = st.sampled_from([0, 300, 1_000, -1])
rumours = st.one_of(
    entries.map(lambda it: EntryRequested(**it, **PRICE, deadline_ms=0)),
    entries.map(lambda it: PlayerRegistered(**it, **PRICE)),
    entries.map(lambda it: EntryDeclined(**it, reason="full")),
    entries.map(lambda it: EntryExpired(**it)),
    entries.map(lambda it: RebuyRequested(**it, **PRICE, kind="rebuy", deadline_ms=0)),
    entries.map(lambda it: RebuyGranted(**it, **PRICE, kind="rebuy", chips=1)),
    entries.map(lambda it: RebuyLapsed(**it, reason="expired")),
    st.builds(
        lambda it, cents: PlayerUnregistered(**it, refund_cents=cents),
        entries,
        st.sampled_from([0, 880, 1_100, 1_101]),
    ),
    st.builds(
        PrizeDue,
        tournament=st.just(TRN),
        place=st.integers(1, 2),
        player=anybody,
        amount_cents=amounts,
        ticket_for=st.sampled_from(["", "trn_1"]),
    ),
    st.builds(GuaranteeDue, tournament=st.just(TRN), amount_cents=amounts),
    st.builds(
        PayoutDue,
        tournament=st.just(TRN),
        player=anybody,
        pool_cents=amounts,
        commission_cents=st.just(0),
        top_up_cents=amounts,
    ),
)


class Rumours(Journal):
    """Rules about what no director would say."""

    @rule(facts=st.lists(rumours, min_size=1, max_size=4))
    def hear_rumours(self, facts):
        for fact in facts:
            try:
                outcome = DECIDER.step(self.wallet, fact, self.at_ms)
            except JournalContradicted:
                continue
            self.take(fact, outcome, True)
