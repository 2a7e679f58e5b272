"""One shard on a real store, without its edge: stale memory, lost acknowledgements, shutdown."""

import asyncio
import socket
import threading
from collections.abc import Iterator
from contextlib import suppress

import psycopg
import pytest
from psycopg.conninfo import conninfo_to_dict, make_conninfo

from shared.contracts.edge import Accepted, Declined
from shared.kernel.ids import new_id
from shared.runtime.adapters.nats import NatsBroker, connect
from shared.runtime.adapters.postgres import PostgresStore, Threads
from shared.runtime.aggregate import ask_nobody
from shared.runtime.ports import Advance, Conflict, Line, NewCommit, StoreUnavailable
from tests.integration.runtime.audit import commands_of, events_of, log_of
from tests.integration.runtime.conftest import COUNTERS
from tests.integration.runtime.counting import (
    Add,
    AskOracle,
    Break,
    HearOracle,
    ReadTotal,
    Take,
    counters,
)
from tests.integration.runtime.owning import owning
from tests.integration.runtime.running import until

LINE = COUNTERS[0]
WRITTEN = b'"prev":'  # In what is sent, only a commit that is being written has this.


@pytest.fixture
async def broker(broker_url):
    client = await connect(broker_url, "here")
    yield NatsBroker(client)
    await client.close()


def command_id(number: int) -> str:
    return new_id("cmd", 1_800_000_000_000, number.to_bytes(10, "big"))


async def test_an_owner_with_stale_memory_neither_refuses_nor_reads_from_it(store_url, broker):
    aggregate = counters(ask_nobody)
    async with (
        owning(LINE, aggregate, store_url, broker) as one,
        owning(LINE, aggregate, store_url, broker) as other,
    ):
        assert isinstance(await one.decide("ctr_1", Add(amount=1), command_id(1)), Accepted)
        assert isinstance(await other.decide("ctr_1", Add(amount=9), command_id(2)), Accepted)
        # `one` remembers a total of 1.
        taken = await one.decide("ctr_1", Take(amount=10), command_id(3))
        assert isinstance(taken, Accepted)
        assert taken.n == 3
        # `other` remembers a total of 10.
        read = await other.decide("ctr_1", ReadTotal(), command_id(4))
        assert isinstance(read, Accepted)
        assert bytes(read.reply) == b'{"total":0}'
        assert await one.decide("ctr_1", Take(amount=1), command_id(5)) == Declined(
            reason="amount_impossible", detail="of 0"
        )
        # A command that another owner has decided is answered, not decided again.
        again = await one.decide("ctr_1", Add(amount=9), command_id(2))
        assert isinstance(again, Accepted)
        assert again.n == 2
        # A core that raises on stale state is asked again on the newest, and only then believed.
        assert await other.decide("ctr_1", Break(where="step"), command_id(6)) == Declined(
            reason="internal_error"
        )
    assert set(commands_of(log_of(store_url, LINE)).values()) == {1}


async def test_a_group_with_many_streams_survives_the_conflict_of_one(store_url, broker):
    aggregate = counters(ask_nobody)
    async with (
        owning(LINE, aggregate, store_url, broker) as one,
        owning(LINE, aggregate, store_url, broker) as other,
    ):
        for owner in (one, other):
            tries = [
                owner.decide(f"ctr_{number}", Add(amount=1), command_id(number))
                for number in range(100)
            ]
            answers = await asyncio.gather(*tries)
            assert [answer.n for answer in answers if isinstance(answer, Accepted)] == [1] * 100
        mixed = await asyncio.gather(
            one.decide("ctr_5", Take(amount=2), command_id(201)),
            one.decide("ctr_5", Add(amount=5), command_id(202)),
            one.decide("ctr_5", Take(amount=2), command_id(203)),
            one.decide("ctr_6", Add(amount=5), command_id(204)),
            other.decide("ctr_6", Add(amount=5), command_id(205)),
        )
        assert isinstance(mixed[0], Declined)
        assert all(isinstance(answer, Accepted) for answer in mixed[1:])
    rows = log_of(store_url, LINE)
    assert len(rows) == 100 + 4
    assert set(commands_of(rows).values()) == {1}


async def test_what_another_owner_left_behind_is_taken_up_without_a_restart(store_url, broker):
    async def never(_asked):
        await asyncio.Event().wait()

    async def hear(asked):
        return HearOracle(nth=asked.question.nth, value=asked.n)

    async with owning(LINE, counters(hear), store_url, broker):
        async with owning(LINE, counters(never), store_url, broker) as other:
            await other.decide("ctr_1", Add(amount=1), command_id(1))
            await other.decide("ctr_1", AskOracle(), command_id(2))
        await until(lambda: events_of(log_of(store_url, LINE), "counter.oracle-heard.v1"))
    heard = events_of(log_of(store_url, LINE), "counter.oracle-heard.v1")
    assert heard == [{"type": "counter.oracle-heard.v1", "nth": 1, "value": 2}]


async def test_positions_are_compared_and_set(store_url):
    threads = Threads()
    store = PostgresStore(store_url, LINE, threads)
    assert await store.position("up-0") == (0, b"")
    await store.append([], [Advance("up-0", 0, 7, b"seven")])
    assert await store.position("up-0") == (7, b"seven")
    for advance in (Advance("up-0", 0, 8, b""), Advance("up-1", 0, 1, b"")):
        with pytest.raises(Conflict):
            await store.append([NewCommit("ctr_1", 1, "m", b"{}")], [advance])
    assert await store.position("up-0") == (7, b"seven")
    assert await store.read_log(0, 10) == []
    store.close()
    threads.close()


class Cutting:
    """A proxy before PostgreSQL that, when told, lets a write through and loses its answer."""

    def __init__(self, dsn: str) -> None:
        parts = conninfo_to_dict(dsn)
        self.behind = (str(parts["host"]), int(str(parts["port"])))
        self.listener = socket.create_server(("127.0.0.1", 0))
        self.url = make_conninfo(dsn, host="127.0.0.1", port=self.listener.getsockname()[1])
        self.armed = False
        self.cuts = 0
        threading.Thread(target=self._accept, daemon=True).start()

    def _accept(self) -> None:
        while True:
            try:
                near, _ = self.listener.accept()
            except OSError:
                return
            far = socket.create_connection(self.behind)
            doomed = threading.Event()
            for source, sink, upwards in ((near, far, True), (far, near, False)):
                threading.Thread(
                    target=self._pump, args=(source, sink, upwards, doomed), daemon=True
                ).start()

    def _pump(
        self, source: socket.socket, sink: socket.socket, upwards: bool, doomed: threading.Event
    ) -> None:
        with suppress(OSError):
            while data := source.recv(65_536):
                if upwards and self.armed and WRITTEN in data:
                    self.armed = False
                    doomed.set()
                if not upwards and doomed.is_set():
                    self.cuts += 1
                    break
                sink.sendall(data)
        for one in (source, sink):
            with suppress(OSError):
                one.shutdown(socket.SHUT_RDWR)


@pytest.fixture
def cutting(store_url) -> Iterator[Cutting]:
    proxy = Cutting(store_url)
    yield proxy
    proxy.listener.close()


async def test_a_commit_whose_acknowledgement_is_lost_is_found_and_answered(
    store_url, cutting, broker
):
    async with owning(LINE, counters(ask_nobody), cutting.url, broker) as here:
        assert isinstance(await here.decide("ctr_1", Add(amount=1), command_id(1)), Accepted)
        for number in (2, 3, 4):
            cutting.armed = True
            answer = await here.decide("ctr_1", Add(amount=number), command_id(number))
            assert isinstance(answer, Accepted)
            assert answer.n == number
        assert cutting.cuts == 3
    rows = log_of(store_url, LINE)
    assert [event["amount"] for event in events_of(rows, "counter.added.v1")] == [1, 2, 3, 4]


async def test_an_unreadable_stream_fails_alone(store_url, broker):
    threads = Threads()
    store = PostgresStore(store_url, LINE, threads)
    await store.append([NewCommit("ctr_1", 1, "d", b'{"events":[{"type":"counter.newer.v2"}]}')])
    store.close()
    threads.close()
    async with owning(LINE, counters(ask_nobody), store_url, broker) as here:
        bad, good = await asyncio.gather(
            here.decide("ctr_1", Add(amount=1), command_id(1)),
            here.decide("ctr_3", Add(amount=1), command_id(2)),
        )
        assert bad == Declined(reason="internal_error")
        assert isinstance(good, Accepted)


async def test_nobody_is_left_waiting_when_an_owner_closes(store_url, broker):
    async with owning(LINE, counters(ask_nobody), store_url, broker) as here:
        await here.decide("ctr_1", Add(amount=1), command_id(0))
        tries = [
            asyncio.create_task(here.decide("ctr_1", Add(amount=1), command_id(number)))
            for number in range(1, 800)
        ]
        gone = asyncio.create_task(here.decide("ctr_1", Add(amount=1), command_id(900)))
        await until(lambda: any(one.done() for one in tries))
        gone.cancel()
    ended = await asyncio.wait_for(asyncio.gather(*tries, return_exceptions=True), 5)
    assert {type(one) for one in ended} <= {Accepted, StoreUnavailable}
    rows = log_of(store_url, LINE)
    assert set(commands_of(rows).values()) == {1}
    accepted = {
        command_id(number + 1) for number, one in enumerate(ended) if isinstance(one, Accepted)
    }
    assert accepted <= commands_of(rows).keys()


async def test_a_restored_log_is_not_continued_from_memory(store_url, broker):
    async with owning(Line("counter", 1), counters(ask_nobody), store_url, broker) as here:
        for number in range(1, 6):
            await here.decide("ctr_0", Add(amount=1), command_id(number))
        with psycopg.connect(store_url) as connection:
            connection.execute("DELETE FROM counter_1.commits WHERE notification_id > 3")
            connection.execute(
                "SELECT pg_terminate_backend(pid) FROM pg_stat_activity"
                " WHERE datname = current_database() AND pid <> pg_backend_pid()"
            )
        # A read sees that memory and log differ, and the log wins.
        read = await until(lambda: total(here))
        assert bytes(read.reply) == b'{"total":3}'
        answer = await here.decide("ctr_0", Add(amount=1), command_id(8))
        assert isinstance(answer, Accepted)
        assert answer.n == 4
    log_of(store_url, Line("counter", 1))


async def total(here) -> Accepted | None:
    try:
        answer = await here.decide("ctr_0", ReadTotal(), command_id(7))
    except StoreUnavailable:
        return None
    return answer if isinstance(answer, Accepted) else None
