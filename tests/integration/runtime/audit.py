"""What must hold of stores and streams, looked at from outside: with SQL and with plain NATS."""

import json
from collections import Counter
from hashlib import sha256
from typing import Any, NamedTuple

import nats
import psycopg
from nats.js.api import AckPolicy, ConsumerConfig, DeliverPolicy
from nats.js.errors import NotFoundError
from psycopg.sql import SQL, Identifier

from shared.runtime.ports import Line

COMMIT_BYTES_MAX = 256 * 1024


class Row(NamedTuple):
    """One row of a log."""

    number: int
    stream: str
    n: int
    klass: str
    data: bytes

    @property
    def commit(self) -> dict[str, Any]:
        return dict(json.loads(self.data))


def log_of(dsn: str, line: Line) -> list[Row]:
    """Read a whole log, and check what holds of every log."""
    query = SQL(
        "SELECT notification_id, originator_id, originator_version, topic, state"
        " FROM {}.commits ORDER BY 1"
    ).format(Identifier(f"{line.service}_{line.shard}"))
    with psycopg.connect(dsn) as connection:
        rows = [Row(*row[:4], bytes(row[4])) for row in connection.execute(query)]
    assert [row.number for row in rows] == list(range(1, len(rows) + 1))
    heads: dict[str, tuple[int, str, str]] = {}
    for row in rows:
        n, prev, at = heads.get(row.stream, (0, "", ""))
        commit = row.commit
        assert (commit["stream"], commit["n"], commit["prev"]) == (row.stream, row.n, prev)
        assert row.n == n + 1
        assert commit["at"] >= at
        assert len(row.data) <= COMMIT_BYTES_MAX
        heads[row.stream] = (row.n, sha256(row.data).hexdigest(), commit["at"])
    return rows


def commands_of(rows: list[Row]) -> Counter[str]:
    """Count the commits of each command."""
    causes = (row.commit["cause"] for row in rows)
    return Counter(cause["command"] for cause in causes if "command" in cause)


def facts_of(rows: list[Row]) -> Counter[tuple[str, int]]:
    """Count the commits of each upstream fact."""
    causes = (row.commit["cause"] for row in rows)
    return Counter((cause["fact"], cause["number"]) for cause in causes if "fact" in cause)


def events_of(rows: list[Row], tag: str) -> list[dict[str, Any]]:
    """Return the events of one type, in order."""
    return [event for row in rows for event in row.commit["events"] if event["type"] == tag]


class Message(NamedTuple):
    """One message of a stream."""

    number: int
    subject: str
    data: bytes


async def stream_of(nats_url: str, line: Line) -> list[Message]:
    """Read a whole stream; one that is not there is empty."""
    client = await nats.connect(nats_url)
    found: list[Message] = []
    try:
        js = client.jetstream()
        count = (await js.stream_info(line.stream)).state.messages
        config = ConsumerConfig(ack_policy=AckPolicy.NONE, deliver_policy=DeliverPolicy.ALL)
        consumer = await js.pull_subscribe(line.subjects, stream=line.stream, config=config)
        while len(found) < count:
            for message in await consumer.fetch(min(500, count - len(found)), timeout=5):
                number = message.metadata.sequence.stream
                found.append(Message(number, message.subject, message.data))
    except NotFoundError:
        found = []
    finally:
        await client.close()
    return found


async def last_of(nats_url: str, line: Line) -> int:
    """Return the last sequence of a stream, 0 when there is none."""
    client = await nats.connect(nats_url)
    try:
        return int((await client.jetstream().stream_info(line.stream)).state.last_seq)
    except NotFoundError:
        return 0
    finally:
        await client.close()


def as_messages(line: Line, rows: list[Row]) -> list[Message]:
    """How a log must stand in its stream: numbers, subjects and bytes."""
    return [
        Message(row.number, f"evt.{line.service}.{line.shard}.{row.klass}.{row.stream}", row.data)
        for row in rows
    ]
