"""`rollforward regulator messages` exports them: a table, JSON lines, or CSV."""

import csv
import sys
from collections.abc import Iterable, Iterator
from typing import Annotated, Literal

import cyclopts
import msgspec
from rich.box import SIMPLE
from rich.console import Console
from rich.table import Column, Table

from services.cli.regulator.messages import Message, Session, sessions_of
from services.cli.wallet.acts import acts_of
from services.cli.wallet.command import logs
from services.cli.wallet.screen import euros

Output = Annotated[Literal["table", "json", "csv"], cyclopts.Parameter(name=["--output", "-o"])]

app = cyclopts.App(
    name="regulator", help="What the regulator's protocol is told: sessions, rights, winners."
)


@app.command
def messages(tournament: str = "", /, *, at: str = "", output: Output = "table") -> int:
    """Derive the protocol's messages from the logs in PostgreSQL; 1 when something is missing yet.

    Parameters
    ----------
    tournament
        Only this session.
    at
        As of this moment.
    output
        For people, or one JSON object or CSV row per message.
    """
    found = logs(at)
    acts = [
        act
        for line, rows in found.items()
        if line.service in ("director", "wallet")
        for act in acts_of(rows, str(line))
    ]
    sessions = [one for one in sessions_of(acts) if tournament in ("", one.tournament)]
    if tournament and not sessions:
        sys.stderr.write(f"rollforward: there is no tournament {tournament!r}\n")
        return 2
    {"table": show, "json": write_json, "csv": write_csv}[output](sessions)
    return complained(sessions)


def show(sessions: Iterable[Session]) -> None:
    """Print each session's messages for people."""
    for session in sessions:
        id_ = next((message.session_id for message in session.messages), "")
        shown = Table(
            *("no", "code", "at", "right", "player", Column("amount", justify="right")),
            title=f"session {id_ or '(no id yet)'} · {session.tournament}",
            title_justify="left",
            box=SIMPLE,
            pad_edge=False,
            padding=(0, 1, 0, 0),
        )
        for message in session.messages:
            shown.add_row(
                str(message.number),
                str(message.code),
                message.at[5:19].replace("T", " "),
                message.participation_id,
                message.player or "\n".join(message.players),
                euros(message.amount_cents),
            )
        Console().print(shown)


def told(sessions: Iterable[Session]) -> Iterator[Message]:
    """Return all messages, session by session."""
    return (message for session in sessions for message in session.messages)


def write_json(sessions: Iterable[Session]) -> None:
    """Write one object a line."""
    for message in told(sessions):
        sys.stdout.write(msgspec.json.encode(message).decode() + "\n")


def write_csv(sessions: Iterable[Session]) -> None:
    """Write one row a message, lists with blanks between."""
    writer = csv.writer(sys.stdout)
    fields = Message.__struct_fields__
    writer.writerow(fields)
    for message in told(sessions):
        values = (getattr(message, field) for field in fields)
        writer.writerow([" ".join(map(str, v)) if isinstance(v, tuple) else v for v in values])


def complained(sessions: Iterable[Session]) -> int:
    """Say on the error stream what is missing."""
    missing = [(one.tournament, what) for one in sessions for what in one.missing]
    for tournament, what in missing:
        sys.stderr.write(f"{tournament}: {what}\n")
    return 1 if missing else 0
