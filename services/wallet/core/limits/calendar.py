"""The windows of the calendar in UTC: days, weeks from Monday, months; all in milliseconds."""

from bisect import bisect_right
from itertools import accumulate
from typing import Final, NamedTuple

from services.wallet.core.rules import DAY_MS
from shared.contracts.wallet import LimitWindow

WEEK_DAYS: Final = 7
FIRST_MONDAY: Final = -3  # The first of January 1970 was a Thursday.
CYCLE_YEARS: Final = 400  # Leap years come again after as many.
MONTH_DAYS: Final = (31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31)


class Window(NamedTuple):
    """From a moment on, up to but not including another."""

    from_ms: int
    to_ms: int


def window_at(window: LimitWindow, at_ms: int) -> Window:
    """Return the day, week or month that a moment lies in."""
    day = at_ms // DAY_MS
    if window == "day":
        first, last = day, day + 1
    elif window == "week":
        first = day - (day - FIRST_MONDAY) % WEEK_DAYS
        last = first + WEEK_DAYS
    else:
        first, last = month_of(day)
    return Window(first * DAY_MS, last * DAY_MS)


def month_of(day: int) -> tuple[int, int]:
    """Return the first day of a day's month and that of the next, counted from 1970."""
    cycle, within = divmod(day, MONTH_STARTS[-1])
    month = bisect_right(MONTH_STARTS, within)
    before = cycle * MONTH_STARTS[-1]
    return before + MONTH_STARTS[month - 1], before + MONTH_STARTS[month]


def days_in(year: int, month: int) -> int:
    """Count the days of a month; months count from 0."""
    leap = year % 4 == 0 and (year % 100 != 0 or year % 400 == 0)
    return MONTH_DAYS[month] + (1 if leap and month == 1 else 0)


MONTH_STARTS: Final = tuple(
    accumulate(
        (days_in(1970 + month // 12, month % 12) for month in range(CYCLE_YEARS * 12)), initial=0
    )
)
"""The first day of every month of one cycle, and that of the cycle after it."""
