"""A platform's status on a terminal: one row per line, then what waits, then what is wrong."""

from collections.abc import Sequence

from rich.console import Console
from rich.table import Table

from services.cli.status.reading import LineReport, Report
from shared.runtime.reach import GATEWAY

WAITING_SHOWN = 20
NUMBERS = ("log", "relay lag", "live", "questions")


def show(console: Console, report: Report, wrong: Sequence[str], now_ms: int) -> None:
    """Print everything."""
    console.print(lines(report, now_ms))
    console.print(f"gateways  {', '.join(sorted(report.members.get(GATEWAY, ()))) or 'none'}")
    waiting(console, report)
    for what in wrong:
        console.print(f"[bold red]wrong[/bold red]  {what}", highlight=False)
    if not wrong:
        console.print("[green]nothing is wrong[/green]")


def lines(report: Report, now_ms: int) -> Table:
    """Lay out who works on which line, and how far each is."""
    table = Table(title=f"deployment {report.deployment}", title_justify="left")
    for name in ("line", "owner", "for"):
        table.add_column(name)
    for name in NUMBERS:
        table.add_column(name, justify="right")
    table.add_column("behind")
    for line in report.lines:
        table.add_row(line.line, line.holder or "–", *numbers(line, now_ms))
    return table


def numbers(line: LineReport, now_ms: int) -> tuple[str, ...]:
    """Fill a row as far as its owner answers."""
    status = line.status
    if status is None:
        return (line.silent,)
    oldest = min((question.since_ms for question in status.questions), default=None)
    asked = str(len(status.questions))
    if oldest is not None:
        asked += f" ({duration(now_ms - oldest)})"
    behind = ", ".join(f"{upstream} {by}" for upstream, by in line.behind.items() if by)
    since = duration(now_ms - status.since_ms)
    return (since, str(status.last), str(status.relay_lag), str(status.live), asked, behind)


def waiting(console: Console, report: Report) -> None:
    """Print what waits for something, such as tables that are not cleared."""
    found = [what for line in report.lines if line.status for what in line.status.waiting]
    for what in found[:WAITING_SHOWN]:
        console.print(f"waits  {what.stream} {what.what}: {what.why}", highlight=False)
    if len(found) > WAITING_SHOWN:
        console.print(f"… and {len(found) - WAITING_SHOWN} more wait", style="dim")


def duration(milliseconds: int) -> str:
    """Write a duration in its two largest units, such as `2 h 5 min`."""
    seconds = max(milliseconds, 0) // 1000
    minutes, hours = seconds // 60, seconds // 3600
    if hours:
        return f"{hours} h {minutes % 60} min"
    return f"{minutes} min {seconds % 60} s" if minutes else f"{seconds} s"
