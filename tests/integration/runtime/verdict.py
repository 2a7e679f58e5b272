"""The verdict after a run: every acknowledged command once, stream = log, sums right."""

from collections import Counter

from shared.runtime.ports import Line
from tests.integration.runtime.audit import (
    Row,
    as_messages,
    commands_of,
    events_of,
    facts_of,
    log_of,
    stream_of,
)
from tests.integration.runtime.conftest import COUNTERS, TALLIES, Client
from tests.integration.runtime.running import until


def upstream_facts(dsn: str) -> tuple[Counter[tuple[str, int]], Counter[int]]:
    """The facts that the tallies must have counted, by number and by amount."""
    numbers: Counter[tuple[str, int]] = Counter()
    amounts: Counter[int] = Counter()
    for line in COUNTERS:
        for row in log_of(dsn, line):
            for event in row.commit["events"]:
                if event["type"] in ("counter.added.v1", "counter.taken.v1"):
                    sign = 1 if event["type"] == "counter.added.v1" else -1
                    numbers[str(line), row.number] += 1
                    amounts[sign * event["amount"]] += 1
    return numbers, amounts


def counted_facts(dsn: str) -> tuple[Counter[tuple[str, int]], Counter[int]]:
    """The facts that the tallies have counted."""
    rows = [row for line in TALLIES for row in log_of(dsn, line)]
    amounts = Counter(event["amount"] for event in events_of(rows, "tally.counted.v1"))
    return facts_of(rows), amounts


async def all_counted(dsn: str) -> None:
    """Wait until the tallies have read everything, and see that they counted it once."""
    upstream = upstream_facts(dsn)
    await until(lambda: sum(counted_facts(dsn)[0].values()) >= sum(upstream[0].values()))
    assert counted_facts(dsn) == upstream


def all_commanded(dsn: str, client: Client) -> None:
    """Every acknowledged command has exactly one commit, the one in its answer."""
    rows = [row for line in COUNTERS for row in log_of(dsn, line)]
    counts = commands_of(rows)
    assert set(counts.values()) <= {1}
    assert client.accepted.keys() <= counts.keys()
    where = {row.commit["cause"].get("command"): row for row in rows}
    for command_id, answer in client.accepted.items():
        row = where[command_id]
        assert (row.stream, row.n) == (answer.stream, answer.n)
        assert all(bytes(event) in row.data for event in answer.events)


async def stream_is_log(dsn: str, nats_url: str, line: Line) -> list[Row]:
    """Wait until the relay has caught up; then both hold the same, byte by byte."""
    rows = log_of(dsn, line)

    async def caught_up() -> bool:
        return len(await stream_of(nats_url, line)) >= len(rows)

    await until(caught_up)
    assert await stream_of(nats_url, line) == as_messages(line, rows)
    return rows


async def all_is_exact(dsn: str, nats_url: str, client: Client) -> None:
    """The whole verdict."""
    all_commanded(dsn, client)
    await all_counted(dsn)
    for line in (*COUNTERS, *TALLIES):
        await stream_is_log(dsn, nats_url, line)
