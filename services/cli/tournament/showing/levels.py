"""Levels and breaks, with the time at which each begins."""

from datetime import timedelta, tzinfo

from rich.table import Table

from services.cli.tournament.figures import lasting
from services.cli.tournament.moments import EPOCH, clock
from services.cli.wallet.screen import table
from shared.contracts.director import (
    Level,
    Terms,
)


def level_table(terms: Terms, zone: tzinfo) -> Table:
    """Draw a row for each level and each break, with the time at which it begins as planned."""
    shown = table("LEVEL", "BLINDS", "ANTE", "lasts", *(["begins"] if terms.level_ms else []))
    breaks = {rest.after_level: rest.ms for rest in terms.breaks}
    from_start_ms = 0
    for number, level in enumerate(terms.levels, 1):
        last = number == len(terms.levels)
        lasts = "to the end" if last else level_lasts(terms)
        begins = [begins_at(terms, from_start_ms, zone)] if terms.level_ms else []
        shown.add_row(str(number), blinds(level), ante(level), lasts, *begins)
        from_start_ms += terms.level_ms
        if number in breaks:
            begins = [begins_at(terms, from_start_ms, zone)] if terms.level_ms else []
            shown.add_row("", "break", "", lasting(breaks[number]), *begins, style="cyan")
            from_start_ms += breaks[number]
    return shown


def level_lasts(terms: Terms) -> str:
    """Tell what ends a level: its time, or hands played."""
    return lasting(terms.level_ms) if terms.level_ms else f"{terms.level_hands} hands at a table"


def begins_at(terms: Terms, from_start_ms: int, zone: tzinfo) -> str:
    """Tell when a level begins: how long after the start, and what the clock then says."""
    after = lasting(from_start_ms) if from_start_ms else "at the start"
    if not terms.start_at_ms:
        return after
    try:
        at = EPOCH + timedelta(milliseconds=terms.start_at_ms + from_start_ms)
        return f"{after}, {clock(at.astimezone(zone))}"
    except OverflowError:
        return after


def blinds(level: Level) -> str:
    return f"{level.small_blind_chips:,}/{level.big_blind_chips:,}"


def ante(level: Level) -> str:
    return f"{level.ante_chips:,}" if level.ante_chips else ""
