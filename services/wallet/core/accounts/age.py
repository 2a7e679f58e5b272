"""PP-ACCOUNT: whoever plays for money is of age, by the calendar in UTC."""

from typing import Final

from services.wallet.core.limits.calendar import CYCLE_YEARS, MONTH_STARTS, days_in
from services.wallet.core.rules import DAY_MS

MONTHS: Final = 12
FIRST_YEAR: Final = 1970
EARLIEST_YEAR: Final = 1900
DIGITS: Final = [4, 2, 2]

Day = tuple[int, int, int]


def date_of(text: str) -> Day | None:
    """Read a day as it is written in requests, `YYYY-MM-DD`; None when there is no such day."""
    parts = text.split("-")
    if [len(part) for part in parts] != DIGITS or not text.isascii():
        return None
    if not all(part.isdigit() for part in parts):
        return None
    year, month, day = (int(part) for part in parts)
    if year < EARLIEST_YEAR or not 1 <= month <= MONTHS:
        return None
    return (year, month, day) if 1 <= day <= days_in(year, month - 1) else None


def comes_of_age_ms(born: Day, years: int) -> int:
    """Return the moment at which somebody has lived so many years.

    Who was born on the 29th of February has the birthday on the first of March where there is none.
    """
    year, month, day = born
    months = (year + years - FIRST_YEAR) * MONTHS + month - 1
    cycle, within = divmod(months, CYCLE_YEARS * MONTHS)
    first = cycle * MONTH_STARTS[-1] + MONTH_STARTS[within]
    return (first + day - 1) * DAY_MS
