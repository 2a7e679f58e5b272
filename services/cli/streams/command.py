"""`rollforward streams`: what an operator does when streams and logs contradict each other.

That happens when a database was restored to an earlier moment and NATS was not: the streams hold
facts that are no facts any more, and the relays stop. `lost` lists them, `delete` makes room.
"""

import asyncio
import os
import sys
from collections.abc import Sequence

import cyclopts

from services.cli.platform import lines_of
from services.cli.streams.comparing import Compared, as_json, compared, sentence, told
from services.cli.streams.reading import connected, read_copies
from shared.runtime import logs
from shared.runtime.adapters import database_care
from shared.runtime.adapters.stream_care import delete_stream
from shared.runtime.adapters.whole_logs import read_logs
from shared.runtime.ports import Line
from shared.runtime.settings import SettingsError

app = cyclopts.App(name="streams", help="The streams on $NATS_URL beside the logs they deliver.")


@app.default
def compare() -> int:
    """Compare every stream with its log, byte by byte; 1 when one contradicts its log."""
    found = compared_all()
    for one in found:
        print(sentence(one))
    return 1 if any(one.contradicts for one in found) else 0


@app.command
def lost(*, json: bool = False) -> int:
    """List the facts that streams have and logs have not; they are gone once the streams are.

    Parameters
    ----------
    json
        Whole commits, one a line: keep them where money has to be set right by hand.
    """
    for one in compared_all():
        for fact in as_json(one) if json else told(one):
            print(fact)
    return 0


@app.command
def delete(line: str = "", /) -> int:
    """Delete the streams that contradict their logs; the relays make them anew from the logs.

    Parameters
    ----------
    line
        Only this one, such as `table-0`, and even if nothing is wrong with it.
    """
    found = compared_all()
    if line and line not in {str(one.line) for one in found}:
        known = ", ".join(str(one.line) for one in found)
        print(f"there is no line {line!r}; there are {known}", file=sys.stderr)
        return 2
    chosen = [one for one in found if str(one.line) == line or (not line and one.contradicts)]
    asyncio.run(deleted([one.line for one in chosen]))
    for one in chosen:
        print(f"{one.line.stream} deleted, {len(one.lost)} facts with it that no log has")
    if not chosen:
        print("no stream contradicts its log")
    return 0


def compared_all() -> list[Compared]:
    """Read all logs and streams and compare them."""
    logs.configure("streams", "", "error")
    database_url, nats_url = setting("DATABASE_URL"), setting("NATS_URL")
    snapshot = read_logs(database_url, lines_of(database_care.read(database_url).shards))
    copies = asyncio.run(read_copies(database_url, nats_url, snapshot, settle_seconds=0))
    return [compared(line, copy) for line, copy in copies.items()]


async def deleted(lines: Sequence[Line]) -> None:
    async with connected(setting("NATS_URL")) as client:
        for line in lines:
            await delete_stream(client, line)


def setting(name: str) -> str:
    """Read a variable of the environment that has to be there."""
    if not os.environ.get(name):
        raise SettingsError(f"{name} is not set")
    return os.environ[name]
