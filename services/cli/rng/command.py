"""`rollforward rng bench`: exit code 0 only if every verdict is the expected one."""

import importlib
from importlib.util import find_spec
from pathlib import Path
from typing import Final

import cyclopts

from shared.runtime.settings import SettingsError

NEEDED: Final = ("numpy", "scipy", "matplotlib")

app = cyclopts.App(name="rng", help="Decks, dice and draws, and whether chance alone made them.")


@app.command
def bench(*, decks: int = 200_000, seed: int = 1, plot: Path | None = None) -> int:
    """Test the dealer's decks, dice, draws and bytes, and see known-bad dealers flagged.

    Parameters
    ----------
    decks
        How many decks each dealer makes.
    seed
        What the bad dealers are made from; the real one uses the operating system's generator.
    plot
        Write a picture here (PNG): deviations card by place, and all p-values.
    """
    missing = [name for name in NEEDED if find_spec(name) is None]
    if missing:
        raise SettingsError(
            f"{', '.join(missing)} not installed: rng bench needs the extra 'bench'"
        )
    run = importlib.import_module("services.cli.rng.bench")
    return int(run.bench(decks, seed, plot))
