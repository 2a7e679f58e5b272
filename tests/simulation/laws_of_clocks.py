"""The laws of time: nothing is over before its time, and no outage is given back twice."""

from collections.abc import Callable
from typing import Any

import msgspec

from services.cli.verdicts.history import Fact
from shared.contracts import director, hand as hands
from shared.contracts.commit import moment_ms
from shared.contracts.table import HandVoided

TOO_SOON = "the clock acts when time is up"
GIVEN_BACK = "what an outage took is given back once"


class Clock(msgspec.Struct, frozen=True):
    """A clock that runs: of which decision or level, until when, and what was given back to it."""

    of: int
    ends_ms: int
    credited: tuple[tuple[int, int], ...] = ()


class ClockLaws:
    """The clocks that run: one per table, for its turn or choice, and one per tournament."""

    def __init__(self, broken: Callable[[str, str], None]) -> None:
        self._broken = broken
        self._clocks: dict[str, Clock] = {}
        self._paused_ms: dict[str, int] = {}
        self._handlers: dict[type[Any], Callable[[Fact, int], None]] = {
            hands.TurnStarted: self._decision,
            hands.ChoiceStarted: self._decision,
            hands.TimeBankStarted: self._time_bank,
            hands.ClockExtended: self._turn_extended,
            hands.PlayerFolded: self._acted,
            hands.PlayerChecked: self._acted,
            hands.PlayerCalled: self._acted,
            hands.PlayerRaised: self._acted,
            hands.HandMucked: self._acted,
            hands.OpeningAwaited: self._acted,
            director.LevelBegan: self._level,
            director.ClockExtended: self._level_extended,
            director.TournamentPaused: self._paused,
            director.TournamentResumed: self._resumed,
            HandVoided: self._acted,
        }

    def see(self, fact: Fact, at: str) -> None:
        """Check one event against the clock that it is about."""
        handler = self._handlers.get(type(fact.event))
        if handler is not None:
            handler(fact, moment_ms(at))

    def _decision(self, fact: Fact, _at_ms: int) -> None:
        self._clocks[fact.stream] = Clock(fact.event.decision, fact.event.act_by_ms)

    def _time_bank(self, fact: Fact, at_ms: int) -> None:
        """The bank begins when the time to act is over, and is the same decision."""
        clock = self._clocks.get(fact.stream)
        self._is_up(fact, clock, at_ms)
        if clock is None or clock.of != fact.event.decision:
            self._broken(TOO_SOON, f"{fact.where}: {fact.event} for {clock}")
        else:
            later = msgspec.structs.replace(clock, ends_ms=fact.event.act_by_ms)
            self._clocks[fact.stream] = later

    def _acted(self, fact: Fact, at_ms: int) -> None:
        """The clock acts for nobody whose time is not up."""
        clock = self._clocks.pop(fact.stream, None)
        if getattr(fact.event, "auto", "") == "clock":
            self._is_up(fact, clock, at_ms)

    def _level(self, fact: Fact, at_ms: int) -> None:
        """A level that ends by time lasts its time."""
        clock = self._clocks.pop(fact.stream, None)
        if clock is not None:
            self._is_up(fact, clock, at_ms)
        if fact.event.ends_at_ms is not None:
            self._clocks[fact.stream] = Clock(fact.event.number, fact.event.ends_at_ms)

    def _paused(self, fact: Fact, _at_ms: int) -> None:
        self._paused_ms[fact.stream] = fact.event.at_ms

    def _resumed(self, fact: Fact, _at_ms: int) -> None:
        """A level lasts as much longer as it stood still, less what was given back already."""
        stood = self._paused_ms.pop(fact.stream), fact.event.at_ms
        clock, ends_ms = self._clocks.get(fact.stream), fact.event.ends_at_ms
        if clock is None:
            return
        if stood[0] == stood[1] and ends_ms == clock.ends_ms:
            return
        if ends_ms is None or not 0 <= ends_ms - clock.ends_ms <= stood[1] - stood[0]:
            self._broken(GIVEN_BACK, f"{fact.where}: {fact.event} for {clock}, {stood}")
        else:
            credited = (*clock.credited, stood)
            self._clocks[fact.stream] = Clock(clock.of, ends_ms, credited)

    def _is_up(self, fact: Fact, clock: Clock | None, at_ms: int) -> None:
        if clock is None or at_ms < clock.ends_ms:
            self._broken(TOO_SOON, f"{fact.where} at {at_ms}: {clock}")

    def _turn_extended(self, fact: Fact, at_ms: int) -> None:
        self._extended(fact, fact.event.decision, fact.event.act_by_ms, at_ms)

    def _level_extended(self, fact: Fact, at_ms: int) -> None:
        self._extended(fact, fact.event.level_number, fact.event.ends_at_ms, at_ms)

    def _extended(self, fact: Fact, of: int, ends_ms: int, at_ms: int) -> None:
        """A credit is past time, no longer than its outage, and overlaps no other of its clock."""
        clock, given = self._clocks.get(fact.stream), fact.event
        if (
            clock is None
            or clock.of != of
            or not 0 < given.by_ms <= given.up_at_ms - given.down_from_ms
            or given.up_at_ms > at_ms
            or ends_ms != clock.ends_ms + given.by_ms
            or any(a < given.up_at_ms and given.down_from_ms < b for a, b in clock.credited)
        ):
            self._broken(GIVEN_BACK, f"{fact.where}: {given} for {clock}")
        else:
            credited = (*clock.credited, (given.down_from_ms, given.up_at_ms))
            self._clocks[fact.stream] = Clock(of, ends_ms, credited)
