"""Purchases through all cores, wallet and tables included, judged by the auditors' verdicts."""

from functools import cache

import pytest
from msgspec.structs import replace

from services.cli.verdicts import judge
from shared.contracts.director import (
    AddOn,
    ApproveSheet,
    BountyDue,
    ChipsAssigned,
    EntriesClosed,
    PayoutDue,
    PlayerRegistered,
    PrizeDue,
    Purchase,
    Rebuy,
    RebuyGranted,
    Register,
    SatellitePrizes,
    SeatAssigned,
    TournamentFinished,
    TournamentStarted,
)
from shared.contracts.message import TimerFired
from shared.contracts.table import ChipsAdded
from shared.contracts.wallet import Deposit, PayoutPaid, PrizePaid
from tests.core.cli.tournament_world import TERMS, TOURNAMENT, World, changed, copies_of
from tests.core.director.interrupted_world import OPENS
from tests.people import signing_up

AT = 1_800_000_060_000
FINAL = "trn_final"
EXTRA = Purchase(fee_cents=500, commission_cents=50, chips=400, until_level=2, most=2)
ON_SALE = replace(
    TERMS,
    entries=12,
    start_at_ms=AT,
    late_levels=2,
    reentries=1,
    rebuy=EXTRA,
    add_on=replace(EXTRA, chips=250, most=1),
    guarantee_cents=14_000,
)
SPECIAL = {
    "bounties": {"bounty_cents": 300},
    "progressive": {"bounty_cents": 300, "progressive": True},
    "percentage": {"prizes": SatellitePrizes(winners=4_000)},
    "tickets": {"prizes": SatellitePrizes(prize_cents=7_100, target=FINAL)},
    "both": {"prizes": SatellitePrizes(prize_cents=7_100), "bounty_cents": 100},
}


class Market(World):
    """A world in which players come late, come back, and buy more."""

    def play(self):
        self.announce(TOURNAMENT, self.terms)
        for number in range(1, 14):
            self.people.append(f"ply_{number}")
            deposit = Deposit(player=f"ply_{number}", amount_cents=8_000, reference=f"ply_{number}")
            for command in (*signing_up(f"ply_{number}"), deposit):
                assert self.tell("wallet", "journal", command)
        for player in self.people[:7]:
            assert self.tell("director", TOURNAMENT, Register(player=player))
            self.settle()
        self.at_ms = AT
        assert self.tell("director", TOURNAMENT, TimerFired(name="start"))
        self.settle()
        self.play_on()
        return self

    def play_on(self):
        while self.act() or self.fire_timers():
            self.settle()
            self.shop()

    def act(self):
        self.shop()
        return super().act()

    def shop(self):
        """Somebody asks for something, most often who may have it."""
        player = self.chance.choice(self.people)
        offers = sorted(self.states["director", TOURNAMENT].offers)
        if offers and self.chance.random() < 0.8:
            self.tell("director", TOURNAMENT, Rebuy(player=self.chance.choice(offers)))
        elif self.chance.random() < 0.2:
            ask = self.chance.choice((Register, AddOn))
            self.tell("director", TOURNAMENT, ask(player=player))
        self.settle()

    def events(self, *kinds):
        return [e for c in self.commits for e in c.events if isinstance(e, kinds)]


@pytest.mark.parametrize("rule_set", ["big_holdem", "peoples_poker", "tda"])
@pytest.mark.parametrize("seed", range(4))
def test_whatever_is_bought_every_verdict_is_true(rule_set, seed):
    """BH-REBUY, PP-ENTRY: chips, money and places, as the auditors add them up."""
    world = Market(seed, replace(ON_SALE, rule_set=rule_set)).play()
    (finished,) = world.events(TournamentFinished)
    (started,) = world.events(TournamentStarted)
    (closed,) = world.events(EntriesClosed)
    assert started.prizes_cents == ()
    assert closed.entries == len(world.events(PlayerRegistered))
    assert closed.players == len(finished.places) > started.players
    kinds = {granted.kind for granted in world.events(RebuyGranted)}
    assert kinds == {"rebuy", "add_on"}
    assert world.events(ChipsAdded)
    prizes = sum(paid.amount_cents for paid in world.events(PrizePaid))
    assert prizes == closed.pool_cents == sum(due.amount_cents for due in world.events(PrizeDue))
    wrong = [v for v in judge(copies_of(world.commits)) if not v.true]
    assert not wrong


@pytest.mark.parametrize("special", SPECIAL)
@pytest.mark.parametrize("seed", range(2))
def test_satellites_and_bounties_may_be_bought_into_too(special, seed):
    """BH-SATELLITE, BH-REBUY: every cent is won, and the close says how many win."""
    terms = replace(ON_SALE, **SPECIAL[special])
    world = Market(seed, terms).play()
    (closed,) = world.events(EntriesClosed)
    assert world.events(TournamentFinished)
    cash = sum(due.amount_cents for due in world.events(BountyDue))
    rebuys = sum(granted.kind == "rebuy" for granted in world.events(RebuyGranted))
    assert rebuys
    assert cash == (closed.entries + rebuys) * terms.bounty_cents
    assert sum(due.amount_cents for due in world.events(PrizeDue)) + cash == closed.pool_cents
    in_kind = sorted(due.place for due in world.events(PrizeDue) if due.ticket_for)
    assert len(in_kind) == (closed.pool_cents // 7_100 if special == "tickets" else 0)
    assert in_kind == list(range(1, len(in_kind) + 1))
    wrong = [v for v in judge(copies_of(world.commits)) if not v.true]
    assert not wrong


class GivenUp(Market):
    """A market that is given up right after its n-th commit, and paid by its sheet."""

    def __init__(self, seed, terms, after):
        super().__init__(seed, terms)
        self.after = after

    def commit(self, service, stream, events):
        super().commit(service, stream, events)
        if len(self.commits) == self.after:
            self.tell("director", TOURNAMENT, OPENS)


RULES = {name: {"rule_set": name} for name in ("big_holdem", "peoples_poker", "tda")}


@pytest.mark.parametrize("changes", RULES | SPECIAL)
@pytest.mark.parametrize("after", [130, 250, 400, 600])
def test_given_up_in_the_middle_of_it_every_cent_comes_back(changes, after):
    """The cut: nobody has paid without having chips, and all that was paid is shared."""
    world = GivenUp(1, replace(ON_SALE, **(RULES | SPECIAL)[changes]), after).play()
    state = world.states["director", TOURNAMENT]
    assert state.phase == "running"
    assert state.selling
    approve = ApproveSheet(author="ops_2", sheet_hash=state.cancelling.sheet_hash)
    assert world.tell("director", TOURNAMENT, approve)
    world.settle()
    shares, due = world.events(PayoutPaid), world.events(PayoutDue)
    assert len(shares) == len(due) == state.left
    balances = dict(world.states["wallet", "journal"].balances.items())
    assert balances.get(f"pool/{TOURNAMENT}", 0) == 0
    assert not any(cents for name, cents in balances.items() if name.startswith("hold/"))
    wrong = [v for v in judge(copies_of(world.commits)) if not v.true]
    assert not wrong


@cache
def bought():
    return tuple(Market(0, ON_SALE).play().commits)


def one_chip_more(field):
    return lambda event: replace(event, **{field: getattr(event, field) + 1})


def for_a_newcomer(event):
    """Change a seat that was bought, not moved to."""
    return replace(event, stack_chips=301) if event.stack_chips in (300, 400) else None


@pytest.mark.parametrize(
    ("kind", "change", "expected"),
    [
        (ChipsAssigned, one_chip_more("chips"), {"chips conserved"}),
        (ChipsAssigned, lambda _: (), {"chips conserved"}),
        (ChipsAdded, one_chip_more("chips"), {"chips conserved"}),
        (ChipsAdded, lambda _: (), {"chips conserved", "shown cards = commitments"}),
        (RebuyGranted, one_chip_more("chips"), {"chips conserved"}),
        (SeatAssigned, for_a_newcomer, {"chips conserved"}),
        (EntriesClosed, one_chip_more("pool_cents"), {"prizes = pool"}),
        (EntriesClosed, one_chip_more("entries"), {"prizes = pool"}),
    ],
)
def test_a_purchase_that_is_not_as_it_was_is_seen(kind, change, expected):
    copies = copies_of(changed(bought(), kind, change))
    assert {verdict.name for verdict in judge(copies) if not verdict.true} == expected
