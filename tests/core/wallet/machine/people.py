"""People: they sign up, pay in at the desk, and operators suspend, reinstate and close."""

from hypothesis import strategies as st
from hypothesis.stateful import invariant, rule

from services.wallet.core import FileSealed, OpenSealed
from shared.contracts.wallet import (
    CloseAccount,
    Deposit,
    ErasePerson,
    IdentifyAccount,
    ReinstateAccount,
    SuspendAccount,
)
from tests.core.wallet.machine.journal import OPERATOR, PLAYERS, Journal, anybody, players

STEPS = ("open", "file", "identify")
TURNS = ("suspend", "reinstate", "reinstate", "close", "erase")


class People(Journal):
    """Rules about accounts."""

    def ready(self, player, cents):
        """Let somebody be identified and have paid in."""
        for step in STEPS:
            self.sign_up(player, step, b"1")
        self.pay_in(player, cents, f"first-{player}")

    @rule(player=players, step=st.sampled_from(STEPS), sealed=st.sampled_from([b"1", b"2"]))
    def sign_up(self, player, step, sealed):
        if step == "open":
            self.ask(OpenSealed(player=player, sealed=sealed))
        elif step == "file":
            self.ask(FileSealed(player=player, sealed=sealed), for_ever=False)
        else:
            self.ask(IdentifyAccount(player=player))

    @rule(
        player=anybody,
        cents=st.sampled_from([-1, 900, 1_100, 9_000]),
        reference=st.sampled_from(["r1", "r2", "r3", "r4", "r5", "r6", "r7"]),
    )
    def pay_in(self, player, cents, reference):
        self.ask(Deposit(player=player, amount_cents=cents, reference=reference))

    @rule(player=players, turn=st.sampled_from(TURNS))
    def take_a_turn(self, player, turn):
        about = {"player": player, "author": OPERATOR}
        if turn == "suspend":
            self.ask(SuspendAccount(**about, reason="a question is open"), for_ever=False)
        elif turn == "reinstate":
            self.ask(ReinstateAccount(**about, reason="it is answered"), for_ever=False)
        elif turn == "close":
            self.ask(CloseAccount(**about, reason="as asked"))
        else:
            self.ask(ErasePerson(**about))

    @invariant()
    def who_has_gone_has_taken_all_along(self):
        for player in PLAYERS:
            account = self.wallet.accounts.get(player)
            if account is not None and account.status == "closed":
                assert self.cents(f"cash/{player}") == self.cents(f"hold/{player}") == 0
