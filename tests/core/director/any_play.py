"""A tournament of any terms, in which everybody does anything, and its ranking as well."""

from random import Random

from services.director.core import is_live
from shared.contracts.director import (
    AnswerDeal,
    EntryRequested,
    OfferDeal,
    PauseTournament,
    Register,
    ResumeTournament,
    Unregister,
)
from shared.contracts.message import OutageOver
from shared.contracts.ranking import EntryRated
from tests.core.director.director_play import TOURNAMENT, Play, players_named
from tests.core.director.test_purchase_laws import fire_something, shop

COMMITS_MAX = 5_000


class AnyPlay(Play):
    """Wallet and ranking answer for entries in any order, people ask for whatever there is."""

    def __init__(self, chosen, seed, after_commit):
        self.unrated = []
        self.chance = Random(seed)
        self.names = players_named(chosen.entries + 3)
        super().__init__(chosen, after_commit)

    def deliver(self, event):
        super().deliver(event)
        if isinstance(event, EntryRequested) and (event.rating_min or event.rating_max):
            self.unrated.append(event)

    def something(self):
        """Let anything happen: what is under way, what people ask for, or time."""
        chance, state = self.chance, self.state
        if state.phase == "registering":
            self.before_the_start()
        elif chance.random() < 0.3:
            self.ask()
        if not is_live(self.state):
            return
        if self.unrated and chance.random() < 0.7:
            self.rate()
        elif self.asked and chance.random() < 0.5:
            self.answer_entry(self.asked[-1], chance)
        elif self.outstanding():
            self.happen(chance)
        elif self.state.paused_ms is not None:
            self.must(ResumeTournament(author="ops_1"))
        elif self.state.phase == "running" or chance.random() < 0.1:
            assert self.armed() or self.state.phase == "registering", "stuck"
            if self.armed():
                fire_something(self)

    def before_the_start(self):
        if self.chance.random() < 0.02:
            self.tell(Unregister(player=self.chance.choice(self.names)))
            return
        keen = [name for name in self.names if name not in self.state.registered]
        again = not keen or self.chance.random() < 0.1
        self.tell(Register(player=self.chance.choice(self.names if again else keen)))

    def ask(self):
        """Players buy, leave too late, offer deals; an operator pauses; there are outages."""
        chance, player = self.chance, self.chance.choice(self.names)
        kind = chance.choice(("shop", "shop", "offer", "answer", "pause", "outage", "leave"))
        if self.state.offers and chance.random() < 0.7:
            kind = "shop"
        if kind == "shop":
            shop(self, chance, self.names)
        elif kind == "offer":
            still_in = sorted(name for table in self.tables.values() for name in table.stacks)
            player = chance.choice(still_in or self.names)
            self.tell(OfferDeal(player=player, method=chance.choice(("icm", "chips"))))
        elif kind == "answer":
            for name in self.names:
                self.tell(AnswerDeal(player=name, agree=chance.random() < 0.9))
        elif kind == "pause" and chance.random() < 0.2:
            self.tell(PauseTournament(author="ops_1", reason="a drill"))
        elif kind == "outage":
            down_from_ms = self.now_ms - chance.choice((1, 5_000))
            self.must(OutageOver(down_from_ms=down_from_ms, up_at_ms=self.now_ms))
        else:
            self.tell(Unregister(player=player))

    def rate(self):
        asked = self.unrated.pop(self.chance.randrange(len(self.unrated)))
        rating = self.chance.choice((101, 200, 200, 500, 500, 500, 800, 800, 1_000))
        self.must(
            EntryRated(tournament=TOURNAMENT, entry=asked.entry, player=asked.player, rating=rating)
        )

    def to_the_end(self):
        while is_live(self.state):
            assert len(self.commits) < COMMITS_MAX + 20 * self.terms.entries, "no end"
            self.something()
        return self
