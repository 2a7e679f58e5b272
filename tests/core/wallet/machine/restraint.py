"""Players restrain themselves: limits, self-exclusion, and the time that they were connected."""

from hypothesis import strategies as st
from hypothesis.stateful import rule

from services.wallet.core.rules import DAY_MS
from shared.contracts.wallet import CountSession, ExcludeSelf, SetLimit
from tests.core.wallet.machine.allowances import Allowances
from tests.core.wallet.machine.journal import Journal, players

KINDS = ("deposit", "stake", "loss", "session")
WINDOWS = ("day", "week", "month")
AMOUNTS = (0, 1_100, 5_000, 60_000, None)


class Restraint(Journal):
    """Rules about limits."""

    def __init__(self):
        super().__init__()
        self.allowances = Allowances()

    def take(self, said, outcome, for_ever):
        for event in outcome[0]:
            self.allowances.enter(event, self.at_ms)
        return super().take(said, outcome, for_ever)

    @rule(
        player=players,
        kind=st.sampled_from(KINDS),
        window=st.sampled_from(WINDOWS),
        amount=st.sampled_from(AMOUNTS),
    )
    def set_a_limit(self, player, kind, window, amount):
        limit = SetLimit(player=player, kind=kind, window=window, amount=amount)
        self.ask(limit, for_ever=False)

    @rule(player=players, days=st.sampled_from([1, 1, 8, 40, None]))
    def stay_away(self, player, days):
        until_ms = None if days is None else self.at_ms + days * DAY_MS
        self.ask(ExcludeSelf(player=player, until_ms=until_ms))

    @rule(
        player=players, ago_ms=st.integers(0, 90_000), length_ms=st.sampled_from([1, 500, 60_000])
    )
    def be_connected(self, player, ago_ms, length_ms):
        to_ms = self.at_ms - ago_ms
        self.ask(CountSession(player=player, from_ms=to_ms - length_ms, to_ms=to_ms))
