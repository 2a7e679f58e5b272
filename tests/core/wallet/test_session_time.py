"""Windows of the calendar, and session time, which counts once (BP-RESPONSIBLE)."""

from datetime import UTC, datetime, timedelta

import pytest
from hypothesis import given, strategies as st
from msgspec.structs import replace

from services.wallet.core import respond
from services.wallet.core.limits.allowance import obstacle_to_deposit, obstacle_to_stake
from services.wallet.core.limits.calendar import window_at
from services.wallet.core.limits.connected import REMEMBERED_MAX, with_stretch
from services.wallet.core.rules import DAY_MS
from shared.contracts.wallet import CountSession
from shared.kernel.outages import Stretch
from tests.core.wallet.given import ANN, named
from tests.core.wallet.limiting import HOUR_MS, NOON, RICH, after, decided, limit, ms, seen, used

SESSION = CountSession(player=ANN, from_ms=NOON - HOUR_MS, to_ms=NOON)


@pytest.mark.parametrize(
    ("at", "window", "first", "end"),
    [
        ("2026-03-10T12:00", "day", "2026-03-10", "2026-03-11"),
        ("2026-03-10T00:00", "day", "2026-03-10", "2026-03-11"),
        ("2026-03-10T12:00", "week", "2026-03-09", "2026-03-16"),
        ("2026-03-15T23:59", "week", "2026-03-09", "2026-03-16"),
        ("2026-03-16T00:00", "week", "2026-03-16", "2026-03-23"),
        ("2026-03-10T12:00", "month", "2026-03-01", "2026-04-01"),
        ("2028-02-29T12:00", "month", "2028-02-01", "2028-03-01"),
        ("2100-02-28T23:59", "month", "2100-02-01", "2100-03-01"),
        ("2026-12-31T23:59", "month", "2026-12-01", "2027-01-01"),
        ("1970-01-01T00:00", "week", "1969-12-29", "1970-01-05"),
    ],
)
def test_windows_of_the_calendar(at, window, first, end):
    assert window_at(window, ms(at)) == (ms(first), ms(end))


@given(st.datetimes(datetime(1900, 1, 1), datetime(2800, 12, 1)))  # noqa: DTZ001
def test_windows_are_those_of_the_standard_library(moment):
    moment = moment.replace(microsecond=0, tzinfo=UTC)
    day = moment.replace(hour=0, minute=0, second=0)
    monday = day - timedelta(days=day.weekday())
    month = day.replace(day=1)
    following = (month + timedelta(days=32)).replace(day=1)
    at_ms = ms(moment.replace(tzinfo=None).isoformat())
    for window, first, end in (
        ("day", day, day + timedelta(days=1)),
        ("week", monday, monday + timedelta(days=7)),
        ("month", month, following),
    ):
        bounds = tuple(ms(bound.replace(tzinfo=None).isoformat()) for bound in (first, end))
        assert window_at(window, at_ms) == bounds


TIME = limit("session", "day", 2 * HOUR_MS)
WATCHED = after(RICH, (TIME, NOON - 6 * HOUR_MS))


def counted_ms(wallet, at_ms=NOON, which=0):
    return seen(wallet, at_ms).limits[which].used


SESSION_ROWS = [
    ("of nobody", replace(SESSION, player="ann"), "player_id_invalid"),
    ("unknown", replace(SESSION, player="ply_cid"), "unknown_account"),
    ("without length", replace(SESSION, to_ms=SESSION.from_ms), "session_invalid"),
    ("backwards", replace(SESSION, to_ms=SESSION.from_ms - 1), "session_invalid"),
    ("longer than a day", replace(SESSION, from_ms=NOON - DAY_MS - 1), "session_invalid"),
    ("in the future", replace(SESSION, to_ms=NOON + 60_001), "session_invalid"),
    ("before all time", replace(SESSION, from_ms=-2, to_ms=-1), "session_invalid"),
    ("nonsense of unknown", replace(SESSION, player="ply_cid", to_ms=0), "session_invalid"),
]


@pytest.mark.parametrize(("when", "why"), named(SESSION_ROWS))
def test_session_time_that_cannot_be(when, why):
    assert decided(WATCHED, when).reason == why


def test_session_time_counts_for_who_has_a_limit_of_it():
    assert decided(WATCHED, SESSION) == (used("session", HOUR_MS, NOON - HOUR_MS),)
    assert decided(RICH, SESSION) == ()
    assert decided(after(RICH, limit("stake", "day", 1)), SESSION) == ()


def test_the_same_minutes_count_once_however_many_gateways_report_them():
    wallet = after(WATCHED, SESSION)
    assert decided(wallet, SESSION) == ()
    wider = replace(SESSION, from_ms=SESSION.from_ms - 10, to_ms=SESSION.to_ms + 20)
    assert decided(wallet, wider) == (
        used("session", 10, SESSION.from_ms - 10),
        used("session", 20, NOON),
    )
    assert counted_ms(after(wallet, wider)) == HOUR_MS + 30


def test_time_before_the_limit_was_set_does_not_count():
    wallet = after(RICH, (TIME, NOON - 60_000))
    assert decided(wallet, SESSION) == (used("session", 60_000, NOON - 60_000),)
    earlier = replace(SESSION, to_ms=NOON - 60_001)
    assert decided(wallet, earlier) == ()


def test_time_counts_for_each_limit_from_its_own_beginning():
    wallet = after(WATCHED, (limit("session", "week", HOUR_MS), NOON - 60_000), SESSION)
    assert (counted_ms(wallet, which=0), counted_ms(wallet, which=1)) == (HOUR_MS, 60_000)


def test_midnight_divides_a_session():
    midnight = NOON + 12 * HOUR_MS
    across = replace(SESSION, from_ms=midnight - 5_000, to_ms=midnight + 3_000)
    wallet = after(WATCHED, (limit("session", "week", HOUR_MS), NOON))
    assert decided(wallet, across, midnight + 3_000) == (
        used("session", 5_000, midnight - 5_000),
        used("session", 3_000, midnight),
    )
    wallet = after(wallet, (across, midnight + 3_000))
    assert counted_ms(wallet, midnight) == 3_000
    assert counted_ms(wallet, midnight, which=1) == 8_000


def test_no_entry_when_the_time_is_up_and_again_on_the_next_day():
    first = replace(SESSION, from_ms=NOON - 2 * HOUR_MS, to_ms=NOON - 1)
    wallet = after(WATCHED, first)
    assert obstacle_to_stake(wallet, ANN, 0, NOON) is None
    wallet = after(wallet, SESSION)
    assert obstacle_to_stake(wallet, ANN, 0, NOON) == "session_limit_reached"
    assert obstacle_to_deposit(wallet, ANN, 1, NOON) is None
    assert obstacle_to_stake(wallet, ANN, 0, NOON + 12 * HOUR_MS) is None


stretches = st.lists(
    st.tuples(st.integers(0, 400), st.integers(1, 60)).map(lambda s: (s[0], s[0] + s[1])),
    max_size=30,
)


@given(stretches)
def test_session_time_is_the_union_of_all_that_was_reported(said):
    begin = NOON - HOUR_MS
    wallet = WATCHED
    for from_ms, to_ms in said:
        command = replace(SESSION, from_ms=begin + from_ms, to_ms=begin + to_ms)
        wallet = after(wallet, command)
    union = {moment for from_ms, to_ms in said for moment in range(from_ms, to_ms)}
    assert counted_ms(wallet) == len(union)


def test_what_is_remembered_of_sessions_is_bounded_and_never_counts_twice():
    connected = ()
    for n in range(REMEMBERED_MAX * 2):
        connected = with_stretch(connected, 10 * n, 10 * n + 1)
    assert len(connected) == REMEMBERED_MAX
    assert connected[0] == Stretch(0, 10 * REMEMBERED_MAX + 1)


def test_counting_a_session_tells_what_is_used():
    assert respond(after(WATCHED, SESSION), SESSION).limits[0].used == HOUR_MS
