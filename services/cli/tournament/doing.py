"""One act at the operator's desk, or on the log, and what is said about it."""

import sys
from typing import Any

from services.cli.tournament.desk import Desk, NotDone
from services.cli.tournament.on_log import decide_on_log


def done(desk: Desk, tournament: str, act: str, **said: str) -> int:
    """Have an act done, and say so."""
    try:
        desk.act(tournament, act, **said)
    except NotDone as error:
        return not_done(error)
    sys.stdout.write(f"{tournament}: {act} recorded\n")
    return 0


def done_on_log(desk: Desk, tournament: str, *commands: Any) -> int:
    """Have it decided without any service, and say so; the author is whose token the desk has."""
    try:
        decide_on_log(desk, tournament, commands)
    except NotDone as error:
        return not_done(error)
    sys.stdout.write(f"{tournament}: recorded in its log; it travels when a director runs\n")
    return 0


def not_done(error: NotDone) -> int:
    """Say why nothing was done."""
    sys.stderr.write(f"rollforward: {error}\n")
    return 1
