"""The log beside eventsourcing's own recorder, and the way through shard, relay and follower.

All on one durable embedded PostgreSQL (fsync on) and one durable NATS (`sync_interval: always`),
turn about, so that a busy machine slows both alike.
"""

import asyncio
import time
from collections.abc import Callable, Iterator, Sequence
from importlib.metadata import version
from itertools import count, islice
from statistics import median
from typing import Any

from eventsourcing.persistence import StoredEvent
from eventsourcing.postgres import PostgresDatastore, PostgresProcessRecorder
from psycopg.conninfo import conninfo_to_dict

from services.wallet.core import DECIDER
from shared.contracts.commit import Actor, Cause, Commit, encode, hash_of, moment, raw
from shared.contracts.edge import Accepted, LogRow
from shared.contracts.wallet import Deposit, WalletEvent
from shared.kernel.ids import new_id
from shared.runtime.adapters.engines import nats_server, postgres
from shared.runtime.adapters.nats import NatsBroker, connect
from shared.runtime.adapters.postgres import PostgresStore, Threads
from shared.runtime.adapters.recorder import LineRecorder
from shared.runtime.adapters.schema import migrate
from shared.runtime.adapters.system import SystemClock
from shared.runtime.aggregate import Aggregate
from shared.runtime.answers import Answers
from shared.runtime.follow import Fact, Follower
from shared.runtime.health import Health
from shared.runtime.log_reading import LogReading
from shared.runtime.memory import Folding
from shared.runtime.ports import Line, NewCommit, Position
from shared.runtime.relay import Relay
from shared.runtime.shard import Shard
from tests.people import signed_up

ROUNDS = 5
APPENDS = {1: 150, 100: 25}
COMMANDS = 4_000
TOGETHER = 256
FOLDED = 20_000
PLAYERS = 200
LINE = Line("wallet", 0)
JOURNAL = "journal"
BY = Actor("operator", "ops_1")
AT_MS = 1_767_225_600_000

Numbers = dict[str, dict[str, object]]


def run() -> Numbers:
    """Return commits and events a second: the log, the shard, the whole way, the fold."""
    with postgres() as database_url, nats_server() as nats_url:
        found = appended(database_url)
        found |= asyncio.run(owned(database_url, nats_url))
    return found | folded()


def appended(database_url: str) -> Numbers:
    """Append groups of commits with our recorder and with the stock one, turn about."""
    migrate(database_url, [LINE])
    ours = line_writer(database_url)
    theirs = stock_writer(database_url)
    peer = f"eventsourcing {version('eventsourcing')}, PostgresProcessRecorder"
    found: Numbers = {}
    for size, appends in APPENDS.items():
        took: dict[str, list[float]] = {"ours": [], "theirs": []}
        for _ in range(ROUNDS):
            took["ours"].append(seconds(ours, size, appends))
            took["theirs"].append(seconds(theirs, size, appends))
        mine, other = median(took["ours"]), median(took["theirs"])
        found[f"log, commits appended {size} at a time"] = {
            "value": round(size * appends / mine),
            "unit": "commits/s",
            "peer": peer,
            "peer_value": round(size * appends / other),
            "ratio": round(other / mine, 1),
        }
    return found


Write = Callable[[int], object]


def seconds(write: Write, size: int, appends: int) -> float:
    began = time.perf_counter()
    for _ in range(appends):
        write(size)
    return time.perf_counter() - began


def line_writer(database_url: str) -> Write:
    store = PostgresStore(database_url, LINE, Threads())
    recorder: LineRecorder = store._recorder
    numbers = count(1)
    return lambda size: recorder.append([NewCommit(*row) for row in stored(numbers, size)])


def stock_writer(database_url: str) -> Write:
    parts = conninfo_to_dict(database_url)
    datastore = PostgresDatastore(
        dbname=str(parts["dbname"]),
        host=str(parts["host"]),
        port=str(parts["port"]),
        user=str(parts["user"]),
        password="",
        originator_id_type="text",
    )
    recorder = PostgresProcessRecorder(datastore)
    recorder.create_table()
    numbers = count(1)
    return lambda size: recorder.insert_events([StoredEvent(*row) for row in stored(numbers, size)])


def stored(numbers: Iterator[int], size: int) -> list[tuple[str, int, str, bytes]]:
    """The same rows for both: one table's stream each, some 400 bytes."""
    return [(f"tbl_{number}", 1, "m", b"x" * 400) for number in islice(numbers, size)]


async def owned(database_url: str, nats_url: str) -> Numbers:
    """Commands through one shard alone, then through relay and follower as well."""
    line = Line("wallet", 1)
    migrate(database_url, [line])
    client = await connect(nats_url, "bench")
    broker, clock, threads = NatsBroker(client), SystemClock(), Threads()
    health, store = Health(clock), PostgresStore(database_url, line, threads)
    shard = Shard(line, WALLET, store, clock, health, "bench")
    tasks = [asyncio.create_task(shard.run())]
    alone = [await commanded(shard, batch) for batch in range(ROUNDS)]
    relay = Relay(line, store, broker, clock, shard.committed)
    tasks.append(asyncio.create_task(relay.run(health)))
    await client.subscribe(line.request("log"), cb=answering(LogReading(shard)))
    followed = Followed()
    follower = Follower(line, "", Position(0, b""), broker, clock)
    tasks.append(asyncio.create_task(follower.run(followed.take, health)))
    await followed.reach(await store.last_number())
    through = []
    for batch in range(ROUNDS, 2 * ROUNDS):
        began = time.perf_counter()
        await commanded(shard, batch)
        await followed.reach(await store.last_number())
        through.append(time.perf_counter() - began)
    for task in tasks:
        task.cancel()
    await client.close()
    await shard.close()
    store.close()
    threads.close()
    return {
        "shard, commands decided and committed in groups": rate(COMMANDS, alone),
        "commands through log, stream and follower": rate(COMMANDS, through),
    }


def rate(done: int, took: Sequence[float], unit: str = "commits/s") -> dict[str, object]:
    return {
        "value": round(done / median(took)),
        "unit": unit,
        "peer": None,
        "peer_value": None,
        "ratio": None,
    }


WALLET = Aggregate(
    owns=lambda stream: stream == JOURNAL,
    decider=DECIDER,
    events=WalletEvent.__args__,
    requests=(Deposit,),
)


async def commanded(shard: Shard, batch: int) -> float:
    """Send deposits, so many under way at once, as requests from the edge come."""
    began = time.perf_counter()
    commands = iter(commands_of(batch))

    async def work() -> None:
        for number, command in commands:
            command_id = new_id("cmd", AT_MS, number.to_bytes(10, "big"))
            answer = await shard.submit(JOURNAL, command, BY, Cause(command=command_id))
            assert isinstance(answer, Accepted), answer

    await asyncio.gather(*[work() for _ in range(TOGETHER)])
    return time.perf_counter() - began


def commands_of(batch: int) -> Iterator[tuple[int, Any]]:
    for number in range(batch * COMMANDS, (batch + 1) * COMMANDS):
        player = f"ply_{number % PLAYERS}"
        steps = signed_up(player)
        if number < PLAYERS * len(steps):
            yield number, steps[number // PLAYERS]
        else:
            yield number, Deposit(player=player, amount_cents=100, reference=f"r{number}")


def answering(reading: LogReading) -> Any:
    read_log = reading.verbs()["log"]

    async def answer(message: Any) -> None:
        await message.respond(await read_log(message.data))

    return answer


class Followed:
    """Counts what has come through."""

    def __init__(self) -> None:
        self.number = 0
        self._moved = asyncio.Event()

    async def take(self, facts: Sequence[Fact]) -> None:
        assert facts[0].number == self.number + 1
        self.number = facts[-1].number
        self._moved.set()

    async def reach(self, number: int) -> None:
        while self.number < number:
            self._moved.clear()
            await self._moved.wait()


def folded() -> Numbers:
    """Fold a wallet's journal from its stored bytes to its state."""
    rows = journal()
    folding = Folding(WALLET)
    took = []
    for _ in range(ROUNDS):
        began = time.perf_counter()
        head = folding.fold(rows, Answers(SystemClock()))
        took.append(time.perf_counter() - began)
        assert head.n == len(rows)
    return {"fold a journal to its state": rate(len(rows), took, "events/s")}


def journal() -> list[LogRow]:
    state, prev, rows = DECIDER.initial, "", []
    for n, (number, command) in enumerate(commands_up_to(FOLDED), 1):
        stepped = DECIDER.step(state, command, AT_MS)
        assert isinstance(stepped, tuple), stepped
        events, state = stepped
        commit = Commit(
            stream=JOURNAL,
            n=n,
            at=moment(AT_MS + n),
            by=BY,
            cause=Cause(command=f"cmd_{number}"),
            saga=None,
            build="bench",
            prev=prev,
            events=tuple([raw(event) for event in events]),
        )
        data = encode(commit)
        prev = hash_of(data).hex()
        rows.append(LogRow(n, JOURNAL, n, "d", data))
    return rows


def commands_up_to(end: int) -> Iterator[tuple[int, Any]]:
    batches = range(-(-end // COMMANDS))
    return (one for batch in batches for one in commands_of(batch) if one[0] < end)
