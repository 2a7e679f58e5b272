"""`rollforward payouts roll-forward FILE`: a calculator for operators, and a check for auditors.

Exit codes: 0; 1 when the case is refused, with the reason; 2 when the file cannot be read.
"""

import sys
from pathlib import Path
from typing import Annotated, Any, Literal

import cyclopts
import msgspec
from rich.console import Console
from rich.table import Table

from services.cli.wallet.screen import euros
from services.director.core.rollforward import Case, Sheet, SheetLine, roll_forward
from shared.contracts.strict import StrictDecoder
from shared.kernel.decider import Refused
from shared.runtime.settings import SettingsError

Output = Annotated[Literal["table", "json"], cyclopts.Parameter(name=["--output", "-o"])]

app = cyclopts.App(name="payouts", help="What an interrupted tournament pays, to the cent.")


@app.command(name="roll-forward")
def calculate(file: Path, /, *, output: Output = "table") -> int:
    """Compute the payout of an interrupted tournament (PP-ROLLFORWARD, BH-RF1, BH-RF2).

    Parameters
    ----------
    file
        JSON: policy, pool_cents, paid_cents, commission_cents, entry_cents, prizes_cents,
        prizes_won, survivors (player, chips, table, seat).
    output
        For people, or one JSON document.
    """
    found = roll_forward(read(file))
    if isinstance(found, Refused):
        sys.stderr.write(f"refused: {found.reason}{found.detail and f' ({found.detail})'}\n")
        return 1
    if output == "json":
        sys.stdout.write(msgspec.json.encode(document(found)).decode() + "\n")
    else:
        show(found)
    return 0


def read(file: Path) -> Case:
    """Read a case, every field of it understood."""
    try:
        case: Case = StrictDecoder(Case).decode(file.read_bytes())
    except OSError as error:
        raise SettingsError(f"{file}: {error.strerror}") from error
    except (msgspec.MsgspecError, RecursionError) as error:
        raise SettingsError(f"{file}: {error}") from error
    return case


def document(sheet: Sheet) -> dict[str, Any]:
    """Write a sheet for programs: the certain term under its own name."""
    return {
        "policy": sheet.policy,
        "players": [player(sheet, line) for line in sheet.players],
        "paid_cents": sheet.paid_cents,
        "residual_cents": sheet.residual_cents,
        "operator_top_up_cents": sheet.operator_top_up_cents,
        "warnings": list(sheet.warnings),
    }


def player(sheet: Sheet, line: SheetLine) -> dict[str, Any]:
    """Write one player's line."""
    return {
        "player": line.player,
        "chips": line.chips,
        f"{sheet.certain}_cents": line.certain_cents,
        "chips_cents": line.chips_cents,
        "rounding_cents": line.rounding_cents,
        "commission_cents": line.commission_cents,
        "total_cents": line.total_cents,
        "exact": {sheet.certain: line.certain_exact, "chips": line.chips_exact},
    }


def show(sheet: Sheet) -> None:
    """Print a sheet for people."""
    console = Console()
    shown = Table(title=f"roll-forward by {sheet.policy}", title_justify="left")
    shown.add_column("player")
    for name in ("chips", sheet.certain, "by chips", "rounding", "commission", "total"):
        shown.add_column(name, justify="right")
    for line in sheet.players:
        amounts = (
            line.certain_cents,
            line.chips_cents,
            line.rounding_cents,
            line.commission_cents,
            line.total_cents,
        )
        shown.add_row(line.player, f"{line.chips:,}", *map(euros, amounts))
    console.print(shown)
    for name, cents in (
        ("pool", sheet.pool_cents),
        ("prizes won", sheet.paid_cents),
        ("residual", sheet.residual_cents),
        ("the operator adds", sheet.operator_top_up_cents),
    ):
        console.print(f"{name:<18} {euros(cents):>14}", highlight=False)
    for warning in sheet.warnings:
        console.print(f"[bold yellow]warning[/bold yellow]  {warning}", highlight=False)
