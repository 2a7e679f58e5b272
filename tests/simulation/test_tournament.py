"""A tournament in bad weather: everything dies, doubles and lies, and not one chip is lost.

A `World` is the whole platform in one process. The wallet, the dealer, the director and the
tables are the real ones, with their real owners, relays and followers; only what is outside of
them is played: the database, the broker, the clock, chance and the people. Time is virtual and
everything comes from one seed, so a world can be lived through again, exactly.

What a world does, in order:

    loop.py       time that jumps to whatever is due next; every choice from the seed
    store.py      a database that may fail before or after it commits
    broker.py     streams that lose their end, their middle or all; readers that miss things
    network.py    requests that are lost, doubled, or answered late
    registry.py   who has the lease of which line; some worlds do without leases
    gateways.py   the way of players to tables; where there are two, they help each other's
    node.py       processes that die at any await, freeze and wake, or own a line twice
    flaws.py      builds that fall over facts, and the operator who mends what they parked
    backups.py    a database restored alone, and the operator who restores the others
    spoiling.py   snapshots that are damaged, another build's or another log's
    generator.py  chance, and the day it repeats itself
    trouble.py    when which of this strikes
    customers.py  accounts from before; in some worlds everybody signs up in the bad weather
    players.py    bots that play, repeat themselves, come too late, and some that cheat
    series.py     the tournaments of a Big Shoot, and
    qualifying.py who withdraws in one, or tries to play in two of them at once
    buying.py     what they buy while they play, and
    sharing.py    the deals that the last of them agree on, or do not
    cancelling.py two operators who give the tournament up, or think better of it
    turns.py      whose turn it is, and what that allows
    laws.py       what must be true after every commit, publication and reply,
    laws_of_*.py  of chips, cards, money, clocks, outages and series
    ending.py     what must be true once the weather has cleared

A world that breaks a law says which; `make sim SEED=7 SEEDS=1` repeats seed 7 and tells its last
facts. Seeds that once broke a law are kept in `seeds.txt` and played here for good.
"""

from random import Random
from typing import get_args

import pytest

from services.cli.verdicts import judge
from shared.contracts.commit import decode, decode_type
from shared.contracts.director import (
    BreakBegan,
    BreakExtended,
    BuyingEvent,
    CutTold,
    DealEvent,
    DirectorMoneyEvent,
    PayoutDue,
    PlacesTold,
)
from shared.contracts.message import tag_of
from shared.contracts.ranking import PlacesNoted
from shared.contracts.registry import REGISTRY
from shared.contracts.table import ChipsAdded
from shared.contracts.upcasts import newest_type
from shared.contracts.wallet import (
    ConductEvent,
    CorrectionPosted,
    LimitEvent,
    MoneyDeposited,
    PaymentEvent,
)
from tests.simulation.ending import copies_of
from tests.simulation.faults import ACCIDENTS, MOST, NONE, Weather, drawn
from tests.simulation.guards import GUARDS, without
from tests.simulation.loop import Broken
from tests.simulation.seeds import UnusableSeeds, past_failures
from tests.simulation.telling import told
from tests.simulation.world import World

SEEDS = range(1, 51)
NOT_ALWAYS_PLAYED = {
    "table.player-leaving.v1",  # The director moves nobody out of a running hand.
    "director.entry-expired.v1",  # Takes an outage of ten seconds: one world in forty.
    "wallet.entry-released.v1",
    "table.said.v1",  # Nobody has a word for anybody here.
    "table.choice-started.v1",  # Not under the rules that are played here.
    "table.time-bank-started.v1",
    "table.time-bank-used.v1",
    "table.clock-extended.v1",  # Takes an owner that is away while a clock runs.
    "director.clock-extended.v1",
    "table.hand-beaten.v1",
    "dealer.deck-repeated.v1",  # Takes a generator that repeats itself: one world in twenty.
    "wallet.account-suspended.v1",  # Nobody here is suspected of anything.
    "wallet.account-reinstated.v1",
    "director.stage-ended.v1",  # In staged worlds.
    "wallet.ticket-issued.v1",
    "wallet.ticket-paid-out.v1",
    "wallet.bounty-paid.v1",
    "wallet.guarantee-posted.v1",
    "table.hand-doubted.v1",  # Takes a hand that waits for the dealer for half a minute.
    "director.hand-set-aside.v1",
    "director.table-left-out.v1",  # Tables halt soon: one world in a hundred.
}
NOBODYS_BUSINESS = {  # Nobody is punished, sets limits, buys more, pays in, or is one of thousands.
    tag_of(event)
    for event in (
        *get_args(ConductEvent | LimitEvent | PaymentEvent | CorrectionPosted | DirectorMoneyEvent),
        *get_args(BuyingEvent | DealEvent),
        *(BreakBegan, BreakExtended, ChipsAdded),
        *(CutTold, PlacesTold, PlacesNoted),
    )
    if event not in (MoneyDeposited, PayoutDue)
}
GUARD_NAMED = {guard.name: guard for guard in GUARDS}
CALM = Weather(faults=NONE, accidents=(), pause_s=1.0, skew_ms=0, shuffle=False)


def lived(world: World) -> World:
    """Live through a world; a broken law fails with the last facts."""
    try:
        world.play()
    except Broken as broken:
        facts = "\n".join(told(world.loop.last_facts))
        pytest.fail(f"seed {world.seed}: {broken}\n{facts}")
    return world


def test_in_calm_weather_a_tournament_is_played_to_its_last_prize():
    world = lived(World(1, weather=CALM))
    (places,) = world.ends.places.values()
    assert sorted(placing.place for placing in places) == [1, 2, 3, 4]
    assert sum(placing.prize_cents for placing in places) == 4_000


@pytest.mark.parametrize("seed", SEEDS)
def test_in_any_weather_every_law_holds_and_everything_ends(seed: int):
    lived(World(seed))


@pytest.mark.parametrize("seed", SEEDS[:10])
def test_two_tournaments_at_once_share_players_and_keep_every_law(seed: int):
    ends = lived(World(seed, "double")).ends
    assert len({*ends.places, *ends.cancelled}) == 2


@pytest.mark.parametrize("seed", SEEDS[:10])
def test_stages_and_satellites_in_any_weather_keep_every_law(seed: int):
    """BH-SHOOTOUT, BH-SATELLITE."""
    ends = lived(World(seed, "staged")).ends
    assert len({*ends.places, *ends.cancelled}) == 1


@pytest.mark.parametrize("past", past_failures(), ids=lambda past: f"{past.seed}: {past.what}")
def test_what_once_broke_a_law_breaks_it_without_its_guard_only(past):
    lived(World(past.seed, past.size))
    with without(GUARD_NAMED[past.guard]), pytest.raises(Broken):
        World(past.seed, past.size).play()


def test_every_kind_of_trouble_strikes_some_of_these_worlds():
    weathers = [drawn(Random(f"{seed}/weather")) for seed in SEEDS]
    struck = {accident for weather in weathers for accident in weather.accidents}
    assert struck == {*ACCIDENTS}
    for fault in MOST.__struct_fields__:
        chances = [getattr(weather.faults, fault) for weather in weathers]
        assert any(chances), f"{fault} never happens"
        assert not all(chances), f"{fault} hides whatever shows only without it"


def test_a_whole_tournament_survives_everything_at_once():
    everything = Weather(MOST, ACCIDENTS, pause_s=0.5, skew_ms=900, shuffle=True, leased=True)
    world = lived(World(3, "whole", everything))
    assert world.laws.play.hands_played > 20
    assert all(verdict.true for verdict in judge(copies_of(world)))


def test_these_worlds_see_every_kind_of_fact():
    """A law about what never happens would be kept by anything."""
    worlds = [World(seed) for seed in SEEDS[:40]] + [World(seed, "series") for seed in SEEDS[:5]]
    seen = {tag for world in worlds for tag in tags_of(lived(world))}
    new = {tag for tag, known in REGISTRY.items() if newest_type(known.type) is known.type}
    assert new - seen <= NOT_ALWAYS_PLAYED | NOBODYS_BUSINESS


def tags_of(world: World) -> set[str]:
    return {
        decode_type(event).type
        for disk in world.disks.values()
        for row in disk.rows
        for event in decode(row.data).events
    }


@pytest.mark.parametrize(
    ("text", "why"),
    [
        ("version 1\n7 small x\n", "'version 1', but this simulation plays version 3"),
        ("", "'an empty file', but this simulation plays version 3"),
        ("version 3\nseven small x\n", "line 2: not a seed and a size: 'seven small x'"),
        ("version 3\n7 huge x\n", "line 2: not a seed and a size: '7 huge x'"),
    ],
)
def test_seeds_of_another_simulation_are_refused_with_one_line(tmp_path, text, why):
    path = tmp_path / "seeds.txt"
    path.write_text(text)
    with pytest.raises(UnusableSeeds, match=why):
        past_failures(path)
