"""The bench as a picture: where cards lie too often, and every p-value beside alpha."""

from collections.abc import Sequence
from pathlib import Path
from typing import Final

import numpy as np
from matplotlib.axes import Axes
from matplotlib.backends.backend_agg import FigureCanvasAgg
from matplotlib.colors import Normalize
from matplotlib.figure import Figure, SubFigure
from matplotlib.image import AxesImage

from services.cli.rng.chances import Reals
from services.cli.rng.lines import LINE_ALPHA, Line

COLUMNS: Final = 3
PANEL_INCHES: Final = 3.2
LEAST_P: Final = 1e-40
DEVIATION_SHOWN: Final = 6.0
DOTS_PER_INCH: Final = 110
COLOURS: Final = {"passes": "tab:green", "biased": "tab:red", "repeats": "tab:orange"}


def draw(lines: Sequence[Line], file: Path) -> None:
    """Write the picture, as PNG."""
    decks = [(line, line.measured.table) for line in lines if line.measured.table is not None]
    rows = -(-len(decks) // COLUMNS)
    size = (COLUMNS * PANEL_INCHES + 8, rows * PANEL_INCHES + 0.6)
    figure = Figure(figsize=size, dpi=DOTS_PER_INCH, layout="constrained")
    FigureCanvasAgg(figure)
    halves = figure.subfigures(1, 2, squeeze=False, width_ratios=(COLUMNS * PANEL_INCHES, 8))
    heat_maps(halves[0, 0], rows, decks)
    p_values(halves[0, 1].subplots(), [line for line in lines if line.measured.tests])
    figure.savefig(file, format="png")


def heat_maps(figure: SubFigure, rows: int, decks: Sequence[tuple[Line, Reals]]) -> None:
    """A map for each dealer; chance alone shows even grain."""
    figure.suptitle("how often each card lies at each place, in standard deviations from 1/52")
    panels = figure.subplots(rows, COLUMNS, squeeze=False).ravel()
    for panel in panels[len(decks) :]:
        panel.set_axis_off()
    images = [
        heat_map(panel, line, table) for panel, (line, table) in zip(panels, decks, strict=False)
    ]
    figure.colorbar(images[0], ax=list(panels), extend="both", shrink=0.6, aspect=40)


def heat_map(panel: Axes, line: Line, table: Reals) -> AxesImage:
    panel.set_title(f"{line.name}: {line.found}", fontsize=10, color=COLOURS[line.found])
    panel.set_xlabel("card", fontsize=8)
    panel.set_ylabel("place", fontsize=8)
    panel.tick_params(labelsize=7)
    shade = Normalize(-DEVIATION_SHOWN, DEVIATION_SHOWN)
    return panel.imshow(table, norm=shade, cmap="RdBu_r", interpolation="nearest")


def p_values(panel: Axes, lines: Sequence[Line]) -> None:
    """All p-values of a line in a row; the bar is the line's alpha over its number of tests."""
    panel.set_xscale("log")
    panel.set_xlim(LEAST_P / 10, 3)
    panel.set_ylim(len(lines) - 0.5, -0.5)
    panel.set_yticks(range(len(lines)), [line.name for line in lines])
    panel.set_xlabel(f"p-value of each test ({LEAST_P:.0e} and less at the left edge)")
    panel.set_title(f"p-values; bar: alpha {LINE_ALPHA} of a line over its tests")
    panel.grid(axis="x", alpha=0.3)
    for at, line in enumerate(lines):
        shown = np.maximum([test.p for test in line.measured.tests], LEAST_P)
        panel.plot(shown, [at] * len(shown), "o", alpha=0.6, color=COLOURS[line.found])
        panel.vlines(LINE_ALPHA / len(shown), at - 0.4, at + 0.4, colors="black")
        oddest_named(panel, at, line)


def oddest_named(panel: Axes, at: int, line: Line) -> None:
    """Name the test that was the oddest, where it is beyond the bar."""
    test = min(line.measured.tests, key=lambda one: one.p)
    if line.found != "passes":
        place = (max(test.p, LEAST_P), at - 0.22)
        panel.annotate(test.name, place, fontsize=8, va="bottom", ha="left")
