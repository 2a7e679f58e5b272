"""`make soak`: a tournament of bots while processes and engines are killed at random, to its end.

The seed draws the troubles and the bots' play; what a trouble hits depends on the moment as well,
so the same seed makes a similar run, not the same one.
"""

import argparse
import asyncio
import shutil
import sys
import time
from collections import Counter
from collections.abc import Sequence
from contextlib import ExitStack
from pathlib import Path
from tempfile import mkdtemp
from typing import Any

import httpx
from rich.console import Console

from services.cli.bots.crew import LOOK_SECONDS, Crew
from services.cli.platform import NotReady
from services.cli.run.command import Stuck, is_over
from services.cli.run.report import judged
from services.cli.run.terms import quick_terms
from services.cli.verdicts import Verdict, judge, read_lines
from shared.contracts.commit import moment
from shared.runtime import logs
from shared.runtime.adapters.engines import NatsServer, Postgres
from tests.soak.battered import DECIDING, Battered
from tests.soak.judging import all_placed, longest_gap, nothing_fell, nothing_parked
from tests.soak.trouble import Trouble

SEATS = 9
PROCESSES_EACH = 2
STUCK_SECONDS = 90.0
SAY_SECONDS = 10.0
SETTLE_SECONDS = 60.0


async def soak(console: Console, platform: Battered, given: argparse.Namespace) -> bool:
    """Play one tournament in all that trouble; return whether all is true in the end."""
    seed, players = given.seed, given.players
    async with Crew(platform.url("gateway"), platform.operator_token, players, seed) as crew:
        name = await crew.start(quick_terms(players, SEATS))
        began, since = time.monotonic(), moment(time.time_ns() // 1_000_000)
        console.print(f"{players} bots play, trouble about every {given.seconds:g} s")
        trouble = Trouble(platform, seed, given.seconds, console.print)
        making = asyncio.create_task(trouble.make())
        try:
            lobby = await watched(console, crew, name)
        finally:
            trouble.enough.set()
            await making
            await trouble.end()
        seconds = time.monotonic() - began
        await asyncio.to_thread(platform.wait_ready)
        hands, wanted = len(crew.hands), [player.player for player in crew.players]
        refused = sum([Counter(player.refused) for player in crew.players], Counter())
    settings = platform.settings
    copies = await read_lines(
        settings.database_url, settings.nats_url, platform.lines, SETTLE_SECONDS
    )
    gap = longest_gap(copies, since)
    done = ", ".join(f"{count} × {kind}" for kind, count in sorted(trouble.done.items()))
    console.print(f"{hands} hands in {seconds:.0f} s: {hands / seconds:.1f} hands/s; {done}")
    console.print(f"longest gap between two facts: {gap.seconds:.1f} s, from {gap.since}")
    console.print(f"actions refused: {dict(refused)}")
    verdicts: Sequence[Verdict] = [
        *judge(copies),
        all_placed(wanted, lobby),
        await nothing_parked(settings.database_url, platform.lines),
        nothing_fell(trouble.fell),
    ]
    return judged(console, verdicts)


async def watched(console: Console, crew: Crew, name: str) -> dict[str, Any]:
    """Follow the tournament to its last prize; raise Stuck when nothing moves for long."""
    moved = said = time.monotonic()
    at = -1
    while True:
        try:
            lobby = await crew.lobby(name)
        except httpx.HTTPError as error:
            console.print(f"the lobby does not answer: {error!r}")
            lobby = {}
        if lobby and is_over(lobby):
            return lobby
        now, now_at = time.monotonic(), sum(lobby["as_of"].values()) if lobby else at
        if now_at != at:
            moved, at = now, now_at
        if now - moved > STUCK_SECONDS:
            raise Stuck(f"nothing happened for {STUCK_SECONDS:.0f} s")
        if lobby and now - said > SAY_SECONDS:
            said = now
            console.print(f"{lobby['players_left']} players left, {len(crew.hands)} hands")
        await asyncio.sleep(LOOK_SECONDS)


def main() -> int:
    parser = argparse.ArgumentParser(prog="python -m tests.soak")
    parser.add_argument("--players", type=int, default=200)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--seconds", type=float, default=3.0, help="between two troubles")
    given = parser.parse_args()
    console = Console(soft_wrap=True)
    logs.configure("soak", "dev", "error")
    home = Path(mkdtemp(prefix="rollforward-soak-"))
    try:
        with ExitStack() as stack:
            database = stack.enter_context(Postgres())
            nats = stack.enter_context(NatsServer())
            processes = dict.fromkeys(DECIDING, PROCESSES_EACH)
            platform = stack.enter_context(Battered(database, nats, home, processes))
            platform.start()
            true = asyncio.run(soak(console, platform, given))
    except (NotReady, Stuck) as failure:
        console.print(f"[bold red]{failure}[/bold red]")
        true = False
    if true:
        shutil.rmtree(home)
    else:
        console.print(f"the services' logs are in {home}")
    return 0 if true else 1


if __name__ == "__main__":
    sys.exit(main())
