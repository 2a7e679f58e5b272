"""A whole Big Shoot: its tournaments, the wallet's own core, and players who come and go.

Facts wait in lines, one for each who says them, and are heard in their order at any moment; so
tournaments and wallet know different things about each other, as they would.
"""

from collections import deque
from random import Random

from services.director.core import is_live
from services.director.shell.reactions import REACTIONS as HEARD_BY_DIRECTOR
from services.wallet.shell.reactions import REACTIONS as HEARD_BY_WALLET
from shared.contracts.director import (
    ApproveSheet,
    BigShoot,
    CancelTournament,
    PlayerRegistered,
    PlayersQualified,
    Purchase,
    QualifyingPrizes,
    Register,
    SheetFinal,
    StandardPrizes,
    Terms,
    Unregister,
    Withdraw,
)
from shared.contracts.message import TimerFired
from shared.kernel.decider import Refused
from tests.core.director.director_play import START_MS, Play, of, players_named, terms, winners
from tests.core.director.test_interrupted_laws import halt_all
from tests.core.director.test_purchase_laws import shop
from tests.core.wallet.given import DECIDER as WALLET, after, person

FINAL = "trn_final"
CASH_CENTS = 50_000
STEPS_MAX = 60_000
EXTRA = Purchase(fee_cents=500, commission_cents=50, chips=400, until_level=1, most=2)


class Stage(Play):
    """One tournament, whose facts for the wallet wait to be heard."""

    def __init__(self, name: str, chosen: Terms, world: "World"):
        self.world = world
        self.said: deque[object] = deque()
        super().__init__(chosen, tournament=name)

    def deliver(self, event):
        if type(event) in HEARD_BY_WALLET:
            self.said.append(event)
        super().deliver(event)
        self.asked.clear()
        if isinstance(event, PlayerRegistered):
            self.world.sits_once(event.player)
        if isinstance(event, PlayersQualified):
            for player in event.players:
                self.world.sits_once(player)


class World:
    """Feeders, middle stages and a final, from their terms to the last cent."""

    def __init__(self, seed: int):
        self.chance = Random(seed)
        self.now_ms = START_MS
        self.stages: dict[str, Stage] = {}
        self.wallet_said: deque[object] = deque()
        self.rule_set = self.chance.choice(("big_holdem", "peoples_poker", "tda"))
        self.give_up = self.chance.choice((0, 0, 1, 2))
        self.announce(FINAL, self.chance.choice((2, 3, 3, 4)))
        self.people = players_named(self.chance.choice((12, 30, 60, 100)))
        self.wallet = after(*(one for name in self.people for one in person(name, CASH_CENTS)))

    # --- what is announced ------------------------------------------------------------------

    def announce(self, name: str, stage: int, target: str = "") -> None:
        """A later stage, then those that feed it, down to stage 1.

        Now and then somebody has miscounted, and one more than it waits for comes too late.
        """
        chance = self.chance
        feeders = chance.randint(1, 4 if stage == 2 else 2)
        paid = chance.choice((StandardPrizes(), winners(10_000), winners(6_000, 4_000)))
        prizes = self.qualifying(target) if target else paid
        self.open(name, self.later(stage, feeders, prizes))
        for nth in range(1, feeders + 1 + (chance.random() < 0.2)):
            if stage > 2:
                self.announce(f"{name}_{nth}", stage - 1, name)
            else:
                self.open(f"{name}_{nth}", self.first(name))

    def open(self, name: str, chosen: Terms) -> None:
        self.stages[name] = Stage(name, chosen, self)

    def qualifying(self, target: str, most_cents: int = 900) -> QualifyingPrizes:
        return QualifyingPrizes(
            winners=self.chance.choice((1_000, 4_000, 9_000)),
            target=target,
            withdrawal_cents=self.chance.choice((0, most_cents // 3, most_cents)),
        )

    def first(self, target: str) -> Terms:
        """A freeze-out that is sold; sold out or scheduled."""
        chance = self.chance
        entries, scheduled = chance.choice((2, 8, 15, 30, 60)), chance.random() < 0.6
        fee_cents = chance.choice((0, 1, 997, 1_000))
        bounty_cents = chance.choice((0, 0, 0, 100)) if fee_cents > 100 else 0
        late_levels = chance.choice((0, 0, 1)) if scheduled else 0
        return self.common(
            entries=entries,
            fee_cents=fee_cents,
            late_levels=late_levels,
            reentries=late_levels,
            rebuy=chance.choice((None, None, EXTRA)),
            add_on=chance.choice((None, None, EXTRA)),
            commission_cents=chance.choice((0, 1, 100)),
            bounty_cents=bounty_cents,
            progressive=bounty_cents > 0 and chance.random() < 0.5,
            guarantee_cents=chance.choice((0, 0, 5_000)),
            start_at_ms=START_MS + chance.choice((60_000, 120_000)) if scheduled else 0,
            prizes=self.qualifying(target, fee_cents - bounty_cents),
            big_shoot=BigShoot(series=FINAL, stage=1),
        )

    def later(self, stage: int, fed_by: int, prizes) -> Terms:
        chance = self.chance
        least = chance.choice((0, 3)) if isinstance(prizes, QualifyingPrizes) else 2
        return self.common(
            entries=2_000,
            fee_cents=0,
            commission_cents=0,
            guarantee_cents=chance.choice((0, 0, 9_999)),
            start_at_ms=START_MS + chance.choice((100_000, 500_000)) * stage,
            entries_min=least,
            prizes=prizes,
            big_shoot=BigShoot(series=FINAL, stage=stage, fed_by=fed_by),
        )

    def common(self, **changes) -> Terms:
        return terms(
            rule_set=self.rule_set,
            seats=self.chance.choice((2, 3, 6, 10)),
            starting_chips=self.chance.choice((7, 1_000)),
            level_ms=20_000,
            **changes,
        )

    # --- what happens -----------------------------------------------------------------------

    def play(self) -> "World":
        """Let anything happen until nothing can."""
        for _ in range(STEPS_MAX):
            if not self.step():
                return self
        raise AssertionError("no end")

    def step(self) -> bool:
        """Let one thing happen, if there is any."""
        happenings = [
            *(self.hearing_wallet for _ in self.wallet_said),
            *((lambda one=one: self.hearing(one)) for one in self.live_or_saying()),
        ]
        if not happenings:
            return False
        self.chance.choice(happenings[-40:])()
        return True

    def live_or_saying(self) -> list[Stage]:
        return [one for one in self.stages.values() if one.said or is_live(one.state)]

    def hearing_wallet(self) -> None:
        """The director hears the wallet's next word."""
        fact = self.wallet_said.popleft()
        stream = HEARD_BY_DIRECTOR[type(fact)].stream(fact)
        self.tell(self.stages[stream], fact)

    def hearing(self, stage: Stage) -> None:
        """The wallet hears a tournament's next word, or something happens there."""
        if stage.said and (self.chance.random() < 0.6 or not is_live(stage.state)):
            self.to_wallet(stage.said.popleft())
            return
        if stage.state.phase == "registering":
            self.before_the_start(stage)
        elif stage.state.phase == "running":
            self.playing(stage)

    def to_wallet(self, fact) -> None:
        stepped = WALLET.step(self.wallet, fact, self.now_ms)
        assert not isinstance(stepped, Refused), stepped
        events, self.wallet = stepped
        self.wallet_said.extend(one for one in events if type(one) in HEARD_BY_DIRECTOR)

    def tell(self, stage: Stage, command):
        stage.now_ms = self.now_ms
        return stage.tell(command)

    def before_the_start(self, stage: Stage) -> None:
        """People come, leave and withdraw; what is never sold out is given up."""
        chance, player = self.chance, self.chance.choice(self.people)
        self.now_ms += chance.choice((0, 10, 300))
        kind = chance.random()
        if kind < 0.9:
            self.tell(stage, Register(player=player))
        elif kind < 0.92:
            self.tell(stage, Unregister(player=player))
        elif kind < 0.96:
            self.tell(stage, Withdraw(player=player))
        elif (self.give_up and chance.random() < 0.1) or (
            self.now_ms > START_MS + 200_000 and not stage.terms.start_at_ms
        ):
            self.cancel(stage)
        self.fire_timers(stage)

    def playing(self, stage: Stage) -> None:
        """A hand, a move, a draw; seldom an operator gives up."""
        self.fire_timers(stage)
        if stage.state.phase == "running" and self.give_up and self.chance.random() < 0.03:
            self.cancel(stage)
        elif stage.state.phase == "running" and stage.state.selling and self.chance.random() < 0.3:
            stage.now_ms = self.now_ms
            shop(stage, self.chance, self.people)
        elif stage.state.phase == "running" and stage.outstanding():
            stage.now_ms = self.now_ms
            stage.happen(self.chance)
            self.now_ms = max(self.now_ms, stage.now_ms)

    def fire_timers(self, stage: Stage) -> None:
        for name, at_ms in stage.armed():
            if at_ms <= self.now_ms and self.chance.random() < 0.5:
                self.tell(stage, TimerFired(name=name))
                return
        self.now_ms += 0 if stage.outstanding() else 50

    def cancel(self, stage: Stage) -> None:
        """Give it up, by another operator's word where it is running."""
        self.give_up -= 1
        self.tell(stage, CancelTournament(author="ops_1", reason="fire"))
        if stage.state.phase != "running":
            return
        halt_all(stage, self.chance)
        (final,) = of(SheetFinal, stage.events)
        stage.must(ApproveSheet(author="ops_2", sheet_hash=final.sheet_hash))

    # --- what must never be -----------------------------------------------------------------

    def sits_once(self, player: str) -> None:
        """Nobody plays, or is to play, in two tournaments of the series at once."""
        there = [name for name, one in self.stages.items() if is_in(one.state, player)]
        assert len(there) <= 1, f"{player} is in {there}"


def is_in(state, player: str) -> bool:
    out = {placing.player for placing in state.places.values()}
    return is_live(state) and player in state.registered and player not in out
