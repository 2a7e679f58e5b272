"""The pulse of a line: which gaps are outages, what is credited first, and when timers may fire."""

import asyncio

import pytest

from shared.runtime.gate import Gate
from shared.runtime.health import Health
from shared.runtime.ports import CLOCK_OFF_MS, Alive, Line, StoreUnavailable
from shared.runtime.pulse import GAP_MS, PULSE_OF_ANOTHER_MS, Pulse, off_by
from shared.runtime.reach import REACHED_MS, Reached
from tests.core.runtime.clock import StandingClock

LINE = Line("table", 0)
START = 1_800_000_000_000


class Stored:
    """What the store keeps of the pulse, as the port promises it."""

    def __init__(self, clock: StandingClock) -> None:
        self.clock = clock
        self.at_ms = 0
        self.ahead_ms = 0
        self.away = False

    async def beat(self, at_ms: int, since_ms: int) -> Alive:
        if self.away:
            raise StoreUnavailable("away")
        before = Alive(self.at_ms, self.clock.ms + self.ahead_ms)
        if since_ms <= before.at_ms < at_ms <= before.store_ms + CLOCK_OFF_MS:
            self.at_ms = at_ms
        return before


class World:
    """One owner's pulse, beaten by hand, and all that it depends on."""

    def __init__(self, stored: Stored | None = None) -> None:
        self.clock = stored.clock if stored else StandingClock(START)
        self.stored = stored or Stored(self.clock)
        self.health = Health(self.clock)
        self.gate = Gate()
        self.reached_ms: int | None = None
        self.silent_until_ms = 0
        self.credits: list[tuple[int, int]] = []
        self.stored_then: list[int] = []
        self.steady_then: list[bool] = []
        self.pulse = Pulse(
            LINE, self.credit, self.stored, self.clock, self.health, self.gate, self.reached
        )
        self.pulse.begin()

    async def credit(self, down_ms: int, up_ms: int) -> None:
        self.stored_then.append(self.stored.at_ms)
        self.steady_then.append(self.pulse.steady())
        self.credits.append((down_ms, up_ms))

    def reached(self) -> Reached:
        until_ms = self.clock.ms if self.reached_ms is None else self.reached_ms
        return Reached(self.silent_until_ms, until_ms)

    async def beat(self, after_ms: int = 1_000) -> None:
        self.clock.ms += after_ms
        await self.pulse._beat()

    async def lived(self) -> "World":
        """Two beats of a quiet life."""
        await self.beat()
        await self.beat()
        assert self.pulse.steady()
        return self


@pytest.fixture
async def world() -> World:
    return await World().lived()


async def test_the_first_owner_ever_credits_nothing_and_writes_that_it_lives():
    world = World()
    assert not world.pulse.steady()
    await world.beat()
    assert world.credits == []
    assert world.stored.at_ms == world.clock.ms
    assert world.pulse.steady()


async def test_before_all_was_taken_up_nothing_is_written_and_no_timer_fires(world):
    successor = World(world.stored)
    successor.pulse = Pulse(
        LINE, successor.credit, world.stored, world.clock, world.health, Gate(), world.reached
    )
    before = world.stored.at_ms
    await successor.beat()
    assert (world.stored.at_ms, successor.credits) == (before, [])
    assert not successor.pulse.steady()


@pytest.mark.parametrize("gap_ms", [1, 700, 5_000, 3_600_000])
async def test_a_successor_credits_every_gap_before_it_writes_and_before_timers_fire(world, gap_ms):
    successor = World(world.stored)
    down_ms = world.stored.at_ms
    await successor.beat(gap_ms)
    assert successor.credits == [(down_ms, down_ms + gap_ms)]
    assert successor.stored_then == [down_ms]
    assert successor.steady_then == [False]
    assert world.stored.at_ms == world.clock.ms
    assert successor.pulse.steady()


@pytest.mark.parametrize(("gap_ms", "outages"), [(GAP_MS, 0), (GAP_MS + 1, 1)])
async def test_in_a_life_only_what_is_more_than_slow_is_an_outage(world, gap_ms, outages):
    await world.beat(gap_ms)
    assert len(world.credits) == outages
    assert world.pulse.steady()


async def test_a_silence_that_no_beat_fell_into_is_an_outage_all_the_same(world):
    down_ms = world.clock.ms
    world.reached_ms = down_ms
    await world.beat(REACHED_MS)
    assert world.stored.at_ms == down_ms
    world.clock.ms = world.reached_ms = world.silent_until_ms = down_ms + GAP_MS - 2
    assert not world.pulse.steady()
    await world.beat(1)
    assert world.credits == [(down_ms, world.clock.ms)]
    assert world.pulse.steady()
    await world.beat(0)
    assert len(world.credits) == 1


async def test_a_frozen_owner_fires_nothing_when_it_wakes_until_the_outage_is_credited(world):
    down_ms = world.stored.at_ms
    world.clock.ms += GAP_MS + 1
    assert not world.pulse.steady()
    await world.beat(0)
    assert world.credits == [(down_ms, world.clock.ms)]
    assert world.pulse.steady()


async def test_a_frozen_owner_whose_line_was_looked_after_credits_nothing(world):
    other = World(world.stored)
    for _ in range(5):
        await other.beat()
    assert len(other.credits) == 1
    assert not world.pulse.steady()
    await world.beat(0)
    assert world.credits == []
    assert world.pulse.steady()


async def test_a_store_that_was_away_is_said_and_credited_and_held_timers_back(world):
    down_ms = world.stored.at_ms
    world.stored.away = True
    await world.beat()
    assert not world.pulse.steady()
    assert "away" in world.health.reasons()["store table-0"]
    await world.beat()
    world.stored.away = False
    await world.beat(0)
    assert world.credits == [(down_ms, world.clock.ms)]
    assert world.pulse.steady()
    assert world.health.ready


async def test_one_try_that_failed_is_no_outage(world):
    world.stored.away = True
    await world.beat()
    world.stored.away = False
    await world.beat(PULSE_OF_ANOTHER_MS - 1_000)
    assert world.credits == []
    assert world.pulse.steady()


async def test_a_shut_gate_holds_timers_at_once_and_what_it_took_is_credited(world):
    down_ms = world.stored.at_ms
    world.gate.let("nats", through=False)
    assert not world.pulse.steady()
    for _ in range(4):
        await world.beat()
    assert world.stored.at_ms == down_ms
    world.gate.let("nats", through=True)
    assert not world.pulse.steady()
    await world.beat(0)
    assert world.credits == [(down_ms, world.clock.ms)]


async def test_what_no_gateway_reaches_is_down_since_it_was_reached_last(world):
    world.reached_ms = world.clock.ms
    await world.beat(REACHED_MS)
    assert world.pulse.steady()
    assert world.stored.at_ms == world.reached_ms
    world.clock.ms += 1
    assert not world.pulse.steady()
    await world.beat(3_000)
    down_ms, world.reached_ms = world.reached_ms, None
    await world.beat(0)
    assert world.credits == [(down_ms, world.clock.ms)]


async def test_an_outage_goes_on_from_one_engine_to_the_next(world):
    """The store is back, but by then no gateway is heard any more: nobody could act yet."""
    down_ms = world.stored.at_ms
    world.stored.away = True
    await world.beat()
    world.reached_ms = world.clock.ms + 200
    world.stored.away = False
    await world.beat()
    assert world.stored.at_ms == down_ms
    assert (world.credits, world.pulse.steady()) == ([], False)
    world.reached_ms = None
    await world.beat(600)
    assert world.credits == [(down_ms, world.clock.ms)]
    assert world.pulse.steady()


async def test_a_clock_runs_out_only_once_a_gateway_was_heard_at_its_end(world):
    world.reached_ms = world.clock.ms
    ends_ms = world.clock.ms + 1
    world.clock.ms += 600
    assert world.pulse.steady()
    assert world.pulse.steady(ends_ms - 1)
    assert not world.pulse.steady(ends_ms)
    world.reached_ms = world.clock.ms
    assert world.pulse.steady(ends_ms)


async def test_a_credit_that_breaks_off_is_given_again_by_whoever_comes_next(world):
    async def breaks_off(down_ms: int, up_ms: int) -> None:
        raise StoreUnavailable("in the middle of it")

    down_ms = world.stored.at_ms
    world.pulse._credit = breaks_off
    await world.beat(10_000)
    assert world.stored.at_ms == down_ms
    assert not world.pulse.steady()
    successor = World(world.stored)
    await successor.beat()
    assert successor.credits == [(down_ms, world.clock.ms)]


async def test_an_outage_that_begins_while_one_is_credited_is_not_written_off(world):
    async def gate_shuts(down_ms: int, up_ms: int) -> None:
        world.gate.let("nats", through=False)

    down_ms = world.stored.at_ms
    world.pulse._credit = gate_shuts
    await world.beat(10_000)
    assert world.stored.at_ms == down_ms
    assert "clocks table-0" in world.health.reasons()


async def test_who_goes_in_good_order_leaves_no_gap_but_the_way_to_its_successor(world):
    await world.beat()
    world.clock.ms += 900
    world.gate.let("leases", through=False)
    await world.pulse.finish()
    assert world.stored.at_ms == world.clock.ms
    assert not world.pulse.steady()
    await world.beat()
    assert world.stored.at_ms == world.clock.ms - 1_000
    successor = World(world.stored)
    await successor.beat(0)
    assert successor.credits == [(world.clock.ms - 1_000, world.clock.ms)]


async def test_who_goes_during_an_outage_does_not_write_it_off(world):
    down_ms = world.stored.at_ms
    world.gate.let("nats", through=False)
    for _ in range(4):
        await world.beat()
    await world.pulse.finish()
    assert down_ms <= world.stored.at_ms <= down_ms + 1_000


@pytest.mark.parametrize("ahead_ms", [CLOCK_OFF_MS + 1, -CLOCK_OFF_MS - 1, 60_000, -60_000])
async def test_a_clock_that_is_off_is_said_and_nothing_is_fired_or_written_by_it(world, ahead_ms):
    before = world.stored.at_ms
    world.stored.ahead_ms = ahead_ms
    for _ in range(3):
        await world.beat()
        assert not world.pulse.steady()
    assert f"{abs(ahead_ms)} ms off" in world.health.reasons()["clock table-0"]
    assert world.stored.at_ms <= before + 1_000
    world.stored.ahead_ms = 0
    await world.beat()
    await world.beat()
    assert world.pulse.steady()
    assert world.health.ready


@pytest.mark.parametrize(
    ("asked", "answered", "off"),
    [(100, 100, 0), (50, 100, 0), (101, 105, 1), (90, 99, 1), (0, 10, 90), (150, 160, 50)],
)
def test_only_what_no_round_trip_explains_is_a_clock_that_is_off(asked, answered, off):
    assert off_by(100, asked, answered) == off


async def test_it_beats_by_itself(world):
    running = asyncio.create_task(world.pulse.run())
    before = world.stored.at_ms
    for _ in range(20):
        await asyncio.sleep(0)
    running.cancel()
    assert world.stored.at_ms > before + 2_000
    assert world.credits == []
