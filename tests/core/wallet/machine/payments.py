"""A provider that says what it likes, and whose words come when they like; and who asks it."""

from hypothesis import strategies as st
from hypothesis.stateful import invariant, precondition, rule

from services.wallet.core import HearProvider
from shared.contracts.wallet import (
    ApproveWithdrawal,
    CancelWithdrawal,
    RefuseWithdrawal,
    RequestDeposit,
    RequestWithdrawal,
)
from shared.kernel.decider import Refused
from tests.core.wallet.machine.journal import OPERATOR, PLAYERS, Journal, players

NAMES = ("pay_1", "pay_2", "pay_3", "pay_4", "pay_5", "pay_6")
WORDS = {
    "deposit": ("succeeded", "succeeded", "failed", "charged_back"),
    "withdrawal": ("succeeded", "succeeded", "failed", "returned"),
}
OUT_OF_HAND = ("held", "approved", "sent")

names = st.sampled_from(NAMES)
amounts = st.sampled_from([0, 700, 2_500, 19_000])


class Payments(Journal):
    """Rules about deposits and withdrawals through the provider."""

    def __init__(self):
        super().__init__()
        self.words = []

    @rule(player=players, payment=names, cents=amounts)
    def ask_for_a_deposit(self, player, payment, cents):
        self.ask(RequestDeposit(player=player, payment=payment, amount_cents=cents))

    @rule(player=players, payment=names, cents=amounts)
    def ask_for_a_withdrawal(self, player, payment, cents):
        self.ask(RequestWithdrawal(player=player, payment=payment, amount_cents=cents))

    @precondition(lambda self: self.wallet.payments)
    @rule(data=st.data(), turn=st.sampled_from(["approve", "approve", "refuse", "cancel"]))
    def decide_a_withdrawal(self, data, turn):
        payment = data.draw(st.sampled_from([*self.wallet.payments]))
        player = self.wallet.payments[payment].player
        if turn == "approve":
            self.ask(ApproveWithdrawal(payment=payment, author=OPERATOR))
        elif turn == "refuse":
            self.ask(RefuseWithdrawal(payment=payment, author=OPERATOR, reason="no"))
        else:
            self.ask(CancelWithdrawal(player=player, payment=payment))

    @precondition(lambda self: self.wallet.payments)
    @rule(data=st.data(), more=st.sampled_from([0, 0, 0, 0, -1, 1, 5_000]))
    def the_provider_says_something(self, data, more):
        """It has a new word on a payment; whether it is delivered now is another matter."""
        payment = data.draw(st.sampled_from([*self.wallet.payments]))
        known = self.wallet.payments[payment]
        word = HearProvider(
            event=f"evt_{len(self.words)}",
            payment=payment,
            kind=known.kind,
            provider_reference=f"prv_{payment}",
            word=data.draw(st.sampled_from(WORDS[known.kind])),
            amount_cents=known.asked_cents + more,
            sequence=1 + sum(one.payment == payment for one in self.words),
            occurred_at_ms=self.at_ms,
            reason="",
        )
        self.words.append(word)
        if data.draw(st.booleans()):
            self.ask(word)

    @precondition(lambda self: self.words)
    @rule(data=st.data())
    def a_word_arrives(self, data):
        word = data.draw(st.sampled_from(self.words))
        heard = self.wallet.payments[word.payment].heard
        events = self.ask(word)
        if not isinstance(events, Refused):
            assert bool(events) == (word.sequence > heard)

    @invariant()
    def payments_agree_with_the_books(self):
        named = list(self.wallet.payments.items())
        payments = [one for _, one in named]
        for player in PLAYERS:
            held = [
                one.asked_cents
                for one in payments
                if (one.player, one.kind) == (player, "withdrawal") and one.stage in OUT_OF_HAND
            ]
            assert self.cents(f"withdrawal/{player}") == sum(held)
        assert all(one.lost_cents >= 0 for one in payments)
        waiting = {held.key for held in self.wallet.deadlines if held.what == "withdrawal"}
        assert waiting == {name for name, one in named if one.stage == "held"}
        assert set(self.wallet.differing) == {name for name, one in named if one.differs}
