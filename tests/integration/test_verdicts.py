"""The verdicts on real engines: a tournament's logs stored, its streams published, then judged."""

import asyncio
from collections.abc import AsyncIterator, Iterator

import pytest

from services.cli.verdicts import LineCopy, verdicts
from shared.runtime.adapters import engines
from shared.runtime.adapters.nats import NatsBroker, connect
from shared.runtime.adapters.reading import patient_stores
from shared.runtime.adapters.schema import migrate
from shared.runtime.ports import Line, NewCommit, Outgoing
from tests.core.cli.tournament_world import LINES, World, copies_of

WALLET = Line("wallet", 0)


@pytest.fixture(scope="module")
def own_nats() -> Iterator[str]:
    """A server of its own: the streams here have the names of the real services' streams."""
    with engines.nats_server(sync="2m") as url:
        yield url


@pytest.fixture(scope="module")
def copies() -> dict[Line, LineCopy]:
    return copies_of(World(3).play().commits)


@pytest.fixture
async def client(own_nats) -> AsyncIterator:
    client = await connect(own_nats, "test")
    for line in LINES:
        await NatsBroker(client, deny_deletes=False).tail(line)
    yield client
    for line in LINES:
        await client.jetstream().delete_stream(line.stream)
    await client.close()


@pytest.fixture
async def stored(dsn, copies) -> str:
    """All logs are in the database."""
    migrate(dsn, LINES)
    with patient_stores(dsn, LINES) as stores:
        for line, store in stores.items():
            rows = copies[line].rows
            await store.append([NewCommit(row.stream, row.n, row.klass, row.data) for row in rows])
    return dsn


async def publish(client, line, messages):
    """Publish as a relay does, behind what is there."""
    outgoing = [Outgoing(m.subject, m.data, int(m.prev_m)) for m in messages]
    await NatsBroker(client).publish(line, outgoing, messages[0].sequence - 1)


async def publish_all(client, copies, *, but=None):
    for line in LINES:
        if line != but:
            await publish(client, line, copies[line].messages)


def false_in(found):
    return {verdict.name for verdict in found if not verdict.true}


async def test_a_platform_at_rest_is_all_true(stored, own_nats, client, copies):
    await publish_all(client, copies)
    found = await verdicts(stored, own_nats, LINES)
    assert len(found) == 6
    assert false_in(found) == set()


async def test_relays_may_still_be_catching_up(stored, own_nats, client, copies):
    await publish_all(client, copies, but=WALLET)
    judging = asyncio.create_task(verdicts(stored, own_nats, LINES))
    await asyncio.sleep(0.3)
    first, rest = copies[WALLET].messages[:5], copies[WALLET].messages[5:]
    await publish(client, WALLET, first)
    await publish(client, WALLET, rest)
    assert false_in(await judging) == set()


async def test_a_stream_that_stays_behind_is_false(stored, own_nats, client, copies):
    await publish_all(client, copies, but=WALLET)
    await publish(client, WALLET, copies[WALLET].messages[:-1])
    found = await verdicts(stored, own_nats, LINES, settle_seconds=0.2)
    assert false_in(found) == {"log = stream"}


@pytest.mark.parametrize("place", [2, -1], ids=["in the middle", "the last"])
async def test_a_message_deleted_is_false(stored, own_nats, client, copies, place):
    await publish_all(client, copies)
    sequence = copies[WALLET].messages[place].sequence
    await client.jetstream().delete_msg(WALLET.stream, sequence)
    found = await verdicts(stored, own_nats, LINES, settle_seconds=0.2)
    assert false_in(found) == {"log = stream"}
