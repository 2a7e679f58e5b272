"""A sheet written out: as CSV, and as a page to print, which loads nothing from anywhere."""

import csv
from collections.abc import Iterable, Iterator, Sequence
from html import escape
from io import StringIO
from typing import Final

from shared.contracts.director import PayoutLine, SheetPage

COLUMNS: Final = (
    "player",
    "table",
    "seat",
    "chips",
    "certain_cents",
    "chips_cents",
    "rounding_cents",
    "commission_cents",
    "total_cents",
    "certain_exact",
    "chips_exact",
)
STAGES: Final = {
    "preview": "preview: as of now, and binding nobody",
    "halting": "not final: tables are still playing",
    "final": "final: waits for approval",
    "approved": "approved",
}
STYLE: Final = """
body { font: 11pt/1.4 system-ui, sans-serif; color: #000; background: #fff; margin: 2rem }
table { border-collapse: collapse; width: 100% } thead { display: table-header-group }
th, td { border-bottom: 1px solid #999; padding: .15rem .5rem; text-align: right }
th:first-child, td:first-child { text-align: left } tr { break-inside: avoid }
dt { float: left; clear: left; width: 12rem; font-weight: bold } dd { margin-left: 12rem }
code { overflow-wrap: anywhere } .signed { margin-top: 4rem }
@page { margin: 15mm }
"""


def as_csv(sheet: SheetPage) -> str:
    """Write a row for each player, in the order of tables and seats; amounts are in cents."""
    return rows(sheet.lines, COLUMNS)


def rows(lines: Iterable[object], columns: Sequence[str]) -> str:
    """Write these columns of all lines, and their names above."""
    text = StringIO()
    writer = csv.writer(text, lineterminator="\r\n")
    writer.writerow(columns)
    writer.writerows([getattr(line, column) for column in columns] for line in lines)
    return text.getvalue()


def as_page(tournament: str, name: str, sheet: SheetPage) -> str:
    """Write everything that an operator approves, and a line to sign on."""
    return "\n".join(lines_of(tournament, name, sheet))


def lines_of(tournament: str, name: str, sheet: SheetPage) -> Iterator[str]:
    title = escape(f"{name} {tournament}".strip())
    yield f'<!doctype html><html lang="en"><head><meta charset="utf-8"><title>{title}</title>'
    yield f"<style>{STYLE}</style></head><body><h1>{title}</h1><dl>"
    for term, told in facts(sheet):
        yield f"<dt>{escape(term)}</dt><dd>{escape(told)}</dd>"
    yield f"<dt>hash</dt><dd><code>{escape(sheet.sheet_hash)}</code></dd></dl>"
    for warning in sheet.warnings:
        yield f"<p><strong>Warning:</strong> {escape(warning)}</p>"
    certain = escape(sheet.certain)
    yield "<table><thead><tr><th>player<th>table<th>seat<th>chips"
    yield f"<th>{certain}<th>by chips<th>rounding<th>commission<th>total</tr></thead><tbody>"
    for line in sheet.lines:
        yield row(line)
    yield "</tbody></table><h2>Cut</h2><p>Up to where each table's facts count:</p><ul>"
    for cut in sheet.cut:
        upto = f"commit {cut.number} of {cut.upstream}" if cut.upstream else "none"
        yield f"<li>{escape(cut.table)}: {escape(upto)}</li>"
    yield '</ul><p class="signed">Date, name, signature: ______________________________</p>'
    yield "</body></html>"


def facts(sheet: SheetPage) -> Iterator[tuple[str, str]]:
    """Say in words what stands above the lines."""
    yield "stage", STAGES.get(sheet.stage, sheet.stage)
    yield "policy", sheet.policy
    if sheet.opened_by:
        yield "opened by", sheet.opened_by
        yield "reason", sheet.reason
    if sheet.approved_by:
        yield "approved by", sheet.approved_by
    if sheet.waiting:
        yield "waiting for", ", ".join(sheet.waiting)
    if sheet.left_out:
        yield "left out", ", ".join(sheet.left_out)
    yield "players", f"{sheet.players:,}"
    yield "pool", euros(sheet.pool_cents)
    yield "prizes won", euros(sheet.paid_cents)
    yield "residual", euros(sheet.residual_cents)
    yield "the operator adds", euros(sheet.operator_top_up_cents)
    yield "paid by this sheet", euros(sum(line.total_cents for line in sheet.lines))


def row(line: PayoutLine) -> str:
    """Write one player's line; who is out has no seat."""
    cents = (line.rounding_cents, line.commission_cents, line.total_cents)
    cells = (
        escape(line.player),
        str(line.table or "–"),
        str(line.seat or "–"),
        f"{line.chips:,}",
        term(line.certain_cents, line.certain_exact),
        term(line.chips_cents, line.chips_exact),
        *map(euros, cents),
    )
    return "<tr>" + "".join(f"<td>{cell}" for cell in cells) + "</tr>"


def term(cents: int, exact: str) -> str:
    """Write what is floored with the fraction of cents that it comes from."""
    fraction = f"<br><small>{escape(exact)} cents</small>" if "/" in exact else ""
    return euros(cents) + fraction


def euros(cents: int) -> str:
    """Write an amount, integers only."""
    whole, rest = divmod(abs(cents), 100)
    return f"{'-' * (cents < 0)}€{whole:,}.{rest:02d}"
