"""JetStream delivers and may lose everything: deleted streams and messages, foreign ones."""

import asyncio
from contextlib import suppress

import nats
import pytest
from nats.js.errors import NotFoundError

from shared.contracts.edge import Accepted, Declined
from shared.kernel.sharding import shard_of
from shared.runtime.adapters.nats import NatsBroker, connect
from shared.runtime.ports import Line, Outgoing, StreamMoved
from tests.integration.runtime.audit import as_messages, last_of, log_of, stream_of
from tests.integration.runtime.conftest import COUNTERS, TALLIES
from tests.integration.runtime.counting import Add
from tests.integration.runtime.running import Running
from tests.integration.runtime.verdict import all_counted, all_is_exact, stream_is_log

MANY = 50_000


async def test_streams_deleted_under_load_are_rebuilt_as_they_were(store_url, broker_url, client):
    admin = await nats.connect(broker_url)
    with (
        Running("counter", store_url, broker_url) as counter,
        Running("tally", store_url, broker_url) as tally,
    ):
        await counter.ready()
        await tally.ready()
        load = asyncio.create_task(client.load(8, 10_000))
        for line in (*COUNTERS, TALLIES[0], COUNTERS[0]):
            await asyncio.sleep(0.4)
            with suppress(NotFoundError):
                await admin.jetstream().delete_stream(line.stream)
        await asyncio.sleep(0.2)
        client.enough = True
        await load
        await all_is_exact(store_url, broker_url, client)
        before = await stream_of(broker_url, COUNTERS[0])
        await admin.jetstream().delete_stream(COUNTERS[0].stream)
        await stream_is_log(store_url, broker_url, COUNTERS[0])
        assert await stream_of(broker_url, COUNTERS[0]) == before
        assert await client.send("ctr_1", Add(amount=1))
        await all_counted(store_url)
    await admin.close()


async def test_messages_deleted_from_the_middle_and_the_end_are_asked_for(
    store_url, broker_url, client
):
    admin = await nats.connect(broker_url)
    with Running("counter", store_url, broker_url) as counter:
        await counter.ready()
        await client.load(8, 300)
        for line in COUNTERS:
            rows = await stream_is_log(store_url, broker_url, line)
            for number in (1, 2, *range(20, 60), len(rows)):
                await admin.jetstream().delete_msg(line.stream, number)
        with Running("tally", store_url, broker_url) as tally:
            await all_counted(store_url)
            await client.load(8, 20)
            await all_counted(store_url)
            for line in COUNTERS:
                kept = await stream_of(broker_url, line)
                assert set(kept) < set(as_messages(line, log_of(store_url, line)))
                await admin.jetstream().delete_stream(line.stream)
                await stream_is_log(store_url, broker_url, line)
            await tally.ready()
    await admin.close()


async def test_a_stream_ahead_of_its_log_stops_its_line(store_url, broker_url, client):
    broker = NatsBroker(await connect(broker_url, "stranger"))
    ahead = Outgoing(COUNTERS[0].subject("m", "ctr_0"), b"{}", 0)
    await broker.publish(COUNTERS[0], [ahead], 0)
    with Running("counter", store_url, broker_url) as counter:
        reason = await counter.unready("relay counter-0", "stopped")
        assert "ahead of the log, at 1" in reason
        # Nobody is left without an answer, nothing is decided, and the other line goes on.
        for name in ("ctr_0", "ctr_1", "ctr_2", "ctr_3"):
            answer = await client.send(name, Add(amount=1))
            if shard_of(name, len(COUNTERS)) == 0:
                assert isinstance(answer, Declined)
                assert answer.reason == "line_stopped"
                assert "ahead of the log, at 1" in answer.detail
            else:
                assert isinstance(answer, Accepted)
        assert log_of(store_url, COUNTERS[0]) == []
        assert len(await stream_is_log(store_url, broker_url, COUNTERS[1])) == len(client.accepted)
        assert 0 < len(client.accepted) < 4
        assert await stream_of(broker_url, COUNTERS[0]) == [(1, ahead.subject, ahead.data)]


async def test_a_stream_with_other_bytes_stops_its_line(store_url, broker_url, client):
    broker = NatsBroker(await connect(broker_url, "stranger"))
    with Running("counter", store_url, broker_url) as counter:
        await counter.ready()
        await client.load(8, 10)
        rows = await stream_is_log(store_url, broker_url, COUNTERS[0])
        counter.kill()
        await nats_delete(broker_url, COUNTERS[0])
        await broker.tail(COUNTERS[0])
        messages = as_messages(COUNTERS[0], rows)
        forged = [Outgoing(m.subject, m.data.replace(b"ply_1", b"ply_2"), 0) for m in messages]
        await broker.publish(COUNTERS[0], forged, 0)
        counter.start()
        reason = await counter.unready("relay counter-0", "stopped")
        assert f"other bytes at {len(rows)}" in reason


async def nats_delete(url: str, line: Line) -> None:
    admin = await nats.connect(url)
    await admin.jetstream().delete_stream(line.stream)
    await admin.close()


async def test_a_slow_reader_of_many_messages_is_paced_and_misses_nothing(broker_url):
    line = Line("counter", 0)
    broker = NatsBroker(await connect(broker_url, "many"))
    text = b"x" * 1_000
    for start in range(0, MANY, 500):
        messages = [Outgoing(line.subject("m", "ctr_1"), text, number) for number in range(500)]
        assert await broker.publish(line, messages, start) == start + 500
    numbers: list[int] = []
    async with broker.deliveries(line, "m", 0) as deliveries:
        async for group in deliveries:
            if not numbers:
                await asyncio.sleep(1.0)
            numbers += [delivery.number for delivery in group]
            assert len(group) <= 512
            if len(numbers) >= MANY:
                break
    assert numbers == list(range(1, MANY + 1))


async def test_a_publisher_with_a_wrong_end_is_told(broker_url):
    line = Line("counter", 0)
    broker = NatsBroker(await connect(broker_url, "late"))
    one = Outgoing(line.subject("m", "ctr_1"), b"1", 0)
    assert await broker.publish(line, [one], 0) == 1
    for messages in ([one], [one, one, one]):
        for last in (0, 2):
            with pytest.raises(StreamMoved):
                await broker.publish(line, messages, last)
    assert await last_of(broker_url, line) == 1
    assert await broker.publish(line, [one, one, one], 1) == 4
