"""A Big Shoot among all else that happens: two sold stages at a time, and the final.

The rules keep for themselves who is in which tournament of the series (BH-BIGSHOOT).
"""

from hypothesis import strategies as st
from hypothesis.stateful import invariant, precondition, rule

from services.wallet.core import DECIDER
from shared.contracts.director import (
    EntryRequested,
    LeftBigShoot,
    PrizeDue,
    QualifiersNamed,
    StagePrizeDue,
)
from shared.contracts.wallet import BigShootLeft, PoolCarried
from tests.core.wallet.machine.journal import anybody
from tests.core.wallet.machine.tournaments import FATES, Tournaments

SERIES = "trn_series"
PRICE = {"fee_cents": 900, "commission_cents": 90}
sold = st.integers(0, 1)


class BigShoots(Tournaments):
    """Rules about a series; a stage that is over makes room for another one."""

    def __init__(self):
        super().__init__()
        self.inside = {}
        self.brought_in = {}
        self.feeders = [self.new_feeder(), self.new_feeder()]
        self.won = 0

    def new_feeder(self):
        """Announce another stage 1; nobody leaves it but by its end."""
        feeder = f"trn_sold_{len(self.stage)}"
        self.stage[feeder] = "sold"
        return feeder

    @rule(which=sold, player=anybody, fate=st.sampled_from(FATES))
    def buy_into_stage_1(self, which, player, fate):
        tournament = self.feeders[which]
        there = self.inside.get(player)
        waits = any(wanted.player == player for wanted in self.waiting_for(tournament))
        if there == tournament and waits:
            return
        about = self.new_entry(tournament, player)
        wanted = EntryRequested(**about, **PRICE, deadline_ms=0, series=SERIES)
        self.want(wanted)
        _, held = self.pending[wanted.entry]
        assert not held or there in (None, tournament), f"{player} is in {there}"
        if held and there is None:
            self.inside[player] = tournament
            self.brought_in[player] = wanted.entry
        self.decide(wanted.entry, fate)

    def decide(self, entry, fate):
        wanted, held = self.pending[entry]
        super().decide(entry, fate)
        ended = held and entry not in self.pending and fate != "bought"
        if ended and self.brought_in.get(wanted.player) == entry:
            del self.inside[wanted.player]
            del self.brought_in[wanted.player]

    @precondition(lambda self: self.inside)
    @rule(data=st.data())
    def go_out(self, data):
        """In stage 1 or in the final: whoever has an entry, or has qualified."""
        player, tournament = data.draw(st.sampled_from(sorted(self.inside.items())))
        waits = any(wanted.player == player for wanted in self.waiting_for(tournament))
        if not waits:
            self.free(tournament, player, "ply_nobody")

    def free(self, tournament, *players):
        """Said again after one has come back it would be another fact: so it is for now only."""
        fact = LeftBigShoot(tournament=tournament, series=SERIES, players=players)
        outcome = DECIDER.step(self.wallet, fact, self.at_ms)
        freed = tuple(one for one in players if self.inside.get(one) == tournament)
        left = [BigShootLeft(tournament=tournament, series=SERIES, players=freed)] if freed else []
        assert [*outcome[0]] == left
        self.take(fact, outcome, False)
        for player in freed:
            del self.inside[player]

    def waiting_for(self, tournament):
        return [one for one, _ in self.pending.values() if one.tournament == tournament]

    @rule(which=sold, go_on=st.integers(0, 2))
    def finish_stage_1(self, which, go_on):
        tournament = self.feeders[which]
        inside = sorted(player for player, there in self.inside.items() if there == tournament)
        if self.waiting_for(tournament) or not inside:
            return
        named = QualifiersNamed(
            tournament=tournament,
            series=SERIES,
            target=SERIES,
            players=tuple(inside[:go_on]),
            amount_cents=self.cents(f"pool/{tournament}") if go_on else 0,
            withdrawal_cents=300,
            **PRICE,
        )
        assert isinstance(self.tell(named), PoolCarried)
        self.inside.update(dict.fromkeys(inside[:go_on], SERIES))
        for player in inside[go_on:]:
            self.free(tournament, player)
        self.feeders[which] = self.new_feeder()

    @precondition(lambda self: SERIES in self.inside.values())
    @rule(data=st.data(), percent=st.sampled_from([0, 30, 100]))
    def withdraw(self, data, percent):
        qualified = sorted(player for player, there in self.inside.items() if there == SERIES)
        player = data.draw(st.sampled_from(qualified))
        self.numbers += 1
        due = StagePrizeDue(
            tournament=SERIES,
            from_tournament=f"trn_sold_way_{self.numbers}",
            player=player,
            amount_cents=self.cents(f"pool/{SERIES}") * percent // 100,
            withdrew=True,
        )
        assert self.tell(due).amount_cents == due.amount_cents
        self.free(SERIES, player)

    @precondition(lambda self: self.cents(f"pool/{SERIES}"))
    @rule(player=anybody)
    def win_the_final(self, player):
        self.won += 1
        pool = self.cents(f"pool/{SERIES}")
        self.tell(PrizeDue(tournament=SERIES, place=self.won, player=player, amount_cents=pool))
        assert self.taken_by_operators or not self.cents(f"pool/{SERIES}")

    @invariant()
    def who_is_in_is_known(self):
        known = {name.partition("/")[2]: there for name, there in self.wallet.in_big_shoots.items()}
        assert known == self.inside
