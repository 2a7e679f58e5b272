"""Leader boards: what a place is worth, and the periods that it counts in (PP-SKILL).

A place is worth 100 × √(entries ÷ place) − 100 points, rounded down: the last place nothing, the
first of 4 entries 100, of 100 entries 900, of 10,000 entries 9,900.
"""

from math import isqrt
from typing import Final

UNIT: Final = 100
DAY_MS: Final = 24 * 60 * 60 * 1_000
MONTHS: Final = tuple(f"{month:02}" for month in range(1, 13))

DAYS_TO_1970: Final = 719_468  # From the first of March of the year 0.
DAYS_400_YEARS: Final = 146_097
DAYS_100_YEARS: Final = 36_524
DAYS_4_YEARS: Final = 1_461


def points_of(entries: int, place: int) -> int:
    """Return what a place among so many entries is worth."""
    return isqrt(UNIT * UNIT * entries // place) - UNIT


def is_period(text: str) -> bool:
    """Say whether a text names a month or a year."""
    year, dash, month = text.partition("-")
    is_year = len(year) == 4 and year.isascii() and year.isdigit()
    return is_year and (month in MONTHS or not dash)


def periods_at(at_ms: int) -> tuple[str, str]:
    """Return the month and the year, in UTC, that a moment lies in."""
    year, month = month_at(at_ms)
    return f"{year:04}-{month:02}", f"{year:04}"


def month_at(at_ms: int) -> tuple[int, int]:
    """Return year and month; years are counted from March, so that a leap day ends one."""
    centuries, day = divmod(at_ms // DAY_MS + DAYS_TO_1970, DAYS_400_YEARS)
    leap_days = day // (DAYS_4_YEARS - 1) - day // DAYS_100_YEARS + day // (DAYS_400_YEARS - 1)
    year = (day - leap_days) // 365
    day_of_year = day - (365 * year + year // 4 - year // 100)
    from_march = (5 * day_of_year + 2) // 153
    month = (from_march + 2) % 12 + 1
    return 400 * centuries + year + (month < 3), month
