"""One run of the script: its own database and NATS, perhaps one kill, and what came of it."""

import asyncio
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from itertools import count
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import NamedTuple

import msgspec
import psycopg
from psycopg.conninfo import make_conninfo
from psycopg.sql import SQL, Identifier

from services.cli.verdicts import LineCopy, judge, read_lines
from shared.runtime.adapters.deployment import migrate
from shared.runtime.adapters.engines import nats_server
from shared.runtime.adapters.reading import patient_stores
from shared.runtime.ports import Line
from tests.kill.comparing import Story, differences
from tests.kill.driving import SHARDS, People, Unexpected
from tests.kill.process import Point
from tests.kill.running import Fallen, Services

LINES = tuple(Line(service, number) for service, n in SHARDS.items() for number in range(n))
TEMPLATE = "kill_template"
RUN_SECONDS = 180.0
LOG_CHARACTERS = 1_500


class Run(NamedTuple):
    """What a run left behind; `wrong` says what must not be, `story` what is compared."""

    point: Point | None
    seconds: float
    kills: int
    story: Story | None
    commits: dict[str, list[str]]
    wrong: list[str]


class Bench:
    """A PostgreSQL with a template that has everything but facts."""

    def __init__(self, postgres_url: str, seed: str) -> None:
        self.url = postgres_url
        self.seed = seed
        self._numbers = count(1)
        with self._server() as server:
            server.execute(SQL("CREATE DATABASE {}").format(Identifier(TEMPLATE)))
        migrate(make_conninfo(postgres_url, dbname=TEMPLATE), LINES)

    @contextmanager
    def _server(self) -> Iterator[psycopg.Connection]:
        with psycopg.connect(self.url, autocommit=True) as server:
            yield server

    @contextmanager
    def database(self) -> Iterator[str]:
        """A fresh database for one run."""
        name = f"kill_{next(self._numbers)}"
        made = SQL("CREATE DATABASE {} TEMPLATE {}")
        with self._server() as server:
            server.execute(made.format(Identifier(name), Identifier(TEMPLATE)))
        yield make_conninfo(self.url, dbname=name)
        with self._server() as server:
            server.execute(SQL("DROP DATABASE {} WITH (FORCE)").format(Identifier(name)))

    def close(self) -> None:
        with self._server() as server:
            server.execute(SQL("DROP DATABASE {} WITH (FORCE)").format(Identifier(TEMPLATE)))


async def run(bench: Bench, point: Point | None = None) -> Run:
    """Play the script once, from empty engines to the last prize, and read what is left."""
    began = time.monotonic()
    with (
        TemporaryDirectory(prefix="rollforward-kill-") as home,
        bench.database() as database_url,
        nats_server(sync="2m") as nats_url,
    ):
        services = Services(database_url, nats_url, Path(home), bench.seed, point)
        wrong: list[str] = []
        copies: dict[Line, LineCopy] = {}
        async with services:
            try:
                async with asyncio.timeout(RUN_SECONDS):
                    await People(services, nats_url).play()
            except (Fallen, Unexpected, TimeoutError) as error:
                wrong.append(f"{type(error).__name__} {error}")
                wrong += [tail(services.log(s)) for s in SHARDS]
            else:
                copies = await read_lines(database_url, nats_url, LINES)
        wrong += [f"{v.name}: {v.detail}" for v in judge(copies) if copies and not v.true]
        wrong += await parked(database_url)
        if services.kills != (point is not None):
            wrong.append(f"{services.kills} kills")
    logs = {line: copy.rows for line, copy in copies.items()}
    story = Story(logs) if copies else None
    return Run(point, time.monotonic() - began, services.kills, story, commits_of(copies), wrong)


def tail(log: Path) -> str:
    text = log.read_text(errors="replace") if log.exists() else ""
    return f"--- {log.name}\n{text[-LOG_CHARACTERS:]}"


async def parked(database_url: str) -> list[str]:
    """Say which lines have facts that wait for an operator."""
    found = []
    with patient_stores(database_url, LINES) as stores:
        for line, store in stores.items():
            found += [f"{line} has parked {what}" for what in await store.parked_streams()]
    return found


class Named(msgspec.Struct, frozen=True):
    """A commit, as it is told in one line."""

    stream: str
    events: tuple[dict[str, object], ...]


named = msgspec.json.Decoder(Named).decode


def commits_of(copies: dict[Line, LineCopy]) -> dict[str, list[str]]:
    """Return each service's commits in the order in which it made them, one line each."""
    found: dict[str, list[str]] = {service: [] for service in SHARDS}
    for line, copy in copies.items():
        for row in copy.rows:
            commit = named(row.data)
            tags = [str(event["type"]).split(".")[1] for event in commit.events]
            found[line.service].append(f"{commit.stream}: {' '.join(tags)}")
    return found


def wrongs(unkilled: Run, killed: Run) -> Sequence[str]:
    """Say everything that is not as it was without the kill."""
    if unkilled.story is None or killed.story is None:
        return killed.wrong or ["nothing was read"]
    return [*killed.wrong, *differences(unkilled.story, killed.story)]
