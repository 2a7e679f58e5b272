"""`python -m tests.bench`: every benchmark in one run, beside its peer, into build/bench.json."""

import json
from collections.abc import Callable
from importlib import import_module
from pathlib import Path

import pytest
from rich.console import Console
from rich.table import Table

Figures = dict[str, dict[str, object]]

ROOT = Path(__file__).resolve().parents[2]
FILE = ROOT / "build" / "bench.json"


def benches() -> dict[str, Callable[[], Figures]]:
    """Return `run` of every module beside this one."""
    names = sorted(path.stem for path in Path(__file__).parent.glob("[a-z]*.py"))
    return {name: import_module(f"tests.bench.{name}").run for name in names}


def main() -> None:
    """Measure, print, write."""
    console = Console()
    figures: Figures = {}
    for name, run in benches().items():
        console.print(f"[dim]measuring {name} …[/dim]")
        try:
            figures |= run()
        except pytest.skip.Exception as skipped:
            console.print(f"[yellow]{name} skipped: {skipped}[/yellow]")
    table = Table("what", "value", "unit", "peer", "peer value", "ratio")
    for name, figure in figures.items():
        cells = [figure.get(key) for key in ("value", "unit", "peer", "peer_value", "ratio")]
        table.add_row(name, *[shown(cell) for cell in cells])
    console.print(table)
    FILE.parent.mkdir(exist_ok=True)
    FILE.write_text(json.dumps(figures, indent=2) + "\n")
    console.print(f"written to {FILE.relative_to(ROOT)}")


def shown(cell: object) -> str:
    """Write one cell: thousands grouped, small numbers with two digits."""
    if isinstance(cell, int | float):
        return f"{cell:,.0f}" if abs(cell) >= 100 else f"{cell:,.2f}"
    return "" if cell is None else str(cell)


if __name__ == "__main__":
    main()
