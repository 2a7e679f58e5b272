"""`rollforward tournament …`: write the terms, check them, announce; cancel, pause, resume.

Exit codes: 0; 1 when the terms are wrong, or the gateway refuses or does not answer; 2 when there
is no such file, template or zone, or no gateway was named.
"""

import sys
import time
from datetime import UTC, tzinfo
from importlib import resources
from importlib.resources.abc import Traversable
from pathlib import Path
from typing import Annotated

import cyclopts
from rich.console import Console

from services.cli.printable import printable
from services.cli.tournament.desk import NOWHERE, Desk, NotDone
from services.cli.tournament.doing import done, done_on_log, not_done
from services.cli.tournament.file import Wrong, read
from services.cli.tournament.interrupted import approve, leave_out, sheet, withdraw
from services.cli.tournament.moments import NoMoment, zone_named
from services.cli.tournament.prize_table import usual_entries
from services.cli.tournament.showing import show
from shared.contracts.director import CancelTournament, Terms
from shared.runtime.settings import SettingsError

TEMPLATES = resources.files("services.cli.tournament") / "templates"
PAST = "the start is past: it would be cancelled at once, or start with whoever is there"

Entries = Annotated[
    list[Annotated[int, cyclopts.Parameter(validator=cyclopts.validators.Number(gte=1))]] | None,
    cyclopts.Parameter(consume_multiple=True),
]

app = cyclopts.App(name="tournament", help="The terms of tournaments, and what becomes of them.")
app.command(sheet)
app.command(approve)
app.command(withdraw)
app.command(leave_out)


@app.command
def check(file: Path, /, *, entries: Entries = None, zone: str = "") -> int:
    """Say everything that is wrong with terms in a file, or show them as players read them.

    Parameters
    ----------
    file
        `.toml` or `.json`: the fields of the terms; `start` and `zone` instead of `start_at_ms`.
    entries
        For how many entries to show the prizes; else the least, the most, and a few between.
    zone
        The time zone in which to show the start, such as Europe/Rome; else that of the file.
    """
    shown_in = asked_zone(zone)
    try:
        terms, files_zone = read(file)
    except Wrong as wrong:
        return complain(file, wrong)
    show(Console(), terms, shown_in or files_zone or UTC, tuple(entries or usual_entries(terms)))
    if is_past(terms):
        sys.stderr.write(f"{file}: {PAST}\n")
    return 0


@app.command
def templates() -> int:
    """List the ready-made terms."""
    found = [template_named(name) for name in template_names()]
    width = max(len(name_of(one)) for one in found)
    for one in found:
        first = one.read_text(encoding="utf-8").partition("\n")[0]
        sys.stdout.write(f"{name_of(one):<{width}}  {first.removeprefix('# ')}\n")
    return 0


@app.command
def template(name: str, /) -> int:
    """Print ready-made terms, to be saved in a file and changed there.

    Parameters
    ----------
    name
        One of those that `templates` lists.
    """
    if name not in template_names():
        sys.stderr.write(f"rollforward: there are {', '.join(template_names())}\n")
        return 2
    sys.stdout.write(template_named(name).read_text(encoding="utf-8"))
    return 0


@app.command
def create(file: Path, /, *, desk: Desk = NOWHERE) -> int:
    """Announce a tournament on the terms of a file, and print its id.

    Parameters
    ----------
    file
        What `check` finds nothing wrong with, and whose start is not past.
    desk
        The operator's desk at the gateway.
    """
    try:
        terms = read(file).terms
    except Wrong as wrong:
        return complain(file, wrong)
    if is_past(terms):
        sys.stderr.write(f"{file}: {PAST}\n")
        return 1
    try:
        sys.stdout.write(f"{desk.announce(terms)}\n")
    except NotDone as error:
        return not_done(error)
    return 0


@app.command
def cancel(
    tournament: str,
    /,
    *,
    reason: str,
    preview: bool = False,
    on_log: bool = False,
    desk: Desk = NOWHERE,
) -> int:
    """Give a tournament up: before its start everybody gets everything back (PP-CRASH-REG).

    While it runs its tables are halted, and a second operator has to approve what is paid.

    Parameters
    ----------
    tournament
        `trn_…`.
    reason
        Why: its players are told.
    preview
        Only show what it would pay as of now; nothing is done.
    on_log
        Decide it on the log in `$DATABASE_URL`; no service is asked, and no director may run.
    desk
        The operator's desk at the gateway.
    """
    if preview:
        return sheet(tournament, from_log=on_log, desk=desk)
    if on_log:
        return done_on_log(desk, tournament, CancelTournament(author="", reason=reason))
    return done(desk, tournament, "cancellation", reason=reason)


@app.command
def void_hand(table: str, hand: str, /, *, reason: str, desk: Desk = NOWHERE) -> int:
    """Give up one hand that waits for the dealer for ever; its players get another one.

    The first time it is only doubted. Half a minute later the same makes it void, if the dealer
    has not answered since; every stack is as it was at its start.

    Parameters
    ----------
    table
        `tbl_…`.
    hand
        `hnd_…`: where `rollforward status` shows that the table asks, its state names the hand
        (`rollforward replay --stream tbl_…`).
    reason
        Why: its players are told.
    desk
        The operator's desk at the gateway.
    """
    try:
        void = desk.void_hand(table, hand, reason)
    except NotDone as error:
        return not_done(error)
    told = "void" if void else "doubted; say it again in half a minute"
    sys.stdout.write(f"{hand}: {told}\n")
    return 0


@app.command
def pause(tournament: str, /, *, reason: str, desk: Desk = NOWHERE) -> int:
    """Let hands in play end and no other begin, until it is resumed.

    Parameters
    ----------
    tournament
        `trn_…`.
    reason
        Why: its players are told.
    desk
        The operator's desk at the gateway.
    """
    return done(desk, tournament, "pause", reason=reason)


@app.command
def resume(tournament: str, /, *, desk: Desk = NOWHERE) -> int:
    """Let a paused tournament go on; its level lasts as long as it would have.

    Parameters
    ----------
    tournament
        `trn_…`.
    desk
        The operator's desk at the gateway.
    """
    return done(desk, tournament, "resumption")


def complain(file: Path, wrong: Wrong) -> int:
    """Name everything that is wrong."""
    for fault in wrong.faults:
        sys.stderr.write(f"{file}: {printable(f'{fault.where}: {fault.why}')}\n")
    if not wrong.judged_whole:
        sys.stderr.write(f"{file}: what the terms must be as a whole was not judged yet\n")
    return 1


def is_past(terms: Terms) -> bool:
    """Tell whether a scheduled start lies behind."""
    return 0 < terms.start_at_ms <= time.time_ns() // 1_000_000


def asked_zone(name: str) -> tzinfo | None:
    """Find the zone that was asked for; raise SettingsError."""
    try:
        return zone_named(name) if name else None
    except NoMoment as error:
        raise SettingsError(f"--zone: {error}") from None


def template_names() -> tuple[str, ...]:
    """Return the names of all templates."""
    return tuple(sorted(name_of(one) for one in TEMPLATES.iterdir()))


def template_named(name: str) -> Traversable:
    return TEMPLATES / f"{name}.toml"


def name_of(one: Traversable) -> str:
    return one.name.removesuffix(".toml")
