"""Commands at the real edge: once however often sent, and a typed refusal for everything wrong."""

import asyncio
import time

import msgspec
import nats
import pytest

from shared.contracts.commit import Actor, raw
from shared.contracts.edge import Accepted, Declined, Request, decode_answer
from shared.kernel.ids import new_id
from tests.integration.runtime.audit import commands_of, events_of, log_of
from tests.integration.runtime.conftest import COUNTERS
from tests.integration.runtime.counting import Add, Break, ReadTotal, Take, WriteTexts
from tests.integration.runtime.running import Running
from tests.integration.runtime.verdict import stream_is_log

MINUTE_MS = 60_000


@pytest.fixture
async def counter(store_url, broker_url):
    with Running("counter", store_url, broker_url) as running:
        await running.ready()
        yield running


async def test_the_same_command_ten_times_is_decided_once(store_url, counter, client):
    command_id = client.asking.command_id()
    first = await client.send("ctr_1", Add(amount=5), command_id)
    assert isinstance(first, Accepted)
    await client.send("ctr_1", Add(amount=6))
    for _ in range(3):
        assert await client.send("ctr_1", Add(amount=5), command_id) == first
    together = [client.send("ctr_1", Add(amount=5), command_id) for _ in range(3)]
    assert await asyncio.gather(*together) == [first] * 3
    counter.kill()
    counter.start()
    for _ in range(3):
        assert await client.send("ctr_1", Add(amount=5), command_id) == first
    rows = [row for line in COUNTERS for row in log_of(store_url, line)]
    assert commands_of(rows)[command_id] == 1
    assert len(rows) == 2


async def test_one_id_on_two_streams_is_two_commands(store_url, counter, client):
    command_id = client.asking.command_id()
    first = await client.send("ctr_1", Add(amount=5), command_id)
    other = await client.send("ctr_3", Add(amount=7), command_id)
    assert isinstance(first, Accepted)
    assert isinstance(other, Accepted)
    assert b'"amount":7' in bytes(other.events[0])


def request(stream="ctr_1", command=None, at_ms=None, **changed) -> bytes:
    now = time.time_ns() // 1_000_000
    fields = {
        "id": new_id("cmd", now if at_ms is None else now + at_ms, b"0123456789"),
        "by": Actor("player", "ply_1"),
        "stream": stream,
        "command": raw(command or Add(amount=1)),
    }
    return msgspec.json.encode(Request(**{**fields, **changed}))


PLAYER = b'"by":{"kind":"player","id":"ply_1"},"stream":"ctr_1"'


def wrong_requests() -> list[tuple[int, bytes, str]]:
    """Made when asked for: a command id carries the time, and a long run would let it pass."""
    return [
        # subject's shard, data, reason
        (0, b"", "malformed"),
        (0, b"no json", "malformed"),
        (0, b'{"id":1}', "malformed"),
        (0, b'{"id":"' + b"\xff\xfe" + b'",' + PLAYER + b',"command":{}}', "malformed"),
        (0, b'{"id":"cmd_1",' + PLAYER + b',"command":' + b"[" * 9_000, "malformed"),
        (0, b'{"id":"cmd_1",' + PLAYER + b',"command":{"type":"counter.add.v1"}}', "malformed"),
        (0, request(command=ReadTotal()), "malformed"),
        (
            0,
            request(command=Add(amount=1)).replace(b'"amount"', b'"extra":1,"amount"'),
            "malformed",
        ),
        (0, request().replace(b'"saga"', b'"more":1,"saga"'), "malformed"),
        (0, request(command=Add(amount=1)).replace(b'"amount":1', b'"amount":1.5'), "malformed"),
        (0, request(saga="s" * 129), "malformed"),
        (0, request(by=Actor("player", "p" * 129)), "malformed"),
        (0, request(by=Actor("player", "x" * 70_000)), "request_too_large"),
        (0, request(id="cmd_1"), "command_id_invalid"),
        (0, request(id="ply_" + "0" * 26), "command_id_invalid"),
        (0, request(at_ms=-10 * MINUTE_MS - 1_000), "command_too_old"),
        (0, request(at_ms=2 * MINUTE_MS), "command_from_the_future"),
        (0, request(stream="ctr"), "stream_invalid"),
        (0, request(stream="ctr_1\x00"), "stream_invalid"),
        (0, request(stream="ctr_1.>"), "stream_invalid"),
        (0, request(stream="tly_1"), "stream_invalid"),
        (0, request(stream="ctr_0"), "wrong_shard"),
        (0, request(command=Add(amount=0)), "amount_impossible"),
        (0, request(command=Add(amount=-(10**18))), "amount_impossible"),
    ]


async def test_what_is_wrong_is_refused_with_its_reason_and_changes_nothing(
    store_url, broker_url, counter
):
    connection = await nats.connect(broker_url)
    for shard, data, reason in wrong_requests():
        reply = await connection.request(f"req.counter.{shard}.add", data, timeout=5)
        answer = decode_answer.decode(reply.data)
        assert isinstance(answer, Declined), (data[:99], answer)
        assert answer.reason == reason, (data[:99], answer)
    assert [log_of(store_url, line) for line in COUNTERS] == [[], []]
    await connection.close()


async def test_a_request_too_large_for_anybody_is_refused_before_it_is_sent(counter, client):
    huge = Break(where="x" * 2_000_000)
    answer = await client.send("ctr_1", huge)
    assert isinstance(answer, Declined)
    assert answer.reason == "request_too_large"


async def test_a_long_decision_is_cut_into_commits_of_one_transaction(
    store_url, broker_url, counter, client
):
    command_id = client.asking.command_id()
    long = WriteTexts(count=45, characters=20_000)
    first = await client.send("ctr_1", long, command_id)
    assert isinstance(first, Accepted)
    assert (first.n, len(first.events)) == (4, 45)
    await client.send("ctr_1", Add(amount=1))
    assert await client.send("ctr_1", long, command_id) == first
    counter.kill()
    counter.start()
    await counter.ready()
    assert await client.send("ctr_1", long, command_id) == first
    rows = await stream_is_log(store_url, broker_url, COUNTERS[0])
    parts = [row.commit for row in rows[:4]]
    assert {part["cause"]["command"] for part in parts} == {command_id}
    assert len({part["at"] for part in parts}) == 1
    assert [len(part["events"]) for part in parts] == [12, 12, 12, 9]
    assert len(events_of(rows, "counter.text-written.v1")) == 45
    assert rows[4].n == 5


async def test_a_single_event_above_the_limit_is_refused(store_url, counter, client):
    answer = await client.send("ctr_1", WriteTexts(count=2, characters=300_000))
    assert isinstance(answer, Declined)
    assert answer.reason == "event_too_large"
    assert log_of(store_url, COUNTERS[0]) == []
    assert isinstance(await client.send("ctr_1", Add(amount=1)), Accepted)


@pytest.mark.parametrize("where", ["step", "respond"])
async def test_a_core_that_raises_refuses_its_own_command_only(store_url, counter, client, where):
    broken, *fine = await asyncio.gather(
        client.send("ctr_1", Break(where=where)),
        *[client.send("ctr_1", Add(amount=1)) for _ in range(20)],
    )
    assert isinstance(broken, Declined)
    assert (broken.reason, broken.detail) == ("internal_error", "")
    assert all(isinstance(answer, Accepted) for answer in fine)
    rows = log_of(store_url, COUNTERS[0])
    assert events_of(rows, "counter.broken.v1") == []
    assert len(rows) == 20
    assert (await counter.readyz())[0] == 200


async def test_a_reply_tells_the_state_after_all_that_was_acknowledged(counter, client):
    for total in range(1, 6):
        await client.send("ctr_1", Add(amount=1))
        answer = await client.send("ctr_1", ReadTotal())
        assert isinstance(answer, Accepted)
        assert bytes(answer.reply) == b'{"total":%d}' % total
    refused = await client.send("ctr_1", Take(amount=6))
    assert refused == Declined(reason="amount_impossible", detail="of 5")


async def test_a_service_told_to_stop_answers_what_it_has_and_ends(store_url, counter, client):
    load = asyncio.create_task(client.load(8, 400))
    await asyncio.sleep(0.3)
    assert await asyncio.to_thread(counter.stop) == 0
    counter.start()
    await load
    rows = [row for line in COUNTERS for row in log_of(store_url, line)]
    assert commands_of(rows).total() == len(client.accepted) == 400
