"""A cancelled tournament's table stops at once: the hand in progress is void (the cut).

Chips are as they were at the hand's start. Who was to leave after the hand leaves now. A halted
table deals nothing and waits for nobody until it is released.
"""

from services.table.core.facts import concerns
from services.table.core.flow import Step, after, recorded
from services.table.core.state import Table, opened
from services.table.core.voiding import current, voided
from shared.contracts.director import TableHalting, TableReleased
from shared.contracts.table import TableEvent, TableHalted, TableWentOn


def halt(table: Table, fact: TableHalting, _at_ms: int) -> Step:
    """Void what is played or scheduled, and say what every seat holds then."""
    if table.halted or not concerns(table, fact.table):
        return (), table
    found, facts = current(table), opened(table)
    done = voided(table)
    last = TableHalted(
        tournament=facts.tournament,
        table=facts.table,
        hand=found[0] if found else "",
        seats=done[1].seats,
    )
    return after(done[0], recorded(done[1], (last,)))


def go_on_again(table: Table, fact: TableReleased, _at_ms: int) -> Step:
    """The next cleared hand is played again."""
    if not table.halted or not concerns(table, fact.table):
        return (), table
    facts = opened(table)
    events: tuple[TableEvent, ...] = (TableWentOn(tournament=facts.tournament, table=facts.table),)
    return recorded(table, events)
