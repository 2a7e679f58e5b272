"""`rollforward tournament sheet`, `approve`, `withdraw`, `leave-out`: a tournament given up.

`cancel` opens it. With `--from-log` the sheet is computed from PostgreSQL alone, by the code that
the director runs, and has the same hash: no service has to run. So it is `--from-file`. With
`--on-log` the others are decided there, too.
"""

import os
import sys
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Annotated, Any, Literal
from urllib.parse import quote

import cyclopts
import msgspec
from rich.console import Console
from rich.markup import escape

from services.cli.payouts.showing import document, show
from services.cli.printable import printable
from services.cli.replay.folding import NotFolded, folded
from services.cli.replay.rows import rows_in_database, rows_in_file
from services.cli.tournament.desk import NOWHERE, Desk, NotDone
from services.cli.tournament.doing import done, done_on_log, not_done
from services.cli.wallet.screen import euros
from services.director.core.cancelling import read_sheet
from services.director.core.rollforward.cutting import sheet_now
from services.director.core.rollforward.policies import Certain
from services.director.core.rollforward.sheet import Sheet, SheetLine
from services.director.core.views import whole_sheet
from services.gateway.shell.api.sheets import as_csv
from shared.contracts.director import (
    ApproveSheet,
    LeaveTableOut,
    ReadSheet,
    SheetPage,
    WithdrawCancellation,
)
from shared.contracts.edge import LogRow
from shared.kernel.decider import Refused
from shared.kernel.ids import is_derived_id
from shared.poker.rule_sets import RollForward
from shared.runtime.settings import SettingsError

Output = Annotated[Literal["table", "json", "csv"], cyclopts.Parameter(name=["--output", "-o"])]


def sheet(
    tournament: str,
    /,
    *,
    output: Output = "table",
    from_log: bool = False,
    from_file: Path | None = None,
    desk: Desk = NOWHERE,
) -> int:
    """Show what a tournament pays that is given up while it runs; looking at it binds nobody.

    Parameters
    ----------
    tournament
        `trn_…`.
    output
        For people, or one JSON document, or a row for each player; amounts are in cents.
    from_log
        Compute it from `$DATABASE_URL` alone; no service is asked.
    from_file
        Compute it from the tournament's commits in a file, as `replay --save` writes them.
    desk
        The operator's desk at the gateway.
    """
    try:
        found = seen(tournament, desk, from_log=from_log, from_file=from_file)
    except NotDone as error:
        return not_done(error)
    if output == "csv":
        sys.stdout.write(as_csv(found))
    elif output == "json":
        sys.stdout.write(msgspec.json.encode(as_document(tournament, found)).decode() + "\n")
    else:
        tell(tournament, found)
    return 0


def approve(
    tournament: str, sheet_hash: str, /, *, on_log: bool = False, desk: Desk = NOWHERE
) -> int:
    """Let the final sheet be paid; who opened the cancellation does not approve it.

    Parameters
    ----------
    tournament
        `trn_…`.
    sheet_hash
        That of the sheet that was read, as `sheet` shows it.
    on_log
        Decide it on the log in `$DATABASE_URL`; no service is asked, and no director may run.
    desk
        The operator's desk at the gateway.
    """
    if on_log:
        return done_on_log(desk, tournament, ApproveSheet(author="", sheet_hash=sheet_hash))
    return done(desk, tournament, "sheet/approval", sheet_hash=sheet_hash)


def withdraw(tournament: str, /, *, reason: str, on_log: bool = False, desk: Desk = NOWHERE) -> int:
    """Take a cancellation back: the tournament goes on where its last hands ended.

    Parameters
    ----------
    tournament
        `trn_…`.
    reason
        Why: its players are told.
    on_log
        Decide it on the log in `$DATABASE_URL`; no service is asked, and no director may run.
    desk
        The operator's desk at the gateway.
    """
    if on_log:
        return done_on_log(desk, tournament, WithdrawCancellation(author="", reason=reason))
    return done(desk, tournament, "cancellation/withdrawal", reason=reason)


def leave_out(
    tournament: str,
    table: str = "",
    /,
    *,
    reason: str,
    all_waiting: Annotated[bool, cyclopts.Parameter(name="--all", negative="")] = False,
    on_log: bool = False,
    desk: Desk = NOWHERE,
) -> int:
    """Do not wait for a table that cannot halt: its last digested hand counts, for good.

    Parameters
    ----------
    tournament
        `trn_…`.
    table
        `tbl_…`, one of those that the sheet waits for.
    reason
        Why it cannot halt.
    all_waiting
        Not one table, but all that the sheet waits for.
    on_log
        Decide it on the log in `$DATABASE_URL`; no service is asked, and no director may run.
    desk
        The operator's desk at the gateway.
    """
    if bool(table) == all_waiting:
        raise SettingsError("name one table, or say --all")
    try:
        tables = seen(tournament, desk, from_log=on_log).waiting if all_waiting else (table,)
    except NotDone as error:
        return not_done(error)
    if on_log:
        words = [LeaveTableOut(table=each, author="", reason=reason) for each in tables]
        return done_on_log(desk, tournament, *words)
    paths = [f"tables/{quote(each, safe='')}/left-out" for each in tables]
    return max([done(desk, tournament, path, reason=reason) for path in paths], default=0)


def seen(
    tournament: str, desk: Desk, *, from_log: bool = False, from_file: Path | None = None
) -> SheetPage:
    """Have the sheet told, or compute it here; raise NotDone."""
    if from_log or from_file is not None:
        return sheet_of(tournament, commits_of(tournament, from_file))
    return desk.sheet(tournament)


def commits_of(tournament: str, file: Path | None) -> Sequence[LogRow]:
    """Read a tournament's commits from a file, else from the database; raise NotDone."""
    if not is_derived_id(tournament, "trn"):
        raise NotDone("refused: unknown_tournament")
    if file is not None:
        return rows_in_file(file).get(tournament, ())
    url = os.environ.get("DATABASE_URL", "")
    if not url:
        raise SettingsError("DATABASE_URL is not set")
    return rows_in_database(url, tournament)


def sheet_of(tournament: str, commits: Sequence[LogRow]) -> SheetPage:
    """Fold the commits, and draw the sheet up as the director does; raise NotDone."""
    try:
        state = folded(tournament, commits)
    except NotFolded as error:
        raise NotDone(str(error)) from None
    refused = read_sheet(state, ReadSheet())
    found = refused if isinstance(refused, Refused) else sheet_now(state)
    if isinstance(found, Refused):
        raise NotDone(f"refused: {found.reason}{found.detail and f' ({found.detail})'}")
    return whole_sheet(state, found)


def as_document(tournament: str, page: SheetPage) -> dict[str, Any]:
    """Write the sheet for programs: as the calculator does, and where it comes from."""
    return {
        "tournament": tournament,
        "stage": page.stage,
        "sheet_hash": page.sheet_hash,
        "opened_by": page.opened_by,
        "approved_by": page.approved_by,
        "reason": page.reason,
        "waiting": list(page.waiting),
        "left_out": list(page.left_out),
        "pool_cents": page.pool_cents,
        **document(calculated(page)),
        "cut": [msgspec.to_builtins(cut) for cut in page.cut],
    }


def tell(tournament: str, page: SheetPage) -> None:
    """Print the sheet for people, and what has to come next."""
    show(calculated(page), f"{tournament} by {page.policy}: {page.stage}")
    console = Console()
    for name, told in facts_of(page):
        line = f"{name:<18} {escape(printable(told))}"
        console.print(line, highlight=False, soft_wrap=True)


def facts_of(page: SheetPage) -> Iterator[tuple[str, str]]:
    """Say who wants what of it, and what it follows from."""
    yield "together", euros(sum(line.total_cents for line in page.lines))
    if page.opened_by:
        yield "opened by", f"{page.opened_by}: {page.reason}"
    if page.approved_by:
        yield "approved by", page.approved_by
    if page.waiting:
        yield "waiting for", ", ".join(page.waiting)
    if page.left_out:
        yield "left out", ", ".join(page.left_out)
    for cut in page.cut:
        counts = f"commit {cut.number} of {cut.upstream}" if cut.upstream else "nothing"
        yield "up to", f"{counts} by {cut.table}"
    yield "hash", page.sheet_hash


def calculated(page: SheetPage) -> Sheet:
    """Return the sheet as the calculator has it."""
    return Sheet(
        policy=msgspec.convert(page.policy, RollForward),
        certain=msgspec.convert(page.certain, Certain),
        players=tuple(
            SheetLine(**{name: getattr(line, name) for name in SheetLine.__struct_fields__})
            for line in page.lines
        ),
        pool_cents=page.pool_cents,
        paid_cents=page.paid_cents,
        residual_cents=page.residual_cents,
        operator_top_up_cents=page.operator_top_up_cents,
        warnings=page.warnings,
    )
