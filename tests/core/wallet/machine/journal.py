"""The journal that is told things in any order, and the laws that hold whatever it is told.

Each part of the wallet brings a class of rules, derived from `Journal`, which says things by
`ask` (a request, which may be refused) and `hear` (a fact, which may not). `test_wallet_machine`
puts the parts together. What a new part must not do twice is added to `books.ONCE`.
"""

import msgspec
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, invariant, precondition, rule

from services.wallet.core import DECIDER, JournalContradicted, Wallet, timers
from shared.contracts.message import TimerFired
from shared.contracts.wallet import WalletEvent
from shared.kernel.decider import Refused
from shared.kernel.pmap import dec_hook, enc_hook
from tests.core.wallet.machine.books import Books

PLAYERS = ("ply_ann", "ply_bea", "ply_cec", "ply_dan")
NOBODY = "ply_nobody"
START_MS = 1_800_000_000_000
OPERATOR = "opr_1"

players = st.sampled_from(PLAYERS)
anybody = st.sampled_from((*PLAYERS, NOBODY))
event_of = msgspec.json.Decoder(WalletEvent).decode


class Journal(RuleBasedStateMachine):
    """One wallet, all that it recorded, and every state that it was in."""

    def __init__(self):
        super().__init__()
        self.wallet = DECIDER.initial
        self.at_ms = START_MS
        self.books = Books()
        self.log = []
        self.states = [(0, self.wallet)]
        self.said = []
        self.taken_by_operators = False

    def ask(self, request, *, for_ever=True, counts=False):
        """Make a request; return its events or its refusal, which leaves all as it was.

        Not `for_ever`, the same request may do something again once others came between, and if
        it `counts`, at once: such a one is kept from that by the id of its command alone.
        """
        outcome = DECIDER.step(self.wallet, request, self.at_ms)
        if isinstance(outcome, Refused):
            return outcome
        return self.take(request, outcome, None if counts else for_ever)

    def hear(self, fact):
        """Tell a fact as the director would; return its events.

        Only money that an operator has taken away can be missing: then the fact is parked,
        nothing has changed, and None is returned.
        """
        try:
            outcome = DECIDER.step(self.wallet, fact, self.at_ms)
        except JournalContradicted as contradicted:
            return self.park(str(contradicted))
        assert not isinstance(outcome, Refused)
        return self.take(fact, outcome, True)

    def park(self, why):
        assert self.taken_by_operators, why
        assert why.startswith(("pool/", "commission would hold")), why

    def take(self, said, outcome, for_ever):
        """Note what was recorded; unless `for_ever` is None, the same at once is harmless."""
        events, self.wallet = outcome
        for event in events:
            self.books.enter(event)
            self.log.append(msgspec.json.encode(event))
        self.states.append((len(self.log), self.wallet))
        if for_ever is not None:
            self.changes_nothing(said)
        if for_ever:
            self.said.append(said)
        return events

    def changes_nothing(self, said):
        again = DECIDER.step(self.wallet, said, self.at_ms)
        assert isinstance(again, Refused) or again == ((), self.wallet), said

    def cents(self, account):
        """Return what the books say of a ledger account."""
        return self.books.balances.get(account, 0)

    @precondition(lambda self: self.said)
    @rule(data=st.data())
    def hear_it_again(self, data):
        """A retry of anything that was said before changes nothing."""
        self.changes_nothing(data.draw(st.sampled_from(self.said)))

    @rule(ms=st.sampled_from([1, 60_000, 86_400_000, 40 * 86_400_000]))
    def time_passes(self, ms):
        """The clock strikes, whether something ends then or not."""
        self.at_ms += ms
        for name, _ in timers(self.wallet):
            self.ask(TimerFired(name=name))

    @invariant()
    def books_agree(self):
        balances = dict(self.wallet.balances.items())
        assert balances == self.books.balances
        assert sum(balances.values()) == 0
        for player in PLAYERS:
            assert self.cents(f"hold/{player}") == self.books.held_for(player)

    def teardown(self):
        """Every prefix of the log leads to the state that the wallet was in, and states keep."""
        wallet, folded = DECIDER.initial, 0
        for length, stored in self.states:
            for row in self.log[folded:length]:
                wallet = DECIDER.evolve(wallet, event_of(row))
            folded = length
            assert wallet == stored
        kept = msgspec.json.encode(wallet, enc_hook=enc_hook)
        assert msgspec.json.decode(kept, type=Wallet, dec_hook=dec_hook) == wallet
