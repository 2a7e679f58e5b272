"""Tasks are restarted, counted and said; health says why, since when, and takes it back."""

import asyncio

from shared.runtime.health import Health
from shared.runtime.supervisor import FALLEN_MS, LineStopped, Supervisor
from tests.core.runtime.clock import StandingClock, settled


def supervised():
    clock = StandingClock()
    health = Health(clock)
    return clock, health, Supervisor(clock, health)


async def test_a_task_that_falls_is_started_again_and_visible_for_a_while():
    clock, health, supervisor = supervised()
    starts = []

    async def work() -> None:
        starts.append(clock.ms)
        if len(starts) < 3:
            raise ValueError("no")
        await asyncio.Event().wait()

    supervisor.start("decide x-0", work)
    await settled(lambda: len(starts) == 3)
    assert "fell: ValueError('no')" in health.reasons()["decide x-0"]
    assert starts[2] - starts[1] > starts[1] - starts[0] > 0
    clock.ms += FALLEN_MS
    assert health.ready
    await supervisor.close()


async def test_a_stopped_line_stays_stopped_and_unready():
    clock, health, supervisor = supervised()
    starts = []

    async def work() -> None:
        starts.append(1)
        raise LineStopped("look here")

    supervisor.start("relay x-0", work)
    await settled(lambda: not health.ready)
    clock.ms += 10 * FALLEN_MS
    await asyncio.sleep(0.01)
    assert starts == [1]
    assert health.reasons() == {"relay x-0": "stopped: look here (for 60.0 s)"}
    await supervisor.close()


async def test_a_task_that_swallows_its_cancellation_is_cancelled_again():
    _, _, supervisor = supervised()
    swallowed = []

    async def work() -> None:
        while True:
            try:
                await asyncio.Event().wait()
            except asyncio.CancelledError:
                if swallowed:
                    raise
                swallowed.append(1)

    supervisor.start("relay x-0", work)
    await asyncio.sleep(0)
    await asyncio.wait_for(supervisor.close(), 5)
    assert swallowed == [1]


def test_health_keeps_the_first_moment_and_each_reason_apart():
    clock, health, _ = supervised()
    health.wrong("a", "first")
    clock.ms += 1_500
    health.wrong("a", "second")
    health.wrong("b", "other", lasts_ms=1_000)
    assert health.reasons() == {"a": "second (for 1.5 s)", "b": "other (for 0.0 s)"}
    health.right("a")
    assert not health.ready
    clock.ms += 1_000
    assert health.ready
