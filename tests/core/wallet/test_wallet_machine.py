"""What holds after whatever people ask, the director says, and errands bring, in any order."""

from hypothesis import settings, strategies as st
from hypothesis.stateful import initialize

from tests.core.wallet.machine.corrections import Corrections
from tests.core.wallet.machine.errands import ErrandsOut
from tests.core.wallet.machine.journal import PLAYERS
from tests.core.wallet.machine.payments import Payments
from tests.core.wallet.machine.people import People
from tests.core.wallet.machine.restraint import Restraint
from tests.core.wallet.machine.rumours import Rumours
from tests.core.wallet.machine.tournaments import Tournaments

BEGINNINGS = ("nothing", "people", "entries", "tickets")


class WalletMachine(People, Restraint, Payments, Tournaments, Rumours, Corrections, ErrandsOut):
    """All acts of the wallet; a new part adds its class of rules here."""

    @initialize(beginning=st.sampled_from(BEGINNINGS))
    def begin(self, beginning):
        """Begin where there is something to go on from."""
        if beginning != "nothing":
            for player in PLAYERS:
                self.ready(player, 20_000)
        if beginning in ("entries", "tickets"):
            for player in PLAYERS[:3]:
                self.enter("trn_1", player)
        if beginning == "tickets":
            self.win_tickets("trn_1", {"ply_ann": "trn_2", "ply_bea": "trn_3"})


WalletMachine.TestCase.settings = settings(max_examples=150, stateful_step_count=50, deadline=None)
TestTheJournal = WalletMachine.TestCase
