"""What every paid place wins, for several numbers of entries side by side."""

from collections.abc import Iterator, Sequence

from rich.table import Table

from services.cli.tournament.figures import percent
from services.cli.tournament.prize_table import Prizes, bands, prizes_of
from services.cli.wallet.screen import euros
from shared.contracts.director import (
    Terms,
)

COLUMNS_MAX = 6


def prize_tables(terms: Terms, entries: Sequence[int]) -> Iterator[Table | str]:
    """Draw a column for each number of entries: the pool, and what every paid place wins."""
    found = [prizes_of(terms, number) for number in entries]
    begins = [column for column in found if not column.why_not]
    for first in range(0, len(begins), COLUMNS_MAX):
        yield prize_columns(begins[first : first + COLUMNS_MAX])
    more = [name for name, sold in (("rebuys", terms.rebuy), ("add-ons", terms.add_on)) if sold]
    if begins and more:
        yield f"The pool is that of the entries; {' and '.join(more)} raise it."
    for column in found:
        if column.why_not:
            yield f"{column.entries:,} entries: {column.why_not}"


def prize_columns(columns: Sequence[Prizes]) -> Table:
    """Draw a few columns side by side; a row holds the places that win the same in each."""
    shown = Table("entries")
    for column in columns:
        shown.add_column(f"{column.entries:,}", justify="right")
    shown.add_row("pool", *map(pool_told, columns))
    added = [euros(column.added_cents) if column.added_cents else "" for column in columns]
    if any(added):
        shown.add_row("guarantee adds", *added)
    if any(column.bounties_cents for column in columns):
        shown.add_row("bounties", *(euros(column.bounties_cents) for column in columns))
    if any(column.go_on for column in columns):
        shown.add_row("carried on", *map(carried_told, columns))
        shown.add_row("go on", *(f"{column.go_on:,}" for column in columns))
    shown.add_section()
    for first, last in bands(column.prizes_cents for column in columns):
        places = f"place {first}" if first == last else f"places {first}–{last}"
        shown.add_row(places, *(prize_told(column, first) for column in columns))
    return shown


def pool_told(column: Prizes) -> str:
    """What a later stage plays for is what was carried there, and nobody knows it before."""
    return "as carried" if column.in_shares else euros(column.pool_cents)


def carried_told(column: Prizes) -> str:
    """All goes on to the next stage but bounties."""
    return "all" if column.in_shares else euros(column.pool_cents - column.bounties_cents)


def prize_told(column: Prizes, place: int) -> str:
    """The prize of a place, "" for none; as a share where the pool is not known."""
    if place > len(column.prizes_cents):
        return ""
    prize = column.prizes_cents[place - 1]
    return percent(prize) if column.in_shares else euros(prize)
