"""Operators correct the journal, now and then by mistake."""

from hypothesis import strategies as st
from hypothesis.stateful import precondition, rule

from shared.contracts.wallet import CorrectionLine, PostCorrection
from shared.kernel.decider import Refused
from tests.core.wallet.machine.journal import OPERATOR, PLAYERS, Journal, players

NEEDED_LATER = ("pool/", "commission")
BY_NAME = ("commission", "unclaimed", "external", "promotions", "top-up", "chargebacks", "house")


class Corrections(Journal):
    """Rules about corrections."""

    def __init__(self):
        super().__init__()
        self.corrected = {}

    @precondition(lambda self: self.cents("unclaimed"))
    @rule(player=players)
    def pay_what_was_unclaimed(self, player):
        cents = self.cents("unclaimed")
        self.correct(f"cor_{len(self.log)}", ("unclaimed", -cents), (f"cash/{player}", cents))

    @rule(data=st.data(), cents=st.sampled_from([0, 1, 300, 2_000]), name=st.integers(1, 4))
    def move_something(self, data, cents, name):
        tickets = [f"ticket/{ticket}" for ticket in self.wallet.tickets]
        known = [account for account in self.books.balances if account not in BY_NAME]
        unknown = ["cash/ply_nobody", "pool/trn_none", "hold/ply_ann", "x"]
        accounts = [*BY_NAME, *(f"cash/{player}" for player in PLAYERS), *known, *tickets, *unknown]
        source, target = (data.draw(st.sampled_from(accounts)) for _ in range(2))
        self.correct(f"cor_{name}", (source, -cents), (target, cents))

    @precondition(lambda self: self.wallet.differing)
    @rule()
    def decide_what_differs(self):
        settles = self.wallet.differing[0]
        self.ask(
            PostCorrection(
                correction=f"cor_{len(self.log)}",
                corrects=1,
                lines=(),
                author=OPERATOR,
                reason="looked at",
                settles=settles,
            )
        )
        assert settles not in self.wallet.differing

    def correct(self, name, *lines):
        before = dict(self.books.balances)
        posted = self.ask(
            PostCorrection(
                correction=name,
                corrects=1,
                lines=tuple(CorrectionLine(*line) for line in lines),
                author=OPERATOR,
                reason="a mistake",
            )
        )
        if not isinstance(posted, Refused):
            assert self.corrected.setdefault(name, lines) == lines
            source, target = lines[0][0], lines[1][0]
            assert not source.startswith(("hold/", "withdrawal/"))
            assert not target.startswith(("hold/", "withdrawal/"))
            moved = {account: self.cents(account) - before.get(account, 0) for account in before}
            assert all(moved[account] == 0 for account in moved if account not in (source, target))
            self.taken_by_operators |= source.startswith(NEEDED_LATER)
