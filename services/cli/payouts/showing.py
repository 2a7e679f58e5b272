"""A sheet for people and for programs, computed from a file or read from a tournament."""

from typing import Any

from rich.console import Console
from rich.markup import escape
from rich.table import Table

from services.cli.printable import printable
from services.cli.wallet.screen import euros
from services.director.core.rollforward import Sheet, SheetLine


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


def show(sheet: Sheet, title: str) -> None:
    """Print a sheet for people."""
    console = Console()
    shown = Table(title=title, title_justify="left")
    shown.add_column("player", overflow="fold")
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
        shown.add_row(escape(printable(line.player)), f"{line.chips:,}", *map(euros, amounts))
    console.print(shown)
    for name, cents in (
        ("pool", sheet.pool_cents),
        ("prizes won", sheet.paid_cents),
        ("residual", sheet.residual_cents),
        ("the operator adds", sheet.operator_top_up_cents),
    ):
        console.print(f"{name:<18} {euros(cents):>14}", highlight=False)
    for warning in sheet.warnings:
        told = escape(printable(warning))
        console.print(
            f"[bold yellow]warning[/bold yellow]  {told}", highlight=False, soft_wrap=True
        )
