"""Logins that can do nothing else: the runbook is the script, and a platform plays on them."""

import shutil
from collections.abc import Iterator
from pathlib import Path
from tempfile import mkdtemp

import psycopg
import pytest
from psycopg.conninfo import make_conninfo

from services.cli.platform import lines_of
from shared.runtime.adapters import deployment
from shared.runtime.adapters.engine_files import postgres_programs
from shared.runtime.adapters.engines import Postgres
from shared.runtime.settings import RuntimeSettings
from tests.integration.runbook import ROOT, Duty

BOOK = "database-roles.md"
SHARDS = RuntimeSettings(database_url="", nats_url="").shards()


@pytest.fixture
def cluster() -> Iterator[Postgres]:
    """A cluster in which nobody has made any role yet."""
    home = Path(mkdtemp(prefix="rollforward-roles-"))
    home.chmod(0o755)
    shutil.copytree(ROOT / "deploy", home / "deploy")
    with Postgres(home / "server", durable=False) as server:
        yield server
    shutil.rmtree(home, ignore_errors=True)


def test_the_runbook_makes_logins_that_can_do_nothing_else(cluster):
    urls = {
        "DATABASE_URL": cluster.url,
        "MIGRATOR_URL": make_conninfo(cluster.url, user="rollforward_migrator"),
        "WALLET_URL": make_conninfo(cluster.url, user="wallet_service"),
        "DEPLOY": str(cluster.home.parent / "deploy"),
        "PROGRAMS": str(postgres_programs(cluster.user, cluster.install)),
    }
    duty = Duty(BOOK, urls, cluster.user)
    for _ in range(2):
        duty.run("roles")
        assert duty.run("migrate").startswith("deployment dep_")
        assert duty.run("proof").strip() == "0"
    for service in SHARDS:
        login = make_conninfo(cluster.url, user=f"{service}_service")
        deployment.check(login, service, SHARDS)
    with psycopg.connect(cluster.url) as connection:
        owners = connection.execute(
            "SELECT DISTINCT tableowner FROM pg_tables WHERE schemaname = ANY(%s)",
            ([f"{line.service}_{line.shard}" for line in lines_of(SHARDS)],),
        ).fetchall()
    assert owners == [("rollforward_migrator",)]
    assert duty.done == ["roles", "migrate", "proof"] * 2
