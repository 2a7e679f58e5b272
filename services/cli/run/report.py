"""How a run ends on the screen: standings and prizes, the work done, the verdicts."""

from collections.abc import Mapping, Sequence
from typing import Any

from rich.console import Console
from rich.table import Table

from services.cli.verdicts import Verdict

STANDINGS_SHOWN = 12


def standings(console: Console, lobby: dict[str, Any]) -> None:
    """Print the places, the paid ones first."""
    pool = f"{lobby['terms']['name']}: pool €{euros(lobby['pool_cents'])}"
    table = Table(title=pool, title_justify="left", min_width=len(pool))
    table.add_column("place", justify="right")
    table.add_column("player")
    table.add_column("prize", justify="right")
    for place in lobby["places"][:STANDINGS_SHOWN]:
        prize = f"€{euros(place['prize_cents'])}" if place["prize_cents"] else ""
        table.add_row(str(place["place"]), place["name"], prize)
    console.print(table)
    more = len(lobby["places"]) - STANDINGS_SHOWN
    if more > 0:
        console.print(f"… and {more} more without a prize", style="dim")


def work(console: Console, hands: int, seconds: float, commits: Mapping[str, int]) -> None:
    """Print how much was done in how much time."""
    console.print(f"{hands} hands in {seconds:.1f} s: [bold]{hands / seconds:.1f} hands/s[/bold]")
    counts = ", ".join(f"{service} {count:,}" for service, count in commits.items())
    console.print(f"commits: {counts}")


def judged(console: Console, verdicts: Sequence[Verdict]) -> bool:
    """Print the verdicts; return whether all are true."""
    for verdict in verdicts:
        mark = "[green]true [/green]" if verdict.true else "[bold red]FALSE[/bold red]"
        console.print(f"  {mark} {verdict.name:<28} [dim]{verdict.detail}[/dim]")
    return all(verdict.true for verdict in verdicts)


def euros(cents: int) -> str:
    """Write cents as euros, such as `1,234.50`."""
    return f"{cents // 100:,}.{cents % 100:02d}"
