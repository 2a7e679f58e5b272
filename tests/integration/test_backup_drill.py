"""The backup drill: the runbook is the script, and the tournament ends with every cent right.

First a database destroyed in the middle of a tournament and restored to a moment before; then a
restored database that meets the old streams.
"""

import asyncio
import shutil
import time
import uuid
from collections.abc import Callable, Iterator
from contextlib import suppress
from pathlib import Path
from tempfile import mkdtemp

import httpx
import msgspec
import psycopg
import pytest
from msgspec.structs import replace
from psycopg.conninfo import conninfo_to_dict, make_conninfo
from psycopg.sql import SQL, Identifier

from services.cli.bots.crew import LOOK_SECONDS, Crew
from services.cli.database.command import migrate, renew, shown
from services.cli.platform import NotReady, Platform
from services.cli.run.command import is_over
from services.cli.run.terms import quick_terms
from services.cli.status.judging import wrongs
from services.cli.status.reading import read
from services.cli.verdicts import judge, read_lines, search
from services.cli.verify.command import verify
from shared.contracts.director import Terms
from shared.contracts.edge import LogRow
from shared.runtime.adapters.engine_files import hand_over, postgres_programs
from shared.runtime.adapters.engines import NatsServer, Postgres, free_port
from shared.runtime.adapters.whole_logs import read_logs
from shared.runtime.ports import Line, StartRefused
from tests.integration.runbook import ROOT, Duty
from tests.person_keys import keys_in

pytestmark = pytest.mark.timeout(300)

BOOK = "backup-and-restore.md"
PLAYERS, SEATS = 6, 3
STARTING_CHIPS = 4_000
ENDS_WITHIN_SECONDS = 100
STARTS_WITHIN_SECONDS = 60
IN_EVERY_HAND = ("table", "director", "wallet", "dealer")
SERVICES = (*IN_EVERY_HAND, "ranking", "gateway")


@pytest.fixture
def place() -> Iterator[Path]:
    """A folder that PostgreSQL's user may pass through."""
    folder = Path(mkdtemp(prefix="rollforward-drill-"))
    folder.chmod(0o755)
    yield folder
    shutil.rmtree(folder, ignore_errors=True)


class Drill:
    """The old platform, the new one, and where everything lies."""

    def __init__(self, place: Path) -> None:
        self.place = place
        self.old, self.new = Postgres(place / "old"), Postgres(place / "new")
        self.old_nats, self.new_nats = NatsServer(place / "nats-old"), NatsServer(place / "nats")
        self.new_home = place / "new-home"
        self.gateway_port = free_port()
        for name in ("archive", "backups", "secrets"):
            (place / name).mkdir()
        if self.old.user:
            for folder in (place / "archive", place / "backups"):
                hand_over(folder, self.old.user)
        shutil.copytree(ROOT / "deploy", place / "deploy")
        self.old.start()
        programs = postgres_programs(self.old.user, self.old.install)
        self.duty = Duty(BOOK, self._environ(programs), self.old.user)

    def _environ(self, programs: Path) -> dict[str, str]:
        folders = {
            "DEPLOY": self.place / "deploy",
            "PROGRAMS": programs,
            "PGDATA": self.old.data,
            "ARCHIVE": self.place / "archive",
            "BACKUPS": self.place / "backups",
            "BASE": self.place / "backups" / "latest",
            "SECRETS": self.place / "secrets",
            "PLATFORM_HOME": self.place / "old-home",
            "NEW_PGDATA": self.new.data,
            "NEW_HOME": self.new_home,
        }
        given = {name: str(folder) for name, folder in folders.items()}
        return {**given, "DATABASE_URL": self.old.url, "GATEWAY_PORT": str(self.gateway_port)}

    def prepare(self) -> None:
        """What is done once: archiving is set up, and proved."""
        self.duty.run("settings")
        self.old.stop()
        self.old.start()
        self.duty.run("archive")

    def platform(self) -> Platform:
        self.old_nats.start()
        return Platform(
            self.old.url,
            self.old_nats.url,
            self.place / "old-home",
            ports={"gateway": self.gateway_port},
        )

    def destroy(self, platform: Platform) -> None:
        """Kill everything at once; what was not archived is gone for good."""
        for process in platform.processes:
            platform.kill(process)
        self.old_nats.kill()
        self.old.kill()
        self.duty.run("fence")
        assert not self.old.data.exists()
        self.old.close()
        shutil.rmtree(self.old.home)
        shutil.rmtree(self.old_nats.home)
        shutil.rmtree(platform.home)

    def restore(self) -> None:
        """The runbook from the empty place to logs that are judged."""
        self.place_for_new()
        self.duty.run("restore")
        self.new.start()
        self.new_nats.start()
        self.duty.environ |= {"DATABASE_URL": self.new.url, "NATS_URL": self.new_nats.url}
        for step in ("recovered", "rename", "judge-logs"):
            self.duty.run(step)
        with pytest.raises(StartRefused, match=r"vault\.key is missing"):
            Platform(self.new.url, self.new_nats.url, self.place / "no-secrets").start()
        self.duty.run("secrets-back")

    def place_for_new(self) -> None:
        if self.new.user:
            hand_over(self.new.home, self.new.user)

    def close(self) -> None:
        for engine in (self.old, self.new, self.old_nats, self.new_nats):
            engine.close()


@pytest.fixture
def drill(place: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Drill]:
    monkeypatch.setenv("ARCHIVE", str(place / "archive"))  # The servers have it too.
    drill = Drill(place)
    yield drill
    drill.close()


def long_terms() -> Terms:
    """Stacks so deep that it is not over before the disaster."""
    return replace(quick_terms(PLAYERS, SEATS), starting_chips=STARTING_CHIPS)


@pytest.mark.long
async def test_a_tournament_plays_on_from_the_moment_it_was_restored_to(drill: Drill):
    await asyncio.to_thread(drill.prepare)
    with drill.platform() as platform:
        await asyncio.to_thread(platform.start)
        lines = platform.lines
        await asyncio.to_thread(drill.duty.run, "secrets")
        async with Crew(
            platform.url("gateway"), platform.operator_token, PLAYERS, seed=3, keep_frames=True
        ) as crew:
            name = await crew.start(long_terms())
            await played(crew, 2)
            await asyncio.to_thread(drill.duty.run, "base")
            await played(crew, 4)
            at_moment = read_logs(drill.old.url, lines)
            drill.duty.environ["MOMENT"] = clock_of(drill.old.url)
            await played(crew, 4)
            assert not is_over(await crew.lobby(name))
            await asyncio.to_thread(drill.duty.run, "switch")
            at_end = read_logs(drill.old.url, lines)
            await asyncio.to_thread(drill.destroy, platform)

            await asyncio.to_thread(drill.restore)
            restored = read_logs(drill.new.url, lines)
            assert begins_with(restored, at_moment)
            assert begins_with(at_end, restored)
            assert size_of(restored) < size_of(at_end)
            forget(crew)
            with Started(drill) as output:
                await until_told("Ctrl-C stops", output)
                for step in ("status", "judge"):
                    await asyncio.to_thread(drill.duty.run, step)
                await over(crew, name)
                copies = await read_lines(drill.new.url, drill.new_nats.url, lines, 20)
            frames = {player.player: list(player.frames) for player in crew.players}
    assert crew.hands
    assert begins_with({line: copy.rows for line, copy in copies.items()}, restored)
    assert not [verdict for verdict in judge(copies) if not verdict.true]
    logs = [drill.new_home / service / "log" for service in SERVICES]
    vault_key, keys = drill.new_home / "vault.key", keys_in(drill.new.url)
    assert not search(copies, vault_key, logs=logs, frames=frames, person_keys=keys)
    assert drill.duty.done == [step.name for step in drill.duty.steps if not step.case]


async def played(crew: Crew, hands: int) -> None:
    """Wait until so many more hands have ended."""
    enough = len(crew.hands) + hands
    for _ in range(ENDS_WITHIN_SECONDS * 100):
        if len(crew.hands) >= enough:
            return
        await asyncio.sleep(0.01)
    raise AssertionError(f"{len(crew.hands)} of {enough} hands in {ENDS_WITHIN_SECONDS} s")


def forget(crew: Crew) -> None:
    """What was heard before the disaster is of decks that may have been dealt anew since."""
    crew.hands.clear()
    for player in crew.players:
        player.frames.clear()


async def over(crew: Crew, name: str) -> None:
    async with asyncio.timeout(ENDS_WITHIN_SECONDS):
        while True:
            with suppress(httpx.HTTPError):
                if is_over(await crew.lobby(name)):
                    return
            await asyncio.sleep(LOOK_SECONDS)


class Started:
    """The step that stays, ended with SIGTERM; inside, the file with what it prints."""

    def __init__(self, drill: Drill) -> None:
        self.drill = drill
        self.output = drill.place / "up.txt"

    def __enter__(self) -> Path:
        self.process = self.drill.duty.begin("start", self.output)
        return self.output

    def __exit__(self, *_: object) -> None:
        self.process.terminate()
        self.process.wait(STARTS_WITHIN_SECONDS)


async def until_told(what: str, output: Path) -> None:
    give_up = time.monotonic() + STARTS_WITHIN_SECONDS
    while what not in (told := await asyncio.to_thread(output.read_text)):
        assert time.monotonic() < give_up, told
        await asyncio.sleep(0.05)


def clock_of(url: str) -> str:
    with psycopg.connect(url) as connection:
        row = connection.execute("SELECT clock_timestamp()::text").fetchone()
    assert row is not None
    return str(row[0])


def begins_with(longer: dict[Line, list[LogRow]], shorter: dict[Line, list[LogRow]]) -> bool:
    """Say whether every log begins with the same rows, byte for byte."""
    return all(list(longer[line][: len(rows)]) == list(rows) for line, rows in shorter.items())


def size_of(logs: dict[Line, list[LogRow]]) -> int:
    return sum(map(len, logs.values()))


def test_a_database_is_prepared_once_and_renamed_at_will(
    dsn: str, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
):
    monkeypatch.setenv("DATABASE_URL", dsn)
    monkeypatch.delenv("NATS_URL", raising=False)

    def told(command: Callable[[], int]) -> str:
        assert command() == 0
        return capsys.readouterr().out

    made = told(migrate)
    assert made.startswith("deployment dep_")
    assert told(migrate) == told(shown) == made
    renamed = told(renew)
    assert renamed != made
    assert told(shown) == renamed
    assert verify(logs_only=True) == 1
    assert "FALSE log = chain" in capsys.readouterr().out


# --- a restored database meets the old streams ------------------------------------------------


@pytest.fixture
def copied(postgres_url: str) -> Iterator[Callable[[str], str]]:
    """A database as it is now, beside it; as a restore would bring it back later."""
    made: list[str] = []

    def copy(dsn: str) -> str:
        made.append(f"t{uuid.uuid4().hex}")
        names = Identifier(made[-1]), Identifier(conninfo_to_dict(dsn)["dbname"])
        with psycopg.connect(postgres_url, autocommit=True) as connection:
            connection.execute(SQL("CREATE DATABASE {} TEMPLATE {}").format(*names))
        return make_conninfo(dsn, dbname=made[-1])

    yield copy
    with psycopg.connect(postgres_url, autocommit=True) as connection:
        for name in made:
            connection.execute(SQL("DROP DATABASE {} WITH (FORCE)").format(Identifier(name)))


@pytest.mark.long
async def test_old_streams_stop_a_restored_platform_until_they_are_deleted(
    dsn: str, copied: Callable[[str], str], place: Path
):
    with NatsServer(place / "nats", sync="2m") as nats:
        first, again = await overtaken(dsn, copied, nats, place)
        await asyncio.to_thread(refused_beside_the_old_leases, first, nats, place)
        await stopped_by_the_old_streams(first, nats, place)
        # What ran among undone facts may have taken some in: the runbook says to restore again.
        restart(nats)
        duty = Duty(BOOK, {"DATABASE_URL": again, "NATS_URL": nats.url}, None)
        duty.environ["LOST"] = str(place / "lost")
        await asyncio.to_thread(healed, duty, place)


def healed(duty: Duty, place: Path) -> None:
    """From the second restore to a platform that starts, by the runbook."""
    database_url, nats_url = duty.environ["DATABASE_URL"], duty.environ["NATS_URL"]
    with Platform(database_url, nats_url, place / "home") as platform:
        before = read_logs(database_url, platform.lines)
        for step in ("rename", "compare", "lost"):
            duty.run(step)
        lost = [msgspec.json.decode(row) for row in (place / "lost").read_text().splitlines()]
        assert {row["line"].partition("-")[0] for row in lost} >= {*IN_EVERY_HAND}
        assert all(row["number"] > len(before[line_of(row["line"])]) for row in lost)
        duty.run("delete")
        platform.start()
        duty.run("judge")
        assert begins_with(read_logs(database_url, platform.lines), before)


def refused_beside_the_old_leases(database_url: str, nats: NatsServer, place: Path) -> None:
    """A restored database with a name of its own has no service on the old one's NATS."""
    Duty(BOOK, {"DATABASE_URL": database_url}, None).run("rename")
    with Platform(database_url, nats.url, place / "home") as platform:
        with pytest.raises(NotReady):
            platform.start()
        assert "belong to deployment" in platform.log("wallet").read_text()


async def stopped_by_the_old_streams(database_url: str, nats: NatsServer, place: Path) -> None:
    """Without the old leases it starts, and every line with an old stream says what is wrong."""
    restart(nats)
    with Platform(database_url, nats.url, place / "home") as platform:
        with pytest.raises(NotReady, match="ahead of the log"):
            await asyncio.to_thread(platform.start)
        for service in IN_EVERY_HAND:
            await asyncio.to_thread(says_ahead, platform, service)
        told = wrongs(await read(nats.url), 0)
        assert any("is ahead of the log" in what for what in told)


def restart(nats: NatsServer) -> None:
    """Leases live in memory, streams on the disk."""
    nats.stop()
    nats.start()


async def overtaken(
    dsn: str, copied: Callable[[str], str], nats: NatsServer, place: Path
) -> tuple[str, str]:
    """Play, copy the database twice, play on: the copies are then older than the streams."""
    with Platform(dsn, nats.url, place / "home", ports={"gateway": free_port()}) as platform:
        await asyncio.to_thread(platform.start)
        async with Crew(platform.url("gateway"), platform.operator_token, SEATS, seed=1) as crew:
            await crew.start(quick_terms(SEATS, SEATS))
            await played(crew, 2)
            await asyncio.to_thread(platform.stop)
            copies = copied(dsn), copied(dsn)
            await asyncio.to_thread(platform.start)
            await played(crew, 3)
        async with httpx.AsyncClient(base_url=platform.url("gateway"), timeout=30) as guest:
            (await guest.post("/api/players", json={"name": "Late"})).raise_for_status()
    return copies


def says_ahead(platform: Platform, service: str) -> None:
    """Wait until a service says of a line that its stream is ahead."""
    give_up = time.monotonic() + STARTS_WITHIN_SECONDS
    while "is ahead of the log" not in str(platform.reasons(service)):
        assert time.monotonic() < give_up, platform.reasons(service)
        time.sleep(0.1)


def line_of(name: str) -> Line:
    service, _, number = name.rpartition("-")
    return Line(service, int(number))
