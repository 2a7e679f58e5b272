"""After a disaster: a tournament is given up on a copied database, and paid once all is back."""

import asyncio
import os
import uuid
from collections.abc import Iterator
from functools import partial
from hashlib import sha256
from pathlib import Path
from typing import Any

import msgspec
import psycopg
import pytest
from msgspec.structs import replace
from psycopg.conninfo import conninfo_to_dict, make_conninfo
from psycopg.sql import SQL, Identifier

from services.cli.bots.crew import Crew
from services.cli.database.command import renew
from services.cli.platform import Platform
from services.cli.run.terms import quick_terms
from services.cli.tournament import interrupted
from services.cli.tournament.command import cancel
from services.cli.tournament.desk import Desk
from services.cli.verdicts import judge, read_lines
from services.cli.verify.command import verify
from shared.contracts.director import HandDigested
from shared.contracts.hand import HandEnded
from shared.contracts.message import tag_of
from shared.runtime.adapters.engines import nats_server
from shared.runtime.adapters.whole_logs import read_logs
from shared.runtime.ports import Line
from tests.integration.platform.desk import as_many, at_hand, payouts, total
from tests.integration.platform.watching import until
from tests.integration.runbook import Duty

PLAYERS, SEATS = 8, 4
PAUSE_MS = 1_000
TABLE_SHARDS = 4
DISASTER = "disaster"
LISTED = "ROLLFORWARD_GATEWAY_OPERATORS"
WHY = "the machine hall is gone"

pytestmark = [pytest.mark.long, pytest.mark.timeout(300)]


@pytest.fixture
def copied(postgres_url: str) -> Iterator[str]:
    """The name of a database that does not exist yet."""
    name = f"t{uuid.uuid4().hex}"
    yield make_conninfo(postgres_url, dbname=name)
    with psycopg.connect(postgres_url, autocommit=True) as connection:
        connection.execute(SQL("drop database if exists {} with (force)").format(Identifier(name)))


def copy(postgres_url: str, original: str, copied: str) -> None:
    names = {
        "original": Identifier(str(conninfo_to_dict(original)["dbname"])),
        "copied": Identifier(str(conninfo_to_dict(copied)["dbname"])),
    }
    with psycopg.connect(postgres_url, autocommit=True) as connection:
        connection.execute(SQL("create database {copied} template {original}").format(**names))


def listed(home: Path) -> str:
    """The gateways' list, with digests: it opens nothing."""
    files = {"operator": "operator.token", "second": "second-operator.token"}
    digests = {who: sha256((home / file).read_bytes()).hexdigest() for who, file in files.items()}
    return ",".join(f"{who}=sha256:{digest}" for who, digest in digests.items())


async def some_undigested(database_url: str) -> bool:
    """Whether tables have ended hands that the director has not read."""

    def count(service: str, shards: int, fact: type[Any]) -> int:
        logs = read_logs(database_url, [Line(service, shard) for shard in range(shards)])
        mark = tag_of(fact).encode()
        return sum(row.data.count(mark) for rows in logs.values() for row in rows)

    ended = await asyncio.to_thread(count, "table", TABLE_SHARDS, HandEnded)
    return ended > await asyncio.to_thread(count, "director", 1, HandDigested)


async def test_the_runbook_after_a_disaster(
    platform: Platform,
    dsn: str,
    copied: str,
    postgres_url: str,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
):
    async with Crew(platform.url("gateway"), platform.operator_token, PLAYERS, seed=5) as crew:
        name = await crew.start(replace(quick_terms(PLAYERS, SEATS), pause_ms=PAUSE_MS))
        await until(lambda: at_hand(crew), bool)
        operator = Desk(token_file=platform.home / "operator.token")
        stranger = Desk(token_file=platform.home / "gateway.secret")
        monkeypatch.setenv(LISTED, listed(platform.home))
        monkeypatch.setenv("DATABASE_URL", dsn)
        assert await asyncio.to_thread(cancel, name, reason=WHY, on_log=True, desk=operator) == 1
        assert "a director worked on director-0" in capsys.readouterr().err
        assert cancel(name, reason=WHY, on_log=True, desk=stranger) == 1
        assert "unauthorized" in capsys.readouterr().err
        await asyncio.to_thread(platform.kill, "director")
        await until(lambda: some_undigested(dsn), bool)
        for process in platform.processes:
            if process != "director":
                await asyncio.to_thread(platform.kill, process)
    copy(postgres_url, dsn, copied)
    monkeypatch.setenv("DATABASE_URL", copied)
    assert renew() == 0
    environ = {
        "OPERATOR_TOKEN_FILE": str(platform.home / "operator.token"),
        "SECOND_TOKEN_FILE": str(platform.home / "second-operator.token"),
        LISTED: os.environ[LISTED],
        "DATABASE_URL": copied,
        "TOURNAMENT": name,
        "REASON": WHY,
        "OUT": str(tmp_path),
    }
    await asyncio.sleep(5)
    duty = Duty("cancelling.md", environ, None)
    for step in ("open-on-log", "leave-out-on-log", "keep-from-log"):
        duty.run(step)
    assert not await some_undigested(copied)
    sheet = msgspec.json.decode((tmp_path / "sheet.json").read_bytes())
    assert (sheet["stage"], sheet["opened_by"]) == ("final", "operator")
    again_alone = partial(interrupted.approve, on_log=True, desk=operator)
    assert await asyncio.to_thread(again_alone, name, sheet["sheet_hash"]) == 1
    assert "same_operator" in capsys.readouterr().err
    duty.run("approve-on-log")
    assert duty.done == [step.name for step in duty.steps if step.case == DISASTER]
    with (
        nats_server() as nats_url,
        Platform(copied, nats_url, platform.home) as again,
    ):
        await asyncio.to_thread(again.start)
        await until(lambda: as_many(again, len(sheet["players"])), bool)
        await asyncio.to_thread(again.wait_ready)
        copies = dict(await read_lines(copied, nats_url, again.lines, 20))
        assert not [verdict for verdict in judge(copies) if not verdict.true]
        assert await asyncio.to_thread(verify, logs_only=True) == 0
        assert sorted(map(total, payouts(again))) == sorted(
            (line["player"], line["total_cents"]) for line in sheet["players"]
        )
