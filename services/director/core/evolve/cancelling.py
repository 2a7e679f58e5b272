"""How a cancellation of a running tournament goes on, from its opening to its end."""

from msgspec.structs import replace

from services.director.core.evolve.rows import Rows
from services.director.core.hands import hand_id
from services.director.core.state import Cancelling, Tournament
from shared.contracts.director import (
    CancellationOpened,
    CancellationWithdrawn,
    CutTold,
    PayoutDue,
    SheetFinal,
    TableHalting,
    TableLeftOut,
    TableReleased,
    TableStopped,
    TournamentCancelled,
)


def opened(tournament: Tournament, event: CancellationOpened) -> Tournament:
    """An open question is dropped: it would only seat or move players; so is a deal."""
    paused_by_it = tournament.paused_ms is None
    cancelling = Cancelling(event.author, event.reason, paused_by_it)
    return replace(tournament, cancelling=cancelling, question=None, deal=None)


def told_to_halt(tournament: Tournament, event: TableHalting) -> Tournament:
    """What the table makes of it comes back as a fact of its own."""
    before = tournament.tables[event.table]
    table = replace(before, halting=before.halting + 1)
    return replace(tournament, tables=tournament.tables.with_table(table))


def stopped(tournament: Tournament, event: TableStopped) -> Tournament:
    """A voided hand is played no more, whether or not the cancellation is still open.

    It may be another one, that was withdrawn: the table then goes on, and will halt once more.
    """
    before = tournament.tables[event.table]
    voided = event.hand == hand_id(tournament, before, before.hand)
    table = replace(
        before,
        playing=before.playing and not voided,
        heard_from=event.upstream,
        heard_number=event.upstream_number,
        halting=before.halting - 1,
    )
    after = replace(tournament, tables=tournament.tables.with_table(table))
    return after if table.halting else with_done(after, event.table)


def left_out(tournament: Tournament, event: TableLeftOut) -> Tournament:
    """The hand that it may play is not waited for."""
    table = replace(tournament.tables[event.table], playing=False)
    done = with_done(replace(tournament, tables=tournament.tables.with_table(table)), event.table)
    cancelling = done.cancelling
    if cancelling is None:
        return done
    names = (*cancelling.left_out, event.table)
    return replace(done, cancelling=replace(cancelling, left_out=names))


def with_done(tournament: Tournament, table: str) -> Tournament:
    """Note that a table is not waited for any more."""
    cancelling = tournament.cancelling
    if cancelling is None:
        return tournament
    return replace(tournament, cancelling=replace(cancelling, done=(*cancelling.done, table)))


def sheet_final(tournament: Tournament, event: SheetFinal) -> Tournament:
    if tournament.cancelling is None:
        return tournament
    cancelling = replace(tournament.cancelling, sheet_hash=event.sheet_hash)
    return replace(tournament, cancelling=cancelling)


def cut_told(tournament: Tournament, _: CutTold) -> Tournament:
    """The tables have it already."""
    return tournament


def withdrawn(tournament: Tournament, _: CancellationWithdrawn) -> Tournament:
    return replace(tournament, cancelling=None)


def released(tournament: Tournament, _: TableReleased) -> Tournament:
    """The table goes on with its next cleared hand."""
    return tournament


def cancelled(tournament: Tournament, event: TournamentCancelled) -> Tournament:
    """Who opened and who approved it is told with the sheet for ever."""
    return replace(
        tournament,
        phase="cancelled",
        cancelling=None,
        sheet_hash=event.sheet_hash,
        given_up=tournament.cancelling,
        approved_by=event.author if event.sheet_hash else "",
    )


def payout_due(tournament: Tournament, _: PayoutDue) -> Tournament:
    """The sheet has it already."""
    return tournament


APPLY: Rows = {
    CancellationOpened: opened,
    TableHalting: told_to_halt,
    TableStopped: stopped,
    TableLeftOut: left_out,
    CutTold: cut_told,
    SheetFinal: sheet_final,
    CancellationWithdrawn: withdrawn,
    TableReleased: released,
    TournamentCancelled: cancelled,
    PayoutDue: payout_due,
}
