"""What holds after whatever people ask, the director says, and errands bring, in any order."""

from hypothesis import settings, strategies as st
from hypothesis.stateful import initialize

from tests.core.wallet.machine.big_shoots import BigShoots
from tests.core.wallet.machine.conduct import Conduct
from tests.core.wallet.machine.corrections import Corrections
from tests.core.wallet.machine.errands import ErrandsOut
from tests.core.wallet.machine.journal import PLAYERS
from tests.core.wallet.machine.payments import Payments
from tests.core.wallet.machine.people import People
from tests.core.wallet.machine.restraint import Restraint
from tests.core.wallet.machine.rumours import Rumours

BEGINNINGS = ("nothing", "people", "entries", "tickets", "entries by ticket")


class WalletMachine(
    People, Restraint, Conduct, Payments, BigShoots, Rumours, Corrections, ErrandsOut
):
    """All acts of the wallet; a new part adds its class of rules here."""

    @initialize(beginning=st.sampled_from(BEGINNINGS))
    def begin(self, beginning):
        """Begin where there is something to go on from."""
        if beginning != "nothing":
            for player in PLAYERS:
                self.ready(player, 6_000)
        if beginning not in ("nothing", "people"):
            for player in PLAYERS[:3]:
                self.enter("trn_1", player)
        if beginning in ("tickets", "entries by ticket"):
            self.win_tickets("trn_1", {"ply_ann": "trn_2", "ply_bea": "trn_3"})
        if beginning == "entries by ticket":
            for name, ticket in self.wallet.tickets.items():
                self.enter(ticket.target, ticket.player, name)


WalletMachine.TestCase.settings = settings(max_examples=120, stateful_step_count=50, deadline=None)
TestTheJournal = WalletMachine.TestCase
