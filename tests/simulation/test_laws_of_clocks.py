"""The laws of time see what breaks them."""

import pytest

from services.cli.verdicts.history import Fact
from shared.contracts import director
from shared.contracts.commit import moment
from shared.contracts.hand import (
    ChoiceStarted,
    ClockExtended,
    HandMucked,
    PlayerChecked,
    TimeBankStarted,
    TurnStarted,
)
from shared.runtime.ports import Line
from tests.simulation.laws_of_clocks import GIVEN_BACK, TOO_SOON, ClockLaws

TURN = TurnStarted(
    seat=3, decision=4, act_by_ms=1_000, call_chips=0, min_raise_to=0, max_raise_to=0
)
CHOICE = ChoiceStarted(seat=3, decision=4, act_by_ms=1_000)
BANK = TimeBankStarted(seat=3, decision=4, act_by_ms=1_500, left_ms=500)
BY_CLOCK = PlayerChecked(seat=3, auto="clock")
BY_PLAYER = PlayerChecked(seat=3)
MUCKED = HandMucked(seat=3, auto="clock")


def extended(down, up, act_by, *, by=None, decision=4):
    return ClockExtended(
        seat=3,
        decision=decision,
        down_from_ms=down,
        up_at_ms=up,
        by_ms=up - down if by is None else by,
        act_by_ms=act_by,
    )


def level(number, ends):
    blinds = director.Level(1, 2)
    return director.LevelBegan(tournament="trn", number=number, level=blinds, ends_at_ms=ends)


def level_extended(down, up, ends):
    return director.ClockExtended(
        tournament="trn",
        level_number=1,
        down_from_ms=down,
        up_at_ms=up,
        by_ms=up - down,
        ends_at_ms=ends,
    )


def breaches(*events):
    """What is broken by these events, each with its moment."""
    seen = []
    laws = ClockLaws(lambda law, _: seen.append(law))
    for number, (at_ms, event) in enumerate(events, 1):
        laws.see(Fact(Line("table", 0), number, "tbl", number, event), moment(at_ms))
    return seen


@pytest.mark.parametrize(
    "events",
    [
        [(0, TURN), (1_000, BY_CLOCK)],
        [(0, TURN), (10, BY_PLAYER)],
        [(0, CHOICE), (1_000, MUCKED)],
        [(0, TURN), (1_000, BANK), (1_500, BY_CLOCK)],
        [(0, TURN), (700, extended(200, 700, 1_500)), (1_500, BY_CLOCK)],
        [(0, TURN), (700, extended(600, 700, 1_100)), (800, extended(200, 600, 1_500))],
        [(0, TURN), (1_000, BANK), (1_400, extended(1_100, 1_300, 1_700)), (1_700, BY_CLOCK)],
        [(0, level(1, 900)), (900, level(2, None)), (900, level(3, None))],
        [(0, level(1, 900)), (500, level_extended(300, 500, 1_100)), (1_100, level(2, 3_000))],
    ],
)
def test_what_is_as_it_should_be_breaks_nothing(events):
    assert breaches(*events) == []


@pytest.mark.parametrize(
    ("events", "law"),
    [
        ([(0, TURN), (999, BY_CLOCK)], TOO_SOON),
        ([(0, BY_CLOCK)], TOO_SOON),
        ([(0, CHOICE), (999, MUCKED)], TOO_SOON),
        ([(0, TURN), (999, BANK)], TOO_SOON),
        ([(0, TURN), (1_000, BANK), (1_499, BY_CLOCK)], TOO_SOON),
        ([(0, TURN), (700, extended(200, 700, 1_500)), (1_499, BY_CLOCK)], TOO_SOON),
        ([(0, level(1, 900)), (899, level(2, None))], TOO_SOON),
        (
            [(0, level(1, 900)), (500, level_extended(300, 500, 1_100)), (900, level(2, 1))],
            TOO_SOON,
        ),
        ([(700, extended(200, 700, 1_500))], GIVEN_BACK),
        ([(0, TURN), (700, extended(200, 700, 1_500, decision=3))], GIVEN_BACK),
        ([(0, TURN), (700, extended(200, 700, 1_501, by=501))], GIVEN_BACK),
        ([(0, TURN), (700, extended(200, 700, 1_000, by=0))], GIVEN_BACK),
        ([(0, TURN), (700, extended(200, 700, 1_400))], GIVEN_BACK),
        ([(0, TURN), (600, extended(200, 700, 1_500))], GIVEN_BACK),
        ([(0, TURN), *[(700, extended(200, 700, to)) for to in (1_500, 2_000)]], GIVEN_BACK),
        (
            [(0, TURN), (700, extended(200, 700, 1_500)), (900, extended(699, 800, 1_601))],
            GIVEN_BACK,
        ),
    ],
)
def test_what_is_too_soon_or_given_twice_is_seen(events, law):
    assert breaches(*events) == [law]
