"""Giving up a tournament that runs: tables halt, the sheet becomes final, a second one approves.

Hands that had ended count, also inside a round of hand for hand; a hand in progress is void. What
a table reports while it halts is taken in as always, and places that follow from it are ranked.
"""

from services.director.core import big_shoot
from services.director.core.bounties import own_bounties
from services.director.core.buying import rebuys
from services.director.core.buying.closing import guarantee_due
from services.director.core.commands import HaltReported
from services.director.core.entries import declined
from services.director.core.hall import Table
from services.director.core.rollforward.checks import problem_of
from services.director.core.rollforward.cutting import case_of, cut_of, hash_of, sheet_now
from services.director.core.rollforward.sheet import Sheet
from services.director.core.rules import DirectorRules
from services.director.core.state import TableContradictionError, Tournament
from shared.contracts.director import (
    ApproveSheet,
    CancellationOpened,
    CancellationWithdrawn,
    CutTold,
    DirectorEvent,
    LeaveTableOut,
    PayoutDue,
    ReadSheet,
    SheetFinal,
    TableHalting,
    TableLeftOut,
    TableReleased,
    TableStopped,
    TournamentCancelled,
    TournamentPaused,
    TournamentResumed,
    WithdrawCancellation,
)
from shared.contracts.hand import SeatStack
from shared.kernel.decider import Refused
from shared.kernel.parts import parts

REASON_CHARACTERS_MAX = 1_000
TABLES_LISTED_MAX = 1_000  # The cut of so many tables fits in one event.
CANCELLED = "tournament_cancelled"

Decision = tuple[DirectorEvent, ...] | Refused


def opened(
    tournament: Tournament, author: str, reason: str, at_ms: int
) -> tuple[DirectorEvent, ...]:
    """Stop everything: every table is told to halt, the level's clock stands still.

    What was paid for has its chips; all else is declined, and an open rebuy offer is out.
    """
    name = tournament.tournament
    pause = TournamentPaused(tournament=name, author=author, reason=reason, at_ms=at_ms)
    return (
        CancellationOpened(tournament=name, author=author, reason=reason),
        *(() if tournament.paused_ms is not None else (pause,)),
        *declined(tournament, CANCELLED),
        *rebuys.withdrawn(tournament),
        *(TableHalting(tournament=name, table=table) for table in tournament.tables),
    )


def halted(tournament: Tournament, report: HaltReported) -> tuple[DirectorEvent, ...]:
    """A table has halted; what it holds must be what we know, to the last chip.

    Who was assigned a seat there meanwhile is not among those it reports; who has to leave since a
    withdrawal still is.
    """
    fact = report.fact
    table = tournament.tables.get(fact.table)
    if table is None or report.number <= table.heard_number:
        return ()
    if tournament.phase != "running" or is_left_out(tournament, fact.table):
        return ()
    if not all(held in table.seats or leaves(tournament, table, held) for held in fact.seats):
        raise TableContradictionError(f"{fact.table} has halted with other players or chips")
    return (
        TableStopped(
            tournament=tournament.tournament,
            table=fact.table,
            hand=fact.hand,
            upstream=report.upstream,
            upstream_number=report.number,
        ),
    )


def leaves(tournament: Tournament, table: Table, held: SeatStack) -> bool:
    """Say whether a player has to leave this table with these chips."""
    move = tournament.moves.get(held.player)
    if move is None:
        return False
    return (move.from_table, move.stack_chips) == (table.table, held.stack_chips)


def is_left_out(tournament: Tournament, table: str) -> bool:
    """Say whether an operator has said that this table is not waited for."""
    return tournament.cancelling is not None and table in tournament.cancelling.left_out


def draw_sheet_up(tournament: Tournament) -> tuple[DirectorEvent, ...]:
    """Make the sheet final, once every table stands still or is left out."""
    cancelling = tournament.cancelling
    if cancelling is None or cancelling.sheet_hash:
        return ()
    if len(cancelling.done) < len(tournament.tables) or waiting_for(tournament):
        return ()
    sheet = sheet_now(tournament)
    if isinstance(sheet, Refused):
        raise TableContradictionError(f"the sheet cannot be drawn up: {sheet.reason}")
    name, cut = tournament.tournament, cut_of(tournament)
    further = parts(cut[TABLES_LISTED_MAX:], TABLES_LISTED_MAX)
    return (
        *(CutTold(tournament=name, cut=part) for part in further),
        SheetFinal(
            tournament=name,
            sheet_hash=hash_of(tournament, sheet),
            policy=sheet.policy,
            players=len(sheet.players),
            total_cents=sum(line.total_cents for line in sheet.players),
            operator_top_up_cents=sheet.operator_top_up_cents,
            cut=cut[:TABLES_LISTED_MAX],
        ),
    )


def waiting_for(tournament: Tournament) -> tuple[Table, ...]:
    """Return the tables that have not halted and are not left out."""
    cancelling = tournament.cancelling
    done = frozenset(() if cancelling is None else cancelling.done)
    return tuple(table for table in tournament.tables.values() if table.table not in done)


def leave_out(tournament: Tournament, request: LeaveTableOut) -> Decision:
    """An operator's recorded word; the table's last digested hand counts."""
    if tournament.cancelling is None:
        return Refused("not_cancelling")
    if request.table not in tournament.tables:
        return Refused("unknown_table")
    if not 0 < len(request.reason) <= REASON_CHARACTERS_MAX:
        return Refused("reason_invalid", f"1 to {REASON_CHARACTERS_MAX} characters")
    if request.table in tournament.cancelling.done:
        return ()
    return (
        TableLeftOut(
            tournament=tournament.tournament,
            table=request.table,
            author=request.author,
            reason=request.reason,
        ),
    )


def approve(tournament: Tournament, request: ApproveSheet, rules: DirectorRules) -> Decision:
    """Pay this very sheet: exactly this hash, and another operator, unless the rules need none."""
    cancelling = tournament.cancelling
    if tournament.phase == "cancelled":
        same = tournament.sheet_hash == request.sheet_hash
        return () if same else Refused("already_cancelled")
    if cancelling is None:
        return Refused("not_cancelling")
    if not cancelling.sheet_hash:
        names = ", ".join(table.table for table in waiting_for(tournament))
        return Refused("sheet_not_final", f"waiting for {names or 'places'}")
    if rules.second_operator and request.author == cancelling.author:
        return Refused("same_operator", "who opens a cancellation does not approve it")
    if request.sheet_hash != cancelling.sheet_hash:
        return Refused("other_sheet", f"the final one is {cancelling.sheet_hash}")
    sheet = sheet_now(tournament)
    if isinstance(sheet, Refused) or hash_of(tournament, sheet) != cancelling.sheet_hash:
        raise TableContradictionError("the sheet is not the one that was final")
    return paid_out(tournament, request.author, cancelling.reason, sheet)


def paid_out(
    tournament: Tournament, author: str, reason: str, sheet: Sheet
) -> tuple[DirectorEvent, ...]:
    """End the tournament, and let the wallet pay everybody: from the pool, as long as it lasts."""
    name = tournament.tournament
    end = TournamentCancelled(
        tournament=name, author=author, reason=reason, sheet_hash=hash_of(tournament, sheet)
    )
    due: list[DirectorEvent] = [end, *(guarantee_due(tournament) if tournament.selling else ())]
    left_cents = case_of(tournament).left_cents
    for line in sheet.players:
        owed_cents = line.total_cents - line.commission_cents
        pool_cents = min(owed_cents, left_cents)
        left_cents -= pool_cents
        payout = PayoutDue(
            tournament=name,
            player=line.player,
            pool_cents=pool_cents,
            commission_cents=line.commission_cents,
            top_up_cents=owed_cents - pool_cents,
        )
        if line.total_cents:
            due.append(payout)
    bounties = own_bounties(tournament, tuple(line.player for line in sheet.players))
    return (*due, *bounties, *big_shoot.given_up(tournament))


def withdraw(tournament: Tournament, request: WithdrawCancellation, at_ms: int) -> Decision:
    """Go on playing: every table is released, the level lasts longer by what it stood still.

    Not any more once a table was left out: what it plays is not taken in.
    """
    if tournament.cancelling is None:
        return Refused("not_cancelling")
    if not 0 < len(request.reason) <= REASON_CHARACTERS_MAX:
        return Refused("reason_invalid", f"1 to {REASON_CHARACTERS_MAX} characters")
    if tournament.cancelling.left_out:
        return Refused("table_left_out", ", ".join(tournament.cancelling.left_out))
    name = tournament.tournament
    ends_ms = tournament.resumed_end_ms(at_ms)
    going_on = TournamentResumed(
        tournament=name, author=request.author, at_ms=at_ms, ends_at_ms=ends_ms
    )
    return (
        CancellationWithdrawn(tournament=name, author=request.author, reason=request.reason),
        *((going_on,) if tournament.cancelling.paused_by_it else ()),
        *(TableReleased(tournament=name, table=table) for table in tournament.tables),
    )


def read_sheet(tournament: Tournament, _request: ReadSheet) -> Decision:
    """A preview binds nobody; it needs a tournament that runs, or was paid out by its sheet."""
    if tournament.phase == "unknown":
        return Refused("unknown_tournament")
    if tournament.phase != "running" and not tournament.sheet_hash:
        return Refused("not_running")
    return problem_of(case_of(tournament)) or ()
