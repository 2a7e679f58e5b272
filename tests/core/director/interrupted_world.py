"""A world whose tournament is given up right after one of its commits."""

from shared.contracts.director import ApproveSheet, CancelTournament, CreateTournament, Register
from shared.contracts.wallet import Deposit
from tests.core.cli.tournament_world import TERMS, TOURNAMENT, World
from tests.people import signing_up

OPENS = CancelTournament(author="ops_1", reason="the power is gone")


class Cut(World):
    """A world whose tournament is given up right after its n-th commit."""

    def __init__(self, seed, after, terms=TERMS):
        super().__init__(seed, terms)
        self.after = after

    def commit(self, service, stream, events):
        super().commit(service, stream, events)
        if len(self.commits) == self.after:
            self.tell("director", TOURNAMENT, OPENS)

    def play(self):
        """Whoever comes after the end of a tournament is refused; then nobody acts any more."""
        create = CreateTournament(tournament=TOURNAMENT, terms=self.terms)
        assert self.tell("director", TOURNAMENT, create)
        for number in range(1, self.terms.entries + 1):
            player = f"ply_{number}"
            deposit = Deposit(player=player, amount_cents=2_000, reference=player)
            for command in (*signing_up(player), deposit):
                assert self.tell("wallet", "journal", command)
            self.tell("director", TOURNAMENT, Register(player=player))
            self.settle()
        while self.act() or self.fire_timers():
            self.settle()
        return self

    @property
    def of_director(self):
        return [e for c in self.commits if c.service == "director" for e in c.events]

    @property
    def tournament(self):
        return self.states["director", TOURNAMENT]

    def events(self, *kinds):
        return [e for c in self.commits for e in c.events if isinstance(e, kinds)]

    def approve(self):
        sheet = self.tournament.cancelling.sheet_hash
        assert self.tell("director", TOURNAMENT, ApproveSheet(author="ops_2", sheet_hash=sheet))
        self.settle()
