"""The clock of a counter: it runs out, but nobody pays for an outage."""

from typing import Any, final

from shared.contracts.message import Command, Event, OutageOver, TimerFired


@final
class StartClock(Command, frozen=True, tag="counter.start-clock.v1"):
    lasts_ms: int


@final
class ClockStarted(Event, frozen=True, tag="counter.clock-started.v1"):
    began_ms: int
    due_ms: int


@final
class ClockExtended(Event, frozen=True, tag="counter.clock-extended.v1"):
    from_ms: int
    to_ms: int
    due_ms: int


@final
class ClockRanOut(Event, frozen=True, tag="counter.clock-ran-out.v1"):
    due_ms: int


def clock_moved(
    clock: ClockStarted | None, credited_ms: int, command: Any, at_ms: int
) -> tuple[Event, ...]:
    match command:
        case StartClock(lasts_ms=lasts_ms):
            return (ClockStarted(began_ms=at_ms, due_ms=at_ms + lasts_ms),)
        case TimerFired() if clock and at_ms >= clock.due_ms:
            return (ClockRanOut(due_ms=clock.due_ms),)
        case OutageOver(down_from_ms=down_ms, up_at_ms=up_ms) if clock:
            from_ms = max(down_ms, clock.began_ms, credited_ms)
            if from_ms < up_ms:
                due_ms = clock.due_ms + up_ms - from_ms
                return (ClockExtended(from_ms=from_ms, to_ms=up_ms, due_ms=due_ms),)
    return ()
