"""Timers in memory: each due one once, replaced ones never, stubborn ones again and again."""

import asyncio

from shared.runtime.alarms import AGAIN_MS, HELD_MS, TOGETHER_MAX, Alarms
from tests.core.runtime.clock import StandingClock, settled

NOW = 1_800_000_000_000


def armed(*rows):
    clock = StandingClock(NOW)
    alarms = Alarms(clock)
    for stream, timers in rows:
        alarms.arm(stream, timers)
    return alarms, clock


def test_a_timer_is_due_at_its_moment_and_once():
    alarms, clock = armed(("tbl_1", (("act", NOW + 10),)))
    assert alarms.due() == []
    clock.ms += 9
    assert alarms.due() == []
    clock.ms += 1
    assert alarms.due() == [("tbl_1", "act")]
    assert alarms.due() == []


def test_what_was_replaced_or_disarmed_never_fires():
    alarms, clock = armed(
        ("tbl_1", (("act", NOW + 10),)),
        ("tbl_1", (("act", NOW + 20),)),
        ("tbl_2", (("act", NOW + 10),)),
        ("tbl_2", ()),
    )
    clock.ms += 15
    assert alarms.due() == []
    clock.ms += 5
    assert alarms.due() == [("tbl_1", "act")]


def test_a_timer_kept_through_many_commits_fires_once():
    level = ("level", NOW + 1_000)
    rows = [("trn_1", (("act", NOW + number), level)) for number in range(1, 500)]
    alarms, clock = armed(*rows)
    clock.ms += 1_000
    assert sorted(alarms.due()) == [("trn_1", "act"), ("trn_1", "level")]
    assert alarms.due() == []


def test_timers_due_together_are_taken_together_up_to_a_group():
    rows = [(f"tbl_{number}", (("act", NOW),)) for number in range(TOGETHER_MAX + 5)]
    alarms, _ = armed(*rows)
    assert len(alarms.due()) == TOGETHER_MAX
    assert len(alarms.due()) == 5


def test_one_that_may_not_fire_yet_is_asked_about_soon_by_its_own_moment_and_holds_up_no_other():
    alarms, clock = armed(("tbl_1", (("act", NOW),)), ("tbl_2", (("act", NOW + 1),)))
    asked: list[tuple[str, int]] = []

    def not_the_first(stream: str, due_ms: int) -> bool:
        asked.append((stream, due_ms))
        return stream != "tbl_1"

    clock.ms += 1
    assert alarms.due(not_the_first) == [("tbl_2", "act")]
    assert alarms.due(not_the_first) == []
    clock.ms += HELD_MS
    assert alarms.due(not_the_first) == []
    assert asked == [("tbl_1", NOW), ("tbl_2", NOW + 1), ("tbl_1", NOW)]
    clock.ms += HELD_MS
    assert alarms.due() == [("tbl_1", "act")]


async def test_what_is_due_together_is_fired_together_and_stubborn_timers_again():
    alarms, clock = armed(*[(f"tbl_{number}", (("act", NOW),)) for number in range(10)])
    waiting: list[str] = []
    fired: list[str] = []
    all_there = asyncio.Event()

    async def fire(stream, name):
        waiting.append(stream)
        if len(waiting) == 10:
            all_there.set()
        await all_there.wait()
        fired.append(stream)
        if stream != "tbl_7":
            alarms.arm(stream, ())

    running = asyncio.create_task(alarms.run(fire))
    await asyncio.wait_for(all_there.wait(), 5)
    await settled(lambda: len(fired) == 10)
    await asyncio.sleep(0.01)  # The alarms note which of them are still armed.
    clock.ms += AGAIN_MS
    alarms.arm("tbl_9", (("act", clock.ms),))  # Wakes the alarms, which sleep by real time.
    await settled(lambda: len(fired) == 12)
    running.cancel()
    assert sorted(fired[10:]) == ["tbl_7", "tbl_9"]
