"""One platform for all gateway tests: real services as processes over real engines."""

import uuid
from collections.abc import AsyncIterator, Callable, Iterator

import httpx
import psycopg
import pytest
from psycopg.conninfo import make_conninfo
from psycopg.sql import SQL, Identifier

from services.cli.platform import SERVICES, Platform
from tests.integration.gateway.guests import Guest, House, TableOfTwo

ABSENT_MS = 1_000


@pytest.fixture(scope="session")
def platform(postgres_url, nats_url, tmp_path_factory) -> Iterator[Platform]:
    name = f"gateway_{uuid.uuid4().hex}"
    with psycopg.connect(postgres_url, autocommit=True) as connection:
        connection.execute(SQL("create database {}").format(Identifier(name)))
    settings = {"ROLLFORWARD_GATEWAY_ABSENT_MS": str(ABSENT_MS)}
    home = tmp_path_factory.mktemp("platform")
    with Platform(make_conninfo(postgres_url, dbname=name), nats_url, home, settings) as platform:
        platform.start()
        yield platform


@pytest.fixture
async def house(platform) -> AsyncIterator[House]:
    async with House(platform.url("gateway"), platform.operator_token) as house:
        yield house


@pytest.fixture
def commits(platform) -> Callable[[], int]:
    """How many commits all owners have written: a refusal writes none."""

    def count() -> int:
        texts = [httpx.get(f"{platform.url(service)}/metrics/").text for service in SERVICES]
        lines = [line for text in texts for line in text.splitlines()]
        return sum(
            int(float(line.rpartition(" ")[2]))
            for line in lines
            if line.startswith("rollforward_commits_total{")
        )

    return count


@pytest.fixture
async def guest(house) -> Guest:
    return await house.guest("Ann")


@pytest.fixture
async def table(house) -> TableOfTwo:
    """Two connected players, cards dealt, and the first decision open."""
    return await house.table_of_two()
