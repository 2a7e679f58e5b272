"""The ranking on real engines, with a director that says what a test makes it say."""

from collections.abc import AsyncIterator

import pytest

from shared.runtime.adapters.deployment import migrate
from shared.runtime.adapters.nats import NatsBroker
from tests.integration.emptied import emptied
from tests.integration.ranking.ratings import DIRECTOR, RANKING


@pytest.fixture
def ranking_url(dsn: str) -> str:
    """A database with the tables of both."""
    migrate(dsn, [RANKING, DIRECTOR])
    return dsn


@pytest.fixture
async def broker(nats_url: str) -> AsyncIterator[NatsBroker]:
    """A connection to the shared NATS server."""
    async with emptied(nats_url, [RANKING, DIRECTOR]) as broker:
        yield broker
