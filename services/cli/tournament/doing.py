"""One act at the operator's desk, and what is said about it."""

import sys

from services.cli.tournament.desk import Desk, NotDone


def done(desk: Desk, tournament: str, act: str, **said: str) -> int:
    """Have an act done, and say so."""
    try:
        desk.act(tournament, act, **said)
    except NotDone as error:
        return not_done(error)
    sys.stdout.write(f"{tournament}: {act} recorded\n")
    return 0


def not_done(error: NotDone) -> int:
    """Say why nothing was done."""
    sys.stderr.write(f"rollforward: {error}\n")
    return 1
