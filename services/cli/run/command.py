"""`rollforward run` plays and judges one tournament; `rollforward up` keeps the platform up."""

import asyncio
import shutil
import signal
import time
from collections import Counter
from collections.abc import Iterator, Mapping
from contextlib import ExitStack, contextmanager
from pathlib import Path
from tempfile import mkdtemp
from typing import Annotated, Any, Literal

import cyclopts
from rich.console import Console

from services.cli.bots.crew import LOOK_SECONDS, Crew
from services.cli.engines import engines
from services.cli.platform import SERVICES, NotReady, Platform
from services.cli.run.progress import Progress
from services.cli.run.report import judged, standings, work
from services.cli.run.terms import quick_terms
from services.cli.verdicts import verdicts
from shared.contracts.director import Terms
from shared.runtime.adapters.reading import patient_stores

STUCK_SECONDS = 60.0
HOME_UP = Path("build/up")

Players = Annotated[int, cyclopts.Parameter(validator=cyclopts.validators.Number(gte=2, lte=2_000))]
Port = Annotated[int, cyclopts.Parameter(validator=cyclopts.validators.Number(gte=0, lte=65_535))]
Rules = Literal["big_holdem", "peoples_poker", "tda"]
Seats = Annotated[int, cyclopts.Parameter(validator=cyclopts.validators.Number(gte=2, lte=10))]


class Stuck(Exception):
    """Nothing has happened for long: the tournament does not end by itself."""


def run(
    *,
    players: Players = 27,
    seats: Seats = 9,
    seed: int = 1,
    rules: Rules = "big_holdem",
    player_entropy: bool = False,
) -> int:
    """Start everything, play a Sit & Go of bots through the gateway, and check the books.

    Parameters
    ----------
    players
        How many bots enter.
    seats
        Seats at a table.
    seed
        The bots' only: cards and draws are the dealer's.
    rules
        The rule set that is played.
    player_entropy
        Let the bots add to the chance of every deck.
    """
    terms = quick_terms(players, seats, player_entropy=player_entropy, rule_set=rules)
    console = Console()
    home = Path(mkdtemp(prefix="rollforward-run-"))
    try:
        with platform(console, home, keep_data=False) as started:
            code = asyncio.run(tournament(console, started, terms, seed))
    except (NotReady, Stuck) as failure:
        console.print(f"[bold red]{failure}[/bold red]")
        code = 1
    if code == 0:
        shutil.rmtree(home)
    else:
        console.print(f"the services' logs are in {home}")
    return code


def up(*, home: Path = HOME_UP, gateway_port: Port = 0) -> int:
    """Keep the platform running and print its addresses; Ctrl-C ends it, the data stays.

    Parameters
    ----------
    home
        Where logs, keys and, without `$DATABASE_URL` and `$NATS_URL`, the data lie.
    gateway_port
        The gateway's port, so that its address stays the same; 0 takes a free one.
    """
    console = Console()
    ports = {"gateway": gateway_port}
    try:
        with platform(console, home.absolute(), keep_data=True, ports=ports) as started:
            addresses(console, started)
            signal.pause()
    except NotReady as failure:
        console.print(f"[bold red]{failure}[/bold red]")
        return 1
    except KeyboardInterrupt:
        console.print("stopped")
    return 0


@contextmanager
def platform(
    console: Console, home: Path, *, keep_data: bool, ports: Mapping[str, int] | None = None
) -> Iterator[Platform]:
    """Start engines and services; logs and keys lie in `home`, and the data if it is kept."""
    status = console.status("starting PostgreSQL and NATS …")
    status.start()
    with ExitStack() as stack:
        stack.callback(status.stop)
        found = stack.enter_context(engines(home if keep_data else None))
        started = stack.enter_context(
            Platform(found.database_url, found.nats_url, home, ports=ports)
        )
        status.update(f"starting {', '.join(SERVICES)} …")
        began = time.monotonic()
        started.start()
        status.stop()
        console.print(f"ready after {time.monotonic() - began:.1f} s")
        yield started


def addresses(console: Console, started: Platform) -> None:
    """Say where everything is."""
    console.print(f"players and operators  {started.url('gateway')}/docs")
    console.print(f"operator token         {started.home / 'operator.token'}")
    console.print(f"second operator        {started.home / 'second-operator.token'}")
    console.print(f"logs                   {started.home}/<service>/log")
    for service in SERVICES:
        console.print(f"{service:<22} {started.url(service)}/readyz  /metrics")
    console.print(f"PostgreSQL             {started.settings.database_url}")
    console.print(f"NATS                   {started.settings.nats_url}")
    console.print("Ctrl-C stops")


async def tournament(console: Console, started: Platform, terms: Terms, seed: int) -> int:
    """Play one tournament to its last prize and judge it."""
    players = terms.entries
    async with Crew(started.url("gateway"), started.operator_token, players, seed) as crew:
        console.print(f"{players} bots sign up and register, {terms.seats} seats a table …")
        name = await crew.start(terms)
        began = time.monotonic()
        lobby = await watched(console, crew, name)
        seconds = time.monotonic() - began
    found = await verdicts(started.settings.database_url, started.settings.nats_url, started.lines)
    standings(console, lobby)
    work(console, len(crew.hands), seconds, await commits(started))
    return 0 if judged(console, found) else 1


async def watched(console: Console, crew: Crew, name: str) -> dict[str, Any]:
    """Show the tournament until its last prize is paid; raise Stuck when nothing moves."""
    moved, at = time.monotonic(), -1
    with Progress(console) as progress:
        while True:
            lobby = await crew.lobby(name)
            progress.show(lobby, len(crew.hands))
            if is_over(lobby):
                return lobby
            if (now_at := sum(lobby["as_of"].values())) != at:
                moved, at = time.monotonic(), now_at
            if time.monotonic() - moved > STUCK_SECONDS:
                raise Stuck(f"nothing happened for {STUCK_SECONDS:.0f} s: {lobby['players_left']}")
            await asyncio.sleep(LOOK_SECONDS)


def is_over(lobby: dict[str, Any]) -> bool:
    """Whether the tournament has finished and every prize is paid."""
    paid = all(place["paid"] for place in lobby["places"] if place["prize_cents"])
    return lobby["status"] == "finished" and paid


async def commits(started: Platform) -> Counter[str]:
    """Count the commits in every service's logs."""
    counted: Counter[str] = Counter()
    with patient_stores(started.settings.database_url, started.lines) as stores:
        for line, store in stores.items():
            counted[line.service] += await store.last_number()
    return counted
