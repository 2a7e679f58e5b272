"""Leases: who gets which line, and when a process must stop, on a registry in memory."""

import asyncio
from collections import Counter

import pytest
from hypothesis import given, strategies as st
from prometheus_client import REGISTRY

from shared.runtime.gate import Gate
from shared.runtime.health import Health
from shared.runtime.leases import AGAIN_SECONDS, TICKS_PER_TTL, Leases, owner_of
from shared.runtime.ports import BrokerUnavailable, LeaseTaken, Line
from tests.core.runtime.clock import StandingClock, settled

LINES = [Line("table", number) for number in range(64)]
TTL_S = 3
MEMBERS = st.sets(st.text("abcdefgh-0123456789", min_size=1, max_size=8), min_size=1, max_size=6)


@given(members=MEMBERS, newcomer=st.just("newcomer"))
def test_who_comes_takes_lines_and_moves_no_others(members, newcomer):
    for line in LINES:
        before, after = owner_of(line, members), owner_of(line, {*members, newcomer})
        assert after in (before, newcomer)


def test_every_member_finds_the_same_owner_whatever_the_order():
    members = ["pod-c", "pod-a", "pod-b"]
    for line in LINES:
        assert owner_of(line, members) == owner_of(line, sorted(members)) in members


def test_lines_are_shared_out_alike_by_every_build():
    counts = Counter(owner_of(line, ["pod-a", "pod-b", "pod-c"]) for line in LINES)
    assert counts == {"pod-a": 21, "pod-b": 21, "pod-c": 22}


class Registry:
    """The `Registry` port in memory; others write into it as they like."""

    me = "us"

    def __init__(self) -> None:
        self.there = {"us"}
        self.held: dict[Line, str] = {}
        self.reachable = True
        self.renewing: set[Line] = set()
        self.paused_s = 0.0
        self.turn = asyncio.Event()

    def reach(self) -> None:
        if not self.reachable:
            raise BrokerUnavailable("away")

    async def open(self, deployment) -> None:
        raise NotImplementedError

    async def announce(self) -> None:
        self.reach()
        self.there.add(self.me)

    async def members(self) -> tuple[str, ...]:
        self.reach()
        return tuple(self.there)

    async def hold(self, line: Line, revision: int) -> int:
        self.reach()
        if revision:
            self.renewing.add(line)
        if self.held.setdefault(line, self.me) != self.me:
            raise LeaseTaken(self.held[line])
        return revision + 1

    async def release(self, line: Line, revision: int) -> None:
        self.reach()
        del self.held[line]

    async def leave(self) -> None:
        self.reach()
        self.there.discard(self.me)

    async def changed(self, seconds: float) -> None:
        self.paused_s = seconds
        await self.turn.wait()
        self.turn.clear()


class Work:
    """Keeps what it was told, with the leases as they were then."""

    def __init__(self, registry: Registry) -> None:
        self.registry = registry
        self.told: list[tuple[str, Line, str | None]] = []
        self.now: set[Line] = set()

    async def take(self, line: Line) -> None:
        self.now.add(line)
        self.told.append(("take", line, self.registry.held.get(line)))

    async def give(self, line: Line) -> None:
        self.now.remove(line)
        self.told.append(("give", line, self.registry.held.get(line)))

    async def drop(self, line: Line) -> None:
        self.now.remove(line)
        self.told.append(("drop", line, self.registry.held.get(line)))


class Process:
    """Leases with all that they work on."""

    def __init__(self) -> None:
        self.clock = StandingClock()
        self.registry = Registry()
        self.work = Work(self.registry)
        self.gate = Gate()
        self.health = Health(self.clock)
        self.store_is_back = asyncio.Event()
        self.leases = Leases(
            self.registry,
            LINES,
            self.work,
            self.gate,
            self.clock,
            self.health,
            TTL_S,
            self.store_is_back.wait,
        )

    async def tick(self) -> None:
        self.registry.turn.set()
        await settled(lambda: not self.registry.turn.is_set())
        for _ in range(1_000):
            await asyncio.sleep(0)


@pytest.fixture
async def process():
    process = Process()
    running = asyncio.create_task(process.leases.run())
    await settled(lambda: len(process.work.now) == len(LINES))
    yield process
    running.cancel()


def ours(*members: str) -> set[Line]:
    return {line for line in LINES if owner_of(line, {"us", *members}) == "us"}


async def test_alone_it_works_on_every_line(process):
    assert process.work.now == set(LINES)
    assert process.health.ready
    assert all(process.leases.fresh(line) for line in LINES)


async def test_a_newcomer_gets_its_share_given_back_after_the_work_has_ended(process):
    process.registry.there.add("other")
    await process.tick()
    assert process.work.now == ours("other") != set(LINES)
    assert set(process.registry.held) == ours("other")
    gave = [held for what, _, held in process.work.told if what == "give"]
    assert gave
    assert set(gave) == {"us"}


async def test_a_share_that_another_still_holds_is_waited_for_in_sight(process):
    process.registry.held = dict.fromkeys(LINES, "other")
    await process.tick()
    assert process.work.now == set()
    assert "held by other" in process.health.reasons()["lease table-0"]
    process.registry.held.clear()
    await process.tick()
    assert process.work.now == set(LINES)
    assert process.health.ready


async def test_a_lease_whose_holder_is_gone_is_looked_after_again_soon(process):
    assert process.registry.paused_s == TTL_S / TICKS_PER_TTL
    process.registry.there.add("other")
    process.registry.held = dict.fromkeys(LINES, "other")
    await process.tick()
    assert process.registry.paused_s == TTL_S / TICKS_PER_TTL
    process.registry.there.remove("other")
    await process.tick()
    assert process.registry.paused_s == AGAIN_SECONDS
    process.registry.held.clear()
    await process.tick()
    assert process.work.now == set(LINES)
    assert process.registry.paused_s == TTL_S / TICKS_PER_TTL


async def test_what_is_held_is_renewed_in_one_go_with_the_name(process):
    """Then it runs out in one go too, and a successor waits for nothing after the name."""
    process.registry.renewing.clear()

    async def announce() -> None:
        await settled(lambda: process.registry.renewing == set(LINES))

    process.registry.announce = announce
    await process.tick()
    assert process.registry.renewing == set(LINES)


async def test_metrics_count_the_lines_that_are_held_and_those_that_were_lost(process):
    def lost() -> float:
        found = REGISTRY.get_sample_value("rollforward_leases_lost_total", {"line": str(LINES[3])})
        return found or 0

    assert REGISTRY.get_sample_value("rollforward_leases_held") == len(LINES)
    before = lost()
    process.registry.held[LINES[3]] = "other"
    process.clock.ms += 1_000
    await process.tick()
    assert lost() == before + 1
    assert REGISTRY.get_sample_value("rollforward_leases_held") == len(LINES) - 1
    renewed = REGISTRY.get_sample_value("rollforward_leases_renewed_seconds")
    assert renewed == process.clock.ms / 1000
    process.registry.reachable = False
    process.clock.ms += 1_000
    await process.tick()
    assert REGISTRY.get_sample_value("rollforward_leases_renewed_seconds") == renewed


async def test_a_lost_lease_stops_its_line_at_once_and_no_other(process):
    process.registry.held[LINES[3]] = "other"
    await process.tick()
    assert process.work.told[-1] == ("drop", LINES[3], "other")
    assert process.work.now == set(LINES[:3] + LINES[4:])


async def test_who_cannot_renew_works_on_for_the_life_of_the_leases_and_fires_no_timer(process):
    process.registry.reachable = False
    process.clock.ms += TTL_S * 1000 - 1
    await process.tick()
    assert process.work.now == set(LINES)
    assert not process.gate.is_open
    assert "away" in process.health.reasons()["leases"]
    process.clock.ms += 1
    assert not any(process.leases.fresh(line) for line in LINES)
    await process.tick()
    assert process.work.now == set()
    process.registry.reachable = True
    await process.tick()
    assert process.work.now == set(LINES)
    assert process.gate.is_open


async def test_who_wakes_late_is_not_fresh_before_it_has_looked(process):
    process.clock.ms += TTL_S * 1000
    assert not any(process.leases.fresh(line) for line in LINES)
    await process.tick()
    assert all(process.leases.fresh(line) for line in LINES)


async def test_who_leaves_is_gone_before_it_gives_anything_back(process):
    await process.leases.close()
    assert process.registry.there == set()
    assert process.registry.held == {}
    assert process.work.now == set()
    assert process.work.told[-1][0] == "give"


async def test_who_alone_is_cut_off_from_the_store_leaves_to_others_until_it_is_back(process):
    process.registry.there.add("other")
    await process.tick()
    process.health.wrong("store table-0", "away")
    process.clock.ms += TTL_S * 1000 - 1
    await process.tick()
    assert process.work.now == ours("other")
    process.clock.ms += 1
    await process.tick()
    assert process.registry.there == {"other"}
    assert process.registry.held == {}
    assert process.work.now == set()
    assert process.work.told[-1][0] == "drop"
    assert "standing aside" in process.health.reasons()["leases"]
    process.health.right("store table-0")
    process.store_is_back.set()
    await settled(lambda: process.work.now == ours("other"))
    assert process.registry.there == {"us", "other"}
    await settled(lambda: process.health.ready)


async def test_nobody_stands_aside_for_nobody(process):
    process.health.wrong("store table-0", "away")
    process.clock.ms += TTL_S * 10_000
    await process.tick()
    assert process.work.now == set(LINES)
    assert process.registry.there == {"us"}
