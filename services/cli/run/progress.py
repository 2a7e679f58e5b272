"""What a person sees while a tournament runs: the lobby, a table a row, the last ones out."""

import time
from typing import Any

from rich.console import Console, Group, RenderableType
from rich.live import Live
from rich.panel import Panel
from rich.progress_bar import ProgressBar
from rich.table import Table
from rich.text import Text

PLAIN_SECONDS = 5.0
SEATS_SHOWN = 10


class Progress:
    """A live picture on a terminal, a line every few seconds elsewhere."""

    def __init__(self, console: Console) -> None:
        self._console = console
        self._live = Live(console=console, refresh_per_second=8, transient=True)
        self._began = time.monotonic()
        self._said = self._began

    def __enter__(self) -> "Progress":
        if self._console.is_terminal:
            self._live.start()
        return self

    def __exit__(self, *_: object) -> None:
        if self._console.is_terminal:
            self._live.stop()

    def show(self, lobby: dict[str, Any], hands: int) -> None:
        """Show the tournament as the lobby tells it."""
        if self._console.is_terminal:
            self._live.update(picture(lobby, hands, time.monotonic() - self._began))
            return
        if time.monotonic() - self._said >= PLAIN_SECONDS:
            self._said = time.monotonic()
            left, entries = lobby["players_left"], lobby["terms"]["entries"]
            self._console.print(f"{left} of {entries} players left, {hands} hands")


def picture(lobby: dict[str, Any], hands: int, seconds: float) -> RenderableType:
    """Draw the tournament as it stands."""
    entries, left = lobby["terms"]["entries"], lobby["players_left"]
    head = Text.assemble(
        (f"{left} of {entries} left", "bold"),
        f" · {level_line(lobby)} · {hands} hands · {hands / max(seconds, 0.1):.1f} hands/s",
        (" · hand for hand" if lobby["hand_for_hand"] else "", "yellow"),
    )
    bar = ProgressBar(total=max(entries - 1, 1), completed=entries - max(left, 1))
    return Panel(
        Group(head, bar, Text(), tables(lobby), Text(), last_out(lobby)),
        title=lobby["terms"]["name"],
        border_style="green",
    )


def level_line(lobby: dict[str, Any]) -> str:
    """Tell the level, such as `level 3, blinds 25/50, ante 5`."""
    if lobby["level"] is None:
        return "registering"
    level = lobby["level"]["level"]
    line = f"blinds {level['small_blind_chips']:,}/{level['big_blind_chips']:,}"
    ante = f", ante {level['ante_chips']:,}" if level["ante_chips"] else ""
    return f"level {lobby['level']['number']}, {line}{ante}"


def tables(lobby: dict[str, Any]) -> Table:
    """Draw a row per table: every seat with its stack."""
    drawn = Table(box=None, pad_edge=False)
    drawn.add_column("table", style="cyan", no_wrap=True)
    seats_max = min(lobby["terms"]["seats"], SEATS_SHOWN)
    for seat in range(1, seats_max + 1):
        drawn.add_column(f"{seat}", justify="right", min_width=6)
    for table in lobby["tables"]:
        stacks = {seat["seat"]: seat for seat in table["seats"]}
        cells = [cell(stacks.get(seat)) for seat in range(1, seats_max + 1)]
        drawn.add_row(str(table["number"]), *cells)
    return drawn


def cell(seat: dict[str, Any] | None) -> Text:
    """Draw one seat: its chips, dim when the player is Out."""
    if seat is None:
        return Text("·", "dim")
    return Text(f"{seat['stack_chips']:,}", "dim" if seat["out"] else "")


def last_out(lobby: dict[str, Any]) -> Text:
    """Name who went out last."""
    out = [place for place in lobby["places"] if place["place"] > 1][:5]
    if not out:
        return Text("nobody is out yet", "dim")
    return Text("out: " + ", ".join(f"{p['place']}. {p['name']}" for p in out), "dim")
