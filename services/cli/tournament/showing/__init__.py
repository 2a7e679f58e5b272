"""The terms as a person reads them: nothing that they say stays unsaid (PP-LOBBY)."""

from collections.abc import Sequence
from datetime import tzinfo

from rich.console import Console
from rich.text import Text

from services.cli.printable import printable
from services.cli.tournament.showing.levels import level_table
from services.cli.tournament.showing.lines import terms_lines
from services.cli.tournament.showing.prizes import prize_tables
from shared.contracts.director import Terms

__all__ = ["show"]

LABEL_COLUMNS = 14


def show(console: Console, terms: Terms, zone: tzinfo, entries: Sequence[int]) -> None:
    """Print everything: the terms line by line, the levels, the prizes for so many entries."""
    console.print(Text(printable(terms.name), "bold"), soft_wrap=True)
    for label, text in terms_lines(terms, zone):
        console.print(Text(f"{label:<{LABEL_COLUMNS}} {text}"), soft_wrap=True)
    console.print(level_table(terms, zone))
    for drawn in prize_tables(terms, entries):
        console.print(drawn)
