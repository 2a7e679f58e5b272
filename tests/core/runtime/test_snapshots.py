"""Snapshots save reading and change nothing: whatever is wrong with one, the log is folded."""

import asyncio
from contextlib import asynccontextmanager
from hashlib import sha256

import msgspec
import pytest
from hypothesis import given, settings, strategies as st
from msgspec.structs import replace
from prometheus_client import REGISTRY

from services.wallet.core import Wallet
from services.wallet.core.accounts.state import Account
from shared.contracts.commit import Actor, Cause, decode, encode
from shared.kernel.ids import new_id
from shared.kernel.pmap import PMap
from shared.runtime.aggregate import ask_nobody
from shared.runtime.answers import REMEMBERED_MS
from shared.runtime.health import Health
from shared.runtime.memory import Head
from shared.runtime.ports import Line, StoreUnavailable
from shared.runtime.shard import Shard
from shared.runtime.snapshots import BYTES_A_COMMIT, Label, Snapshots, sealed
from tests.core.runtime.clock import StandingClock, settled
from tests.core.runtime.log_in_memory import LogInMemory
from tests.integration.runtime.counting import (
    Add,
    AskOracle,
    Counter,
    Remind,
    counters,
)

LINE = Line("counter", 0)
STREAM = "ctr_1"
BY = Actor("player", "ply_1")
EVERY = 5
COUNTER = replace(counters(ask_nobody), state=Counter, snapshot_every=EVERY)


# --- an owner's start -----------------------------------------------------------------------


@asynccontextmanager
async def owning(store, clock, aggregate=COUNTER, build="b1"):
    """A shard that decides and puts snapshots away."""
    shard = Shard(LINE, aggregate, store, clock, Health(clock), build)
    tasks = [asyncio.create_task(shard.run()), asyncio.create_task(shard.snapshots.run())]
    yield shard
    for task in tasks:
        task.cancel()
    await asyncio.gather(*tasks, return_exceptions=True)
    await shard.close()


def command_id(clock, number):
    return new_id("cmd", clock.ms, number.to_bytes(10, "big"))


async def add(shard, amount, command=None):
    cause = Cause(command=command) if command else Cause(timer="test")
    return await shard.submit(STREAM, Add(amount=amount), BY, cause)


async def grown(clock, commits=EVERY + 2, aggregate=COUNTER):
    """A log whose stream got a snapshot of its fifth commit."""
    store = LogInMemory(LINE)
    async with owning(store, clock, aggregate) as shard:
        for amount in range(1, commits + 1):
            await add(shard, amount)
            if amount == EVERY:
                await settled(lambda: store.disk.snapshot_label(STREAM))
    return store


async def head_of(store, clock, aggregate=COUNTER, build="b1"):
    """What an owner that has just started believes."""
    shard = Shard(LINE, aggregate, store, clock, Health(clock), build)
    await shard._memory.load([STREAM])
    return shard._memory.head(STREAM)


def counted(name, **labels):
    found = REGISTRY.get_sample_value(
        f"rollforward_snapshots_{name}_total", {"line": str(LINE), **labels}
    )
    return found or 0


async def test_a_start_reads_only_what_lies_behind_the_snapshot():
    clock = StandingClock()
    store = await grown(clock, commits=40)
    clock.ms += REMEMBERED_MS + 1
    used, store.rows_read = counted("used"), 0
    head = await head_of(store, clock)
    assert counted("used") == used + 1
    assert (head.n, head.state.total) == (40, sum(range(41)))
    # The first few, to see that the stream is long; the commit that proves the snapshot, twice;
    # a search for young commands; and at most one snapshot's distance.
    assert store.rows_read <= EVERY + 2 + 6 + EVERY
    folded = await head_of(store, clock, replace(COUNTER, state=None))
    assert head == folded


async def test_a_short_stream_gets_no_snapshot_and_nobody_looks_for_one():
    clock = StandingClock()
    store = LogInMemory(LINE)
    async with owning(store, clock) as shard:
        for amount in range(1, EVERY):
            await add(shard, amount)
    assert store.disk.snapshots == {}
    store.snapshot_label = None
    assert (await head_of(store, clock)).n == EVERY - 1


async def test_a_question_and_a_timer_are_as_the_log_says():
    clock = StandingClock()
    store = LogInMemory(LINE)
    aggregate = replace(COUNTER, snapshot_every=4)
    async with owning(store, clock, aggregate) as shard:
        shard.questions.arm = lambda *_: None
        for command in (Remind(due_ms=clock.ms + 9_000), AskOracle(), Add(amount=1), Add(amount=2)):
            await shard.submit(STREAM, command, BY, Cause(timer="test"))
        await settled(lambda: store.disk.snapshot_label(STREAM))
        await shard.submit(STREAM, Add(amount=3), BY, Cause(timer="test"))
    used = counted("used")
    head = await head_of(store, clock, aggregate)
    assert counted("used") == used + 1
    assert (head.asked_n, head.timers) == (2, (("remind", clock.ms + 9_000),))
    assert head == await head_of(store, clock, replace(aggregate, state=None))


@pytest.mark.parametrize("pause_at", range(0, 12, 3))
async def test_a_repeated_command_gets_its_first_answer_right_after_a_restart(pause_at):
    """Snapshots are taken all the time, and of the commands some are young and some are not."""
    clock = StandingClock()
    store, ids, answers = LogInMemory(LINE), [], []
    aggregate = replace(COUNTER, snapshot_every=2)
    async with owning(store, clock, aggregate) as shard:
        for number in range(12):
            if number == pause_at:
                clock.ms += REMEMBERED_MS
            ids.append(command_id(clock, number))
            answers.append(await add(shard, number + 1, ids[-1]))
            clock.ms += 1
        await settled(lambda: decoded_label(store).n >= 11)
    used = counted("used")
    async with owning(store, clock, aggregate) as shard:
        for number in range(pause_at, 12):
            again = await add(shard, number + 1, ids[number])
            assert (again.n, again.events) == (answers[number].n, answers[number].events)
    assert counted("used") == used + 1
    assert len(store.disk.rows) == 12


# --- a snapshot that must not be believed ---------------------------------------------------


NOTHING = Label("", 0, "", 0, "", "", ())


def label_key(store):
    (n,) = {n for _, n, _ in store.disk.snapshots}
    return STREAM, n, 0


def decoded_label(store):
    """The label, and before there is one, one of nothing."""
    data = store.disk.snapshot_label(STREAM)
    return msgspec.msgpack.decode(data[32:], type=Label) if data else NOTHING


def relabelled(**different):
    def spoil(store):
        store.disk.snapshots[label_key(store)] = sealed(replace(decoded_label(store), **different))

    return spoil


def flipped(part, at):
    def spoil(store):
        key = (*label_key(store)[:2], part)
        data = bytearray(store.disk.snapshots[key])
        data[at] ^= 1
        store.disk.snapshots[key] = bytes(data)

    return spoil


def cut_off(part):
    def spoil(store):
        key = (*label_key(store)[:2], part)
        store.disk.snapshots[key] = store.disk.snapshots[key][:-1]

    return spoil


def vanished(store):
    del store.disk.snapshots[(*label_key(store)[:2], 1)]


def written_otherwise(store):
    """A whole snapshot, rightly sealed, of something that is no such state."""
    key, part = label_key(store), msgspec.msgpack.encode("no counter")
    store.disk.snapshots[(*key[:2], 1)] = part
    relabelled(parts=(sha256(part).digest(),))(store)


def restored(store):
    """The log was restored from a backup, and went on differently."""
    disk = store.disk
    row = disk.streams[STREAM][EVERY - 1]
    commit = replace(decode(row.data), build="after the restore")
    disk.streams[STREAM][EVERY - 1] = replace(row, data=encode(commit))


def shortened(store):
    """The log was restored from an older backup than the snapshot."""
    del store.disk.streams[STREAM][EVERY - 1 :]


SPOILT = {
    "flipped in the label": (flipped(0, 40), "broken_seal"),
    "flipped in the seal": (flipped(0, 3), "broken_seal"),
    "flipped in the state": (flipped(1, -1), "broken_part"),
    "label cut off": (cut_off(0), "broken_seal"),
    "state cut off": (cut_off(1), "broken_part"),
    "state vanished": (vanished, "incomplete"),
    "no such state": (written_otherwise, "unreadable"),
    "another stream": (relabelled(stream="ctr_2"), "another_stream"),
    "another build": (relabelled(build="b0"), "another_build"),
    "another shape": (relabelled(shape="round"), "another_shape"),
    "another log": (restored, "another_log"),
    "never was": (relabelled(n=99), "beyond_the_end"),
}


@pytest.mark.parametrize(("spoil", "reason"), SPOILT.values(), ids=SPOILT)
async def test_what_is_wrong_with_a_snapshot_changes_no_answer(spoil, reason, capsys):
    clock = StandingClock()
    store = await grown(clock)
    spoil(store)
    refused = counted("refused", reason=reason)
    head = await head_of(store, clock)
    assert counted("refused", reason=reason) == refused + 1
    assert capsys.readouterr().out.count("snapshot_refused") == 1
    assert head == await head_of(store, clock, replace(COUNTER, state=None))
    async with owning(store, clock) as shard:
        assert (await add(shard, 10)).n == head.n + 1
        # The next one takes its place and is believed.
        for _ in range(EVERY):
            await add(shard, 1)
        await settled(lambda: decoded_label(store).n > EVERY)
    used = counted("used")
    assert (await head_of(store, clock)).state.total == head.state.total + 10 + EVERY
    assert counted("used") == used + 1


async def test_a_log_shorter_than_its_snapshot_is_folded():
    clock = StandingClock()
    store = await grown(clock)
    shortened(store)
    head = await head_of(store, clock)
    assert (head.n, head.state.total) == (EVERY - 1, sum(range(EVERY)))


@given(st.data())
@settings(max_examples=60, deadline=None)
def test_no_changed_byte_is_believed(data):
    clock = StandingClock()
    store = asyncio.run(grown(clock))
    key = data.draw(st.sampled_from(sorted(store.disk.snapshots)))
    kept = bytearray(store.disk.snapshots[key])
    at = data.draw(st.integers(0, len(kept) - 1))
    kept[at] ^= data.draw(st.integers(1, 255))
    store.disk.snapshots[key] = bytes(kept)
    used = counted("used")
    head = asyncio.run(head_of(store, clock))
    assert counted("used") == used
    assert head == asyncio.run(head_of(store, clock, replace(COUNTER, state=None)))


# --- when one is written --------------------------------------------------------------------


def large(n):
    accounts = PMap({f"ply_{k:08}": Account("identified", b"Ann") for k in range(3_000)})
    return Head(Wallet(accounts=accounts), n=n, prev="x")


async def test_the_larger_the_state_the_longer_until_the_next():
    clock, store = StandingClock(), LogInMemory(LINE)
    aggregate = replace(COUNTER, state=Wallet, snapshot_every=10)
    snapshots = Snapshots(LINE, store, aggregate, "b1")
    running = asyncio.create_task(snapshots.run())
    snapshots.note(STREAM, large(10))
    await settled(lambda: store.disk.snapshot_label(STREAM))
    size = sum(len(data) for (_, _, part), data in store.disk.snapshots.items() if part)
    due = 10 + size // BYTES_A_COMMIT
    assert due > 20
    for n in (due - 1, due):
        snapshots.note(STREAM, large(n))
        for _ in range(100):
            await clock.sleep(0)
        assert {n for _, n, _ in store.disk.snapshots} == ({10} if n < due else {due})
    running.cancel()


async def test_a_snapshot_that_cannot_be_kept_disturbs_nobody():
    clock = StandingClock()
    store = LogInMemory(LINE)
    errors = iter([StoreUnavailable("away"), ValueError("no such type")])

    async def failing(*_):
        raise next(errors)

    keep, store.keep_snapshot = store.keep_snapshot, failing
    async with owning(store, clock) as shard:
        for _ in range(2 * EVERY):
            await add(shard, 1)
        await settled(lambda: next(errors, None) is None)
        store.keep_snapshot = keep
        for _ in range(EVERY):
            await add(shard, 1)
        await settled(lambda: store.disk.snapshot_label(STREAM))
    assert (await head_of(store, clock)).state.total == 3 * EVERY
