"""One platform for all gateway tests: real services as processes over real engines."""

import uuid
from collections.abc import AsyncIterator, Iterator
from typing import Self

import psycopg
import pytest
from psycopg.conninfo import make_conninfo
from psycopg.sql import SQL, Identifier

from services.cli.platform import Platform
from shared.contracts.commit import Commit, decode
from shared.runtime.adapters.engines import nats_server
from shared.runtime.adapters.postgres import PostgresStore
from shared.runtime.adapters.reading import patient_stores
from tests.integration.gateway.guests import Guest, House, TableOfTwo

ABSENT_MS = 1_000
LICENCE = "GAD 15048"


@pytest.fixture(scope="session")
def nats_of_gateways() -> Iterator[str]:
    """Not the server of other tests: these would hear our gateway say that it serves players."""
    with nats_server(sync="2m") as url:
        yield url


@pytest.fixture(scope="session")
def platform(postgres_url, nats_of_gateways, tmp_path_factory) -> Iterator[Platform]:
    name = f"gateway_{uuid.uuid4().hex}"
    with psycopg.connect(postgres_url, autocommit=True) as connection:
        connection.execute(SQL("create database {}").format(Identifier(name)))
    settings = {
        "ROLLFORWARD_GATEWAY_ABSENT_MS": str(ABSENT_MS),
        "ROLLFORWARD_GATEWAY_LICENCE": LICENCE,
    }
    home = tmp_path_factory.mktemp("platform")
    with Platform(
        make_conninfo(postgres_url, dbname=name), nats_of_gateways, home, settings
    ) as platform:
        platform.start()
        yield platform


@pytest.fixture
async def house(platform) -> AsyncIterator[House]:
    async with House(platform.url("gateway"), platform.operator_token) as house:
        yield house


class Written:
    """What players and operators have caused to be recorded since this was made.

    Tables that a test has left go on by themselves: only services write there.
    """

    def __init__(self, stores: list[PostgresStore]) -> None:
        self._stores = stores
        self._since: list[int] = []

    async def begin(self) -> Self:
        self._since = [await store.last_number() for store in self._stores]
        return self

    async def by_people(self) -> list[Commit]:
        logs = zip(self._stores, self._since, strict=True)
        rows = [row for store, since in logs for row in await store.read_log(since, 10_000)]
        return [commit for row in rows if (commit := decode(row.data)).by.kind != "service"]


@pytest.fixture(scope="session")
def stores(platform) -> Iterator[list[PostgresStore]]:
    with patient_stores(platform.settings.database_url, platform.lines) as stores:
        yield list(stores.values())


@pytest.fixture
def written(stores) -> Written:
    """Begin it where a test's own preparations end."""
    return Written(stores)


@pytest.fixture
async def guest(house) -> Guest:
    return await house.guest("Ann")


@pytest.fixture
async def table(house) -> TableOfTwo:
    """Two connected players, cards dealt, and the first decision open."""
    return await house.table_of_two()
