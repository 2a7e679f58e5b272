"""The journal's answers on a terminal: amounts in euros, to the right, grouped by thousands."""

from collections.abc import Iterable, Mapping
from typing import Any

from rich.console import Console
from rich.table import Table

from services.cli.wallet.explaining import Explanation
from services.cli.wallet.funds import Funds
from services.cli.wallet.reconciling import Reconciliation

SHA_SHOWN = 12


def euros(cents: int) -> str:
    """Write cents as euros, such as `-1,234.50`."""
    whole, rest = divmod(abs(cents), 100)
    return f"{'-' if cents < 0 else ''}{whole:,}.{rest:02d}"


def table(*columns: str, title: str = "") -> Table:
    """Make a table whose columns in capitals hold numbers."""
    made = Table(title=title or None, title_justify="left")
    for name in columns:
        number = name.isupper()
        made.add_column(name.lower(), justify="right" if number else "left", no_wrap=number)
    return made


def complain(console: Console, wrong: Iterable[str]) -> None:
    """Print what is wrong, in red, or that nothing is."""
    named = list(wrong)
    for what in named:
        console.print(f"[bold red]wrong[/bold red]  {what}", highlight=False)
    if not named:
        console.print("[green]all of it adds up[/green]")


def explanation(found: Explanation) -> None:
    """Print an account's entries."""
    console = Console()
    shown = table("COMMIT", "at", "act", "about", "with", "AMOUNT", "BALANCE", title=found.account)
    for entry in found.entries:
        shown.add_row(
            str(entry.number),
            entry.at,
            entry.act,
            f"{entry.about}\n[dim]{entry.why} · sha256 {entry.sha256[:SHA_SHOWN]}…[/dim]",
            " ".join(entry.with_accounts),
            euros(entry.amount_cents),
            euros(entry.balance_cents),
        )
    console.print(shown)
    console.print(f"{found.account} holds {euros(found.balance_cents)}")
    complain(console, found.wrong)


def trial_balance(found: Mapping[str, Any]) -> None:
    """Print all balances, and their sums by purpose."""
    console = Console()
    shown = table("account", "BALANCE")
    for account, cents in found["balances"].items():
        shown.add_row(account, euros(cents))
    console.print(shown)
    sums = table("purpose", "BALANCE")
    for purpose, cents in found["purposes"].items():
        sums.add_row(purpose, euros(cents))
    sums.add_section()
    sums.add_row("sum", euros(found["sum_cents"]))
    console.print(sums)
    total = found["sum_cents"]
    complain(console, [f"the journal is off by {euros(total)}"] if total else [])


def funds(found: Funds) -> None:
    """Print the players' funds, player by player and together."""
    console = Console()
    shown = table("player", "CASH", "HELD", "PENDING")
    for player in found.players:
        amounts = (player.cash_cents, player.held_cents, player.pending_cents)
        shown.add_row(player.player, *map(euros, amounts))
    console.print(shown)
    sums = table("players' funds", "AMOUNT")
    for name, cents in (
        ("cash", found.cash_cents),
        ("in play: holds, pools, tickets", found.in_play_cents),
        ("pending withdrawals", found.pending_cents),
        ("unclaimed", found.unclaimed_cents),
        ("owed to players", found.players_cents),
        ("segregated total at the bank", found.segregated_cents),
        ("the operator's own of it", found.surplus_cents),
    ):
        sums.add_row(name, euros(cents))
    console.print(sums)
    missing = -found.surplus_cents
    complain(console, [f"the bank lacks {euros(missing)} of it"] if missing > 0 else [])


def reconciliation(found: Reconciliation) -> None:
    """Print each tournament's money by kind."""
    console = Console()
    shown = table("tournament", "kind", "COUNT", "DIRECTOR", "WALLET", "UNDER WAY")
    for line in found.lines:
        amounts = (line.director_cents, line.wallet_cents, line.under_way_cents)
        shown.add_row(line.tournament, line.kind, str(line.count), *map(euros, amounts))
    console.print(shown)
    console.print(f"tables: {found.chips}")
    complain(console, found.wrong)
