"""What a tournament answers when it is asked, from its state."""

from msgspec.structs import replace

from services.director.core.cancelling import waiting_for
from services.director.core.rollforward.cutting import case_of, cut_of, hash_of, sheet_now
from services.director.core.rollforward.sheet import Sheet
from services.director.core.state import Cancelling, Tournament
from shared.contracts.director import PayoutLine, ReadSheet, SheetPage
from shared.kernel.decider import Refused

LINES_MAX = 500


def part_of(whole: SheetPage, request: ReadSheet) -> SheetPage:
    """Show a part of the sheet."""
    begin = max(request.after, 0)
    end = begin + max(1, min(request.limit, LINES_MAX))
    return replace(whole, lines=whole.lines[begin:end])


def sheet_in_full(tournament: Tournament) -> SheetPage | None:
    """Show the sheet as of now, where there is one."""
    sheet = sheet_now(tournament)
    return None if isinstance(sheet, Refused) else whole_sheet(tournament, sheet)


def whole_sheet(tournament: Tournament, sheet: Sheet) -> SheetPage:
    """Show the sheet with all its lines, and whether it can change any more."""
    nobody = Cancelling("", "", paused_by_it=False)
    cancelling = tournament.cancelling or tournament.given_up or nobody
    stage = stage_of(tournament)
    waiting = waiting_for(tournament) if stage == "halting" else ()
    return SheetPage(
        policy=sheet.policy,
        certain=sheet.certain,
        final=stage in {"final", "approved"},
        sheet_hash=hash_of(tournament, sheet),
        players=len(sheet.players),
        pool_cents=sheet.pool_cents,
        paid_cents=sheet.paid_cents,
        residual_cents=sheet.residual_cents,
        operator_top_up_cents=sheet.operator_top_up_cents,
        warnings=sheet.warnings,
        cut=cut_of(tournament),
        lines=lines_of(tournament, sheet),
        stage=stage,
        opened_by=cancelling.author,
        reason=cancelling.reason,
        waiting=tuple(table.table for table in waiting),
        left_out=cancelling.left_out,
        approved_by=tournament.approved_by,
    )


def stage_of(tournament: Tournament) -> str:
    """Say how far a cancellation is."""
    if tournament.sheet_hash:
        return "approved"
    if tournament.cancelling is None:
        return "preview"
    return "final" if tournament.cancelling.sheet_hash else "halting"


def lines_of(tournament: Tournament, sheet: Sheet) -> tuple[PayoutLine, ...]:
    """Write the sheet's lines with where each player sits; who is out has no seat."""
    return tuple(
        PayoutLine(
            player=line.player,
            table=survivor.table,
            seat=survivor.seat,
            chips=line.chips,
            certain_cents=line.certain_cents,
            chips_cents=line.chips_cents,
            rounding_cents=line.rounding_cents,
            commission_cents=line.commission_cents,
            total_cents=line.total_cents,
            certain_exact=line.certain_exact,
            chips_exact=line.chips_exact,
        )
        for survivor, line in zip(case_of(tournament).survivors, sheet.players, strict=True)
    )
