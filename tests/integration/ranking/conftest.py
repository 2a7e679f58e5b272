"""The ranking on real engines, with a director that says what a test makes it say."""

from collections.abc import AsyncIterator
from functools import partial

import pytest

from shared.runtime.adapters.deployment import migrate
from shared.runtime.adapters.nats import NatsBroker, connect, disconnect
from tests.integration.ranking.ratings import DIRECTOR, RANKING
from tests.integration.runtime.running import until
from tests.integration.wallet.conftest import made


@pytest.fixture
def ranking_url(dsn: str) -> str:
    """A database with the tables of both."""
    migrate(dsn, [RANKING, DIRECTOR])
    return dsn


@pytest.fixture
async def broker(nats_url: str) -> AsyncIterator[NatsBroker]:
    """A connection to the shared NATS server, without streams of an earlier test."""
    client = await connect(nats_url, "test")
    js = client.jetstream()
    for info in await js.streams_info():
        await js.delete_stream(info.config.name)
    broker = NatsBroker(client, deny_deletes=False)
    for line in (RANKING, DIRECTOR):
        await until(partial(made, broker, line))
    yield broker
    await disconnect(client)
