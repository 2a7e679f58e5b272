"""A cancelled tournament's table stops at once: the hand in progress is void (the cut).

Chips are as they were at the hand's start. Who was to leave after the hand leaves now. A halted
table deals nothing and waits for nobody until it is released.
"""

from services.table.core.facts import concerns
from services.table.core.flow import Step, after, recorded, vacated
from services.table.core.state import Table, opened
from shared.contracts.director import TableHalting, TableReleased
from shared.contracts.table import HandVoided, TableEvent, TableHalted, TableWentOn


def halt(table: Table, fact: TableHalting, _at_ms: int) -> Step:
    """Void what is played or scheduled, and say what every seat holds then."""
    if table.halted or not concerns(table, fact.table):
        return (), table
    voided = voiding(table)
    step = recorded(table, voided)
    leaving = recorded(step[1], vacated(step[1], step[1].leaving))
    done = after(step[0], leaving)
    facts = opened(table)
    last = TableHalted(
        tournament=facts.tournament,
        table=facts.table,
        hand=voided[0].hand if voided else "",
        seats=done[1].seats,
    )
    return after(done[0], recorded(done[1], (last,)))


def voiding(table: Table) -> tuple[HandVoided, ...]:
    """Void the hand that runs, or the one that is scheduled."""
    facts = opened(table)
    if table.hand is not None:
        hand, number = table.hand.started.hand, table.hand.started.number
    elif table.scheduled is not None:
        hand, number = table.scheduled.hand, table.scheduled.number
    else:
        return ()
    return (HandVoided(tournament=facts.tournament, table=facts.table, hand=hand, number=number),)


def go_on_again(table: Table, fact: TableReleased, _at_ms: int) -> Step:
    """The next cleared hand is played again."""
    if not table.halted or not concerns(table, fact.table):
        return (), table
    facts = opened(table)
    events: tuple[TableEvent, ...] = (TableWentOn(tournament=facts.tournament, table=facts.table),)
    return recorded(table, events)
