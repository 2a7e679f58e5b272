"""Recorded questions and timers outlive their owner: asked until answered, re-armed, once."""

import asyncio
import json
import time

import nats
import pytest

from shared.contracts.edge import Accepted, encode
from tests.integration.runtime.audit import events_of, log_of
from tests.integration.runtime.conftest import COUNTERS
from tests.integration.runtime.counting import Add, AskOracle, Divined, Remind
from tests.integration.runtime.running import Running, until

MANY = 60


class Oracle:
    """Answers when it likes to; the same question always gets the same answer."""

    def __init__(self) -> None:
        self.silent = True
        self.heard: list[tuple[str, int]] = []

    async def divine(self, message) -> None:
        question = json.loads(message.data)["command"]
        key = (question["stream"], question["n"])
        self.heard.append(key)
        if not self.silent:
            reply = Divined(value=self.answer(key))
            await message.respond(encode(Accepted(stream="x", n=1, reply=encoded(reply))))

    def answer(self, key: tuple[str, int]) -> int:
        return sum(map(ord, key[0])) * 1_000 + key[1]


def encoded(reply):
    import msgspec

    return msgspec.Raw(encode(reply))


@pytest.fixture
async def oracle(broker_url):
    connection = await nats.connect(broker_url)
    oracle = Oracle()
    await connection.subscribe("req.oracle.0.divine", cb=oracle.divine)
    await connection.flush()
    yield oracle
    await connection.close()


def heard(dsn: str) -> list[dict]:
    return [e for line in COUNTERS for e in events_of(log_of(dsn, line), "counter.oracle-heard.v1")]


def live(dsn: str) -> int:
    import psycopg

    with psycopg.connect(dsn) as connection:
        counts = [
            connection.execute(f"SELECT count(*) FROM counter_{line.shard}.live_streams").fetchone()
            for line in COUNTERS
        ]
    return sum(count[0] for count in counts if count)


async def test_a_question_is_asked_until_answered_also_by_a_successor(
    store_url, broker_url, client, oracle
):
    with Running("counter", store_url, broker_url) as counter:
        await counter.ready()
        await client.send("ctr_1", Add(amount=1))
        await client.send("ctr_1", AskOracle())
        await until(lambda: len(oracle.heard) >= 2)
        assert set(oracle.heard) == {("ctr_1", 2)}
        refused = await client.send("ctr_1", AskOracle())
        assert not isinstance(refused, Accepted)
        await client.send("ctr_1", Add(amount=1))
        counter.kill()
        assert heard(store_url) == []
        asked = len(oracle.heard)
        counter.start()
        await until(lambda: len(oracle.heard) > asked)
        oracle.silent = False
        await until(lambda: heard(store_url))
        value = oracle.answer(("ctr_1", 2))
        assert heard(store_url) == [{"type": "counter.oracle-heard.v1", "nth": 1, "value": value}]
        assert set(oracle.heard) == {("ctr_1", 2)}
        answered = [row.commit["cause"] for row in log_of(store_url, COUNTERS[0]) if row.n == 4]
        assert answered == [{"answer": 2}]
        assert live(store_url) == 0
        # The next question of the same stream has a key of its own.
        await client.send("ctr_1", AskOracle())
        await until(lambda: len(heard(store_url)) == 2)
        assert heard(store_url)[1]["value"] == oracle.answer(("ctr_1", 5))


async def test_many_questions_and_kills_give_every_question_one_answer(
    store_url, broker_url, client, oracle
):
    oracle.silent = False
    streams = [f"ctr_q{number}" for number in range(MANY)]
    with Running("counter", store_url, broker_url) as counter:
        await counter.ready()
        asking = asyncio.gather(*[client.send(stream, AskOracle()) for stream in streams])
        for _ in range(2):
            await asyncio.sleep(0.1)
            counter.kill()
            counter.start()
            await counter.ready()
        assert all(isinstance(answer, Accepted) for answer in await asking)
        await until(lambda: len(heard(store_url)) == MANY)
        expected = sorted(oracle.answer((stream, 1)) for stream in streams)
        assert sorted(event["value"] for event in heard(store_url)) == expected
        assert live(store_url) == 0


async def test_two_owners_put_one_answer_on_record(store_url, broker_url, client, oracle):
    with (
        Running("counter", store_url, broker_url) as one,
        Running("counter", store_url, broker_url) as other,
    ):
        await one.ready()
        await other.ready()
        streams = [f"ctr_q{number}" for number in range(10)]
        await asyncio.gather(*[client.send(stream, AskOracle()) for stream in streams])
        one.kill()
        one.start()
        await one.ready()
        oracle.silent = False
        await until(lambda: len(heard(store_url)) == len(streams))
        asked = len(oracle.heard)
        await client.send("ctr_1", Add(amount=1))
        await asyncio.sleep(1.5)
        assert len(heard(store_url)) == len(streams)
        assert len(oracle.heard) <= asked + 2 * len(streams), "answered questions are asked again"


def reminded(dsn: str) -> list[int]:
    rows = [row for line in COUNTERS for row in log_of(dsn, line)]
    return [event["due_ms"] for event in events_of(rows, "counter.reminded.v1")]


async def test_timers_are_armed_again_by_a_successor_and_fire_once(store_url, broker_url, client):
    with Running("counter", store_url, broker_url) as counter:
        await counter.ready()
        now = time.time_ns() // 1_000_000
        # The first of them fall due while nobody lives, the last ones after the successor's start.
        dues = [now + 200 + 40 * number for number in range(MANY)]
        sent = [
            client.send(f"ctr_t{number}", Remind(due_ms=due)) for number, due in enumerate(dues)
        ]
        await asyncio.gather(*sent)
        counter.kill()
        counter.start()
        await until(lambda: len(reminded(store_url)) == MANY)
        await asyncio.sleep(0.3)
        assert sorted(reminded(store_url)) == dues
        assert live(store_url) == 0
        rows = [row for line in COUNTERS for row in log_of(store_url, line)]
        for row in rows:
            for event in row.commit["events"]:
                if event["type"] == "counter.reminded.v1":
                    assert row.commit["cause"] == {"timer": "remind"}
