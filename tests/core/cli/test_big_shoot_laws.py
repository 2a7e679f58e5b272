"""Whatever becomes of a Big Shoot, its money is judged right at any moment (BH-BIGSHOOT)."""

from collections import Counter
from random import Random

from services.cli.verdicts.history import Fact, History
from services.cli.verdicts.journal import journal_sums_to_zero
from services.cli.verdicts.prizes import prizes_equal_pool
from services.cli.wallet.reconciling import reconcile
from shared.contracts.director import StagePrizeDue, TournamentCancelled
from shared.contracts.wallet import Deposit, GuaranteePosted, PoolCarried, StagePrizePaid
from shared.kernel.decider import Refused
from shared.runtime.ports import Line
from tests.core.director.big_shoot_world import CASH_CENTS, Stage, World
from tests.core.wallet.given import DECIDER, person

SEEDS = range(30)
MOMENTS = 12


class RecordedWorld(World):
    """A Big Shoot with all that director and wallet have said, each in its order."""

    def __init__(self, seed: int):
        self.logs = {"director": [], "wallet": []}
        self.lengths = []
        super().__init__(seed)
        self.wallet = DECIDER.initial
        for one in (one for name in self.people for one in person(name, CASH_CENTS)):
            self.say("wallet", "journal", self.brought(one))

    def brought(self, said):
        """Take in an event as it stands in the log, or a deposit."""
        if isinstance(said, Deposit):
            events, self.wallet = DECIDER.step(self.wallet, said, 0)
            return events
        self.wallet = DECIDER.evolve(self.wallet, said)
        return (said,)

    def say(self, service, stream, events):
        log = self.logs[service]
        log += [Fact(Line(service, 0), len(log) + 1, stream, 1, event) for event in events]
        self.lengths.append((len(self.logs["director"]), len(self.logs["wallet"])))

    def open(self, name, chosen):
        stage = self.stages[name] = Stage(name, chosen, self)
        self.say("director", name, stage.events)
        stage.after_commit = lambda play: self.say("director", name, play.commits[-1])

    def to_wallet(self, fact):
        stepped = DECIDER.step(self.wallet, fact, self.now_ms)
        assert not isinstance(stepped, Refused)
        super().to_wallet(fact)
        self.say("wallet", "journal", stepped[0])

    def history(self, lengths, *, at_rest):
        logs = zip(self.logs.items(), lengths, strict=True)
        return History({name: tuple(log[:n]) for (name, log), n in logs}, at_rest=at_rest)


def wrong(history):
    """Return what the verdicts complain of."""
    verdicts = (prizes_equal_pool(history), journal_sums_to_zero(history))
    return [verdict for verdict in verdicts if not verdict.true]


def test_bh_bigshoot_every_end_and_every_moment_before_it_is_judged_right():
    """BH-BIGSHOOT: played, withdrawn from, given up, fed too late: no cent is missed."""
    seen = Counter()
    for seed in SEEDS:
        world = RecordedWorld(seed).play()
        over = world.history(world.lengths[-1], at_rest=True)
        assert wrong(over) == [], seed
        assert not [what for what in reconcile(over).wrong if not what.startswith("tables:")]
        for lengths in Random(seed).sample(world.lengths, MOMENTS):
            assert wrong(world.history(lengths, at_rest=False)) == [], seed
        seen.update(type(fact.event).__name__ for log in world.logs.values() for fact in log)
    for needed in (
        PoolCarried,
        StagePrizePaid,
        StagePrizeDue,
        TournamentCancelled,
        GuaranteePosted,
    ):
        assert seen[needed.__name__], needed
