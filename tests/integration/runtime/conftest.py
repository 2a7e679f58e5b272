"""The counting services on real engines: registered, migrated, and someone to ask them."""

import asyncio
from collections.abc import AsyncIterator, Iterator

import pytest

from shared.contracts.commit import Actor
from shared.contracts.edge import Accepted, Answer
from shared.runtime.adapters.deployment import migrate
from shared.runtime.adapters.nats import NatsBroker, connect
from shared.runtime.adapters.system import SystemClock, entropy
from shared.runtime.asking import Asking
from shared.runtime.ports import Line
from tests.integration.emptied import emptied
from tests.integration.runtime import counting

SHARDS = {"counter": 2, "tally": 2, "oracle": 1}
COUNTERS = (Line("counter", 0), Line("counter", 1))
TALLIES = (Line("tally", 0), Line("tally", 1))


@pytest.fixture(autouse=True)
def registered() -> Iterator[None]:
    counting.register()
    yield
    counting.unregister()


@pytest.fixture
def store_url(dsn: str) -> str:
    """A database with the tables of both services."""
    migrate(dsn, [*COUNTERS, *TALLIES])
    return dsn


@pytest.fixture
async def broker_url(nats_url: str) -> AsyncIterator[str]:
    """The shared NATS server without streams of an earlier test; they allow deletes here."""
    async with emptied(nats_url, [*COUNTERS, *TALLIES]):
        yield nats_url


class Client:
    """Sends commands until they are answered, and keeps what was answered."""

    def __init__(self, asking: Asking) -> None:
        self.asking = asking
        self.accepted: dict[str, Accepted] = {}
        self.enough = False

    async def send(self, stream: str, command: object, command_id: str | None = None) -> Answer:
        """Send one command; the same id until somebody decides."""
        command_id = command_id or self.asking.command_id()
        while True:
            answer = await self.asking.ask("counter", stream, command, command_id=command_id)
            if isinstance(answer, Accepted):
                self.accepted[command_id] = answer
                return answer
            if answer.reason != "unavailable":
                return answer

    async def load(self, streams: int, count: int, together: int = 16) -> None:
        """Send `count` additions to so many counters, several at once, unless told to stop."""
        amounts = iter(range(1, count + 1))

        async def work() -> None:
            for amount in amounts:
                if self.enough:
                    return
                command = counting.Add(amount=amount)
                answer = await self.send(f"ctr_{amount % streams}", command)
                assert isinstance(answer, Accepted), answer

        await asyncio.gather(*[work() for _ in range(together)])


async def client_at(url: str) -> tuple[Client, NatsBroker]:
    """Connect a client to a broker."""
    broker = NatsBroker(await connect(url, "client"))
    return Client(Asking(broker, SystemClock(), entropy, SHARDS, Actor("player", "ply_1"))), broker


@pytest.fixture
async def client(broker_url: str) -> AsyncIterator[Client]:
    made, broker = await client_at(broker_url)
    yield made
    await broker._client.close()
