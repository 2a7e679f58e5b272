"""*Chips conserved*: no chip comes from nowhere or goes nowhere, from entry to the winner.

Every hand adds up; every table starts a hand with the chips it has; a mover arrives with what
was left elsewhere; after every hand that the director digests, all tables and what is in
transit hold entries × starting chips, and what rebuys and add-ons brought; the winner ends with
all of them. So it is within each stage; between stages the stacks that come are those of the
terms.
"""

from collections.abc import Iterator

from services.cli.verdicts.hand_sums import wrong_sums
from services.cli.verdicts.history import History, PlayedHand, hands_of
from services.cli.verdicts.table_sheets import movements_of, wrong_tables
from services.cli.verdicts.tournament_sheet import Sheet, reported_by_tables, wrong_tournament
from services.cli.verdicts.verdict import Verdict, judged
from shared.contracts.table import TableOpened

NAME = "chips conserved"


def chips_conserved(history: History) -> Verdict:
    """Add up every hand, every table and every tournament."""
    hands = hands_of(history)
    sheets: dict[str, Sheet] = {}
    found = [
        *history.unreadable,
        *(what for hand in hands for what in wrong_sums(hand)),
        *wrong_tables(history),
        *wrong_tournaments(history, sheets),
        *left_over(history, hands, sheets),
    ]
    if not hands and history.at_rest:
        found.append("no hand was played")
    total = sum(sheet.total for sheet in sheets.values())
    return judged(NAME, found, f"{total:,} chips through {len(hands):,} hands")


def wrong_tournaments(history: History, sheets: dict[str, Sheet]) -> Iterator[str]:
    """Follow every tournament, and keep its sheet."""
    reported, movements = reported_by_tables(history), movements_of(history)
    for tournament, facts in history.streams("director").items():
        sheet = sheets[tournament] = Sheet(reported, movements)
        yield from wrong_tournament(sheet, facts)
        if sheet.finished or history.at_rest:
            yield from sheet.awaited


def left_over(
    history: History, hands: tuple[PlayedHand, ...], sheets: dict[str, Sheet]
) -> Iterator[str]:
    """When a tournament has finished, every hand that is not void is digested.

    And nobody is on the way.
    """
    tournament_of = {
        fact.stream: fact.event.tournament
        for fact in history.of("table")
        if isinstance(fact.event, TableOpened)
    }
    for hand in hands:
        sheet = sheets.get(tournament_of.get(hand.table, ""))
        if sheet is None:
            yield f"{hand.name} was played in no tournament"
        elif hand.is_void and hand.name in sheet.digested:
            yield f"{hand.name} is void, and was digested"
        elif sheet.finished and not hand.is_void and hand.name not in sheet.digested:
            yield f"{hand.name} was never digested"
    for sheet in sheets.values():
        if sheet.finished:
            yield from stranded(sheet, tournament_of, "left", sheet.left)
            yield from stranded(sheet, tournament_of, "came to", sheet.came)


def stranded(
    sheet: Sheet,
    tournament_of: dict[str, str],
    how: str,
    stays: dict[tuple[str, str], list[tuple[int, int]]],
) -> Iterator[str]:
    """Complain about movements at this tournament's tables that no assignment explains."""
    here = {tournament_of.get(table) for table in sheet.tables}
    for (player, table), unexplained in stays.items():
        if unexplained and tournament_of.get(table) in here:
            yield f"{player} {how} {table} without a seat assigned"
