"""Facts parked on a real store: in the transaction of the position, whole, in order, once."""

import psycopg
import pytest
from msgspec.structs import replace
from prometheus_client import REGISTRY

from shared.contracts.edge import Declined, InboxPage, ReadInbox, decode_inbox, encode
from shared.contracts.message import tag_of
from shared.kernel.decider import Refused
from shared.runtime import reacting
from shared.runtime.deciding import EVENTS_BYTES_MAX
from shared.runtime.parking import BEHIND
from shared.runtime.ports import Advance, Conflict, Line, NewCommit, Parked
from shared.runtime.supervisor import LineStopped
from tests.integration.runtime.audit import events_of, facts_of, log_of
from tests.integration.runtime.counting import (
    Added,
    Counted,
    decide_mended_tally,
    decide_tally,
    tallies,
)
from tests.integration.runtime.feeding import commit_of, facts, fed

UP = Line("counter", 0)
HERE = Line("tally", 0)
BAD = 13


def added(amount: int | str) -> bytes:
    return encode({"type": "counter.added.v1", "amount": amount, "total": 0})


def deciding(decide_bad):
    """A tally that fails at one amount, in its own way."""

    def decide(total, command, at_ms):
        if getattr(command, "amount", 0) == BAD:
            return decide_bad()
        return decide_mended_tally(total, command, at_ms)

    return tallies(decide)


def raising():
    raise ValueError("no such amount")


USUAL = tallies(decide_tally).reactions[Added]


def reacting_by(**different):
    return replace(tallies(decide_tally), reactions={Added: replace(USUAL, **different)})


def fails_for_bad(value):
    def made(fact, *origin):
        return raising() if fact.amount == BAD else value(fact, *origin)

    return made


LARGE = Counted(counter="x" * EVENTS_BYTES_MAX, amount=BAD, sum=BAD)
FAULTS = {
    # how it cannot be taken in: the tally, what its reason says
    "refused": (deciding(lambda: Refused("not_now", "today")), "not_now today"),
    "raises": (deciding(raising), "internal_error ValueError('no such amount')"),
    "too large": (deciding(lambda: (LARGE,)), "event_too_large"),
    "no command": (
        reacting_by(command=fails_for_bad(USUAL.command)),
        "cannot be read: ValueError('no such amount')",
    ),
    "no stream": (reacting_by(stream=fails_for_bad(lambda _: "tly_1")), "cannot be read"),
    "not our stream": (
        reacting_by(stream=lambda fact: "tly_\x00" if fact.amount == BAD else "tly_1"),
        r"no stream of tally: 'tly_\\x00'",
    ),
}


@pytest.mark.parametrize(("tally", "why"), FAULTS.values(), ids=FAULTS)
async def test_a_fact_that_cannot_be_taken_in_waits_alone_with_its_stream(store_url, tally, why):
    given = facts(
        UP,
        ("ctr_1", added(1)),
        ("ctr_2", added(BAD)),
        ("ctr_1", added(3)),
        ("ctr_2", added(4)),
    )
    async with fed(store_url, HERE, tally) as one:
        await one.take(UP, given)
        parked = await one.parked(UP)
        assert parked.keys() == {2, 4}
        assert why in parked[2]
        assert parked[4] == BEHIND
        assert (await one.store.position("counter-0")).reached == 4
        assert [bytes(row.data) for row in await one.store.parked("counter-0", 1, 1)] == [
            given[1].data
        ]
        reason = one.health.reasons()["inbox counter-0 for tally-0"]
        assert reason.startswith("parked: 2 facts of counter-0")
        assert parked_metric() == 2
        # A successor knows it, too, and parks what comes next behind it.
        async with fed(store_url, HERE, tally) as successor:
            await successor.take(UP, facts(UP, ("ctr_2", added(5)), ("ctr_3", added(6)), first=5))
            assert (await successor.parked(UP))[5] == BEHIND
            assert not successor.health.ready
        assert parked_metric() == 0  # of a line that is not ours
    assert facts_of(log_of(store_url, HERE)) == {("counter-0", n): 1 for n in (1, 3, 6)}


def parked_metric() -> float | None:
    return REGISTRY.get_sample_value("rollforward_parked", {"line": "tally-0"})


async def test_a_fact_that_cannot_be_decoded_concerns_every_shard_until_it_can(
    store_url, monkeypatch
):
    given = facts(UP, ("ctr_1", added("16")), ("ctr_1", added(2)), ("ctr_1", added(5)))
    lines = (HERE, Line("tally", 1))
    for line in lines:
        async with fed(store_url, line, tallies(decide_tally), shards=2) as one:
            await one.take(UP, given)
            parked = await one.parked(UP)
            assert "Expected `int`, got `str`" in parked[1]
            before = await one.retry()
            assert (before.taken, before.waiting) == (0, len(parked))
            assert [stopped.number for stopped in before.stopped] == [1]
            assert await one.parked(UP) == parked
    lenient = reacting.msgspec.json.Decoder(Added, strict=False).decode
    monkeypatch.setitem(reacting.DECODERS, tag_of(Added), lenient)
    for line in lines:
        async with fed(store_url, line, tallies(decide_tally), shards=2) as one:
            assert (await one.retry()).waiting == 0
            assert await one.parked(UP) == {}
            assert one.health.ready
    counted = [
        event["amount"]
        for line in lines
        for event in events_of(log_of(store_url, line), "tally.counted.v1")
    ]
    assert sorted(counted) == [2, 5, 16]


async def test_a_fact_with_several_events_is_taken_in_whole_or_not_at_all(store_url):
    data = commit_of(UP, "ctr_1", 1, added(1), added(2), added(BAD), added(1))
    lone = facts(UP, ("ctr_2", added(1)), first=2)
    async with fed(store_url, HERE, deciding(raising)) as one:
        await one.take(UP, [reacting.Fact(1, data), *lone])
        assert (await one.parked(UP)).keys() == {1}
    assert facts_of(log_of(store_url, HERE)) == {("counter-0", 2): 1}
    async with fed(store_url, HERE, tallies(decide_tally)) as mended:
        retried = await mended.retry()
        assert (retried.taken, retried.waiting) == (1, 0)
    rows = log_of(store_url, HERE)
    assert facts_of(rows) == {("counter-0", 2): 1, ("counter-0", 1): 4}
    sums = {event["sum"] for event in events_of(rows, "tally.counted.v1")}
    assert sums == {1, 2, 3, BAD}


async def test_a_retry_feeds_each_stream_in_order_up_to_what_still_fails(store_url):
    given = facts(
        UP,
        ("ctr_1", added(BAD)),
        ("ctr_2", added(BAD)),
        ("ctr_2", added(BAD + 1)),
        *[("ctr_1", added(8)), ("ctr_2", added(16))] * 100,
    )
    behind = set(range(5, 204, 2))
    async with fed(store_url, HERE, deciding(raising)) as one:
        await one.take(UP, given)
        assert len(await one.parked(UP)) == len(given)
    half = deciding(lambda: ())

    def decide(total, command, at_ms):
        if getattr(command, "amount", 0) == BAD + 1:
            return Refused("still_not")
        return half.decider.step(total, command, at_ms)

    halfway = replace(half, decider=replace_step(half.decider, decide))
    async with fed(store_url, HERE, halfway) as one:
        retried = await one.retry()
        assert (retried.taken, retried.waiting) == (102, 101)
        assert [(fact.number, fact.reason) for fact in retried.stopped] == [(3, "still_not")]
        assert await one.parked(UP) == {3: "still_not", **dict.fromkeys(behind, BEHIND)}
        assert not one.health.ready
        # What is new goes on, or waits behind, as before.
        await one.take(UP, facts(UP, ("ctr_1", added(32)), ("ctr_2", added(40)), first=204))
        assert (await one.parked(UP)).keys() == {3, *behind, 205}
    async with fed(store_url, HERE, tallies(decide_tally)) as one:
        assert (await one.retry()).taken == 102
        assert one.health.ready
        again = await one.retry()
        assert (again.taken, again.waiting, again.stopped) == (0, 0, ())
    rows = log_of(store_url, HERE)
    for stream in ("ctr_1", "ctr_2"):
        numbers = [
            row.commit["cause"]["number"]
            for row in rows
            if row.commit["events"][0]["counter"] == stream
        ]
        assert numbers == sorted(numbers)
    assert set(facts_of(rows).values()) == {1}
    assert len(rows) == len(given) + 2 - 2  # The halfway build heard both bad ones as nothing.


def replace_step(decider, step):
    return type(decider)(initial=decider.initial, step=step, evolve=decider.evolve)


async def test_the_same_commits_as_if_it_had_never_been_parked(store_url):
    given = facts(UP, ("ctr_1", added(BAD)), ("ctr_1", added(21)))
    async with fed(store_url, HERE, deciding(raising)) as one:
        await one.take(UP, given)
    async with fed(store_url, HERE, tallies(decide_tally)) as one:
        await one.retry()
        parked_first = [row.data for row in log_of(store_url, HERE)]
        with psycopg.connect(store_url) as connection:
            connection.execute("DELETE FROM tally_0.commits")
            connection.execute("DELETE FROM tally_0.positions")
    async with fed(store_url, HERE, tallies(decide_tally)) as one:
        await one.take(UP, given)
    assert [row.data for row in log_of(store_url, HERE)] == parked_first


async def test_owners_at_once_neither_lose_nor_double_what_is_parked(store_url):
    tally = deciding(raising)
    given = facts(UP, ("ctr_1", added(BAD)), ("ctr_1", added(2)), ("ctr_2", added(3)))
    async with fed(store_url, HERE, tally) as one, fed(store_url, HERE, tally) as other:
        await one.take(UP, given[:1])
        kept = reacting.Reactor(UP, one.shard, 1, await one.store.position("counter-0"), one.clock)
        position = await other.store.position("counter-0")
        await other.shard.look_into_inbox()
        reactor = reacting.Reactor(UP, other.shard, 1, position, other.clock)
        await kept.take(given[1:])
        with pytest.raises(Conflict):
            await reactor.take(given[1:])
        assert (await one.parked(UP)).keys() == {1, 2}
        # A newer build elsewhere feeds them; who believes them parked looks again.
        async with fed(store_url, HERE, tallies(decide_tally)) as newer:
            assert (await newer.retry()).taken == 2
        await kept.take(facts(UP, ("ctr_1", added(4)), first=4))
        assert await one.parked(UP) == {}
    assert facts_of(log_of(store_url, HERE)) == {("counter-0", n): 1 for n in (1, 2, 3, 4)}


async def test_an_owner_with_stale_memory_parks_nothing_for_it(store_url):
    def decide(total, command, at_ms):
        if getattr(command, "amount", 0) == 9 and total < 10:
            return Refused("not_yet")
        return decide_mended_tally(total, command, at_ms)

    elsewhere = Line("counter", 1)
    tally = tallies(decide)
    async with fed(store_url, HERE, tally) as one, fed(store_url, HERE, tally) as other:
        await one.take(UP, facts(UP, ("ctr_1", added(1))))
        await other.take(elsewhere, facts(elsewhere, ("ctr_2", added(17))))
        # `one` remembers a sum of 1.
        await one.take(UP, facts(UP, ("ctr_1", added(9)), first=2))
        assert await one.parked(UP) == {}
    sums = [event["sum"] for event in events_of(log_of(store_url, HERE), "tally.counted.v1")]
    assert sums == [1, 18, 27]


async def test_parked_facts_are_written_with_everything_else_or_not_at_all(store_url):
    row = Parked("counter-0", 5, "ctr_1", "why", "then", b"bytes")
    async with fed(store_url, HERE, tallies(decide_tally)) as one:
        store = one.store
        await store.position("counter-0")
        await store.append([], [Advance("counter-0", 0, 5, b"")], parked=[row])
        commit = NewCommit("tly_1", 1, "d", b"{}")
        for parked, unparked in (
            ([row], []),
            ([], [row._replace(number=6)]),
            ([], [row, row._replace(number=6)]),
        ):
            with pytest.raises(Conflict):
                await store.append(
                    [commit],
                    [Advance("counter-0", 5, 9, b"")],
                    parked=parked,
                    unparked=unparked,
                )
        with pytest.raises(Conflict):
            await store.append([commit, commit], parked=[row._replace(number=9)], unparked=[row])
        assert await store.parked("counter-0", 0, 9) == [row]
        assert (await store.position("counter-0")).reached == 5
        assert await store.read_log(0, 9) == []
        renewed = row._replace(reason="another")
        await store.append([], parked=[renewed], unparked=[row])
        assert await store.parked("counter-0", 0, 9) == [renewed]
        assert await store.parked_streams() == {"counter-0": {"ctr_1": 1}}


async def test_an_inbox_is_read_in_pages_and_everything_else_is_refused(store_url):
    async with fed(store_url, HERE, deciding(raising)) as one:
        ups = (UP, Line("counter", 1))
        for up in ups:
            await one.take(up, facts(up, *[("ctr_1", added(BAD))] * 3))
        found = []
        page = None
        while page is None or page.facts:
            upstream, after = (found[-1].upstream, found[-1].number) if found else ("", 0)
            read = ReadInbox(upstream=upstream, after=after, limit=2)
            page = decode_inbox.decode(await one.verbs["inbox"](encode(read)))
            assert isinstance(page, InboxPage)
            assert page.total == 6
            assert len(page.facts) <= 2
            found += page.facts
        assert [(fact.upstream, fact.number) for fact in found] == [
            (str(up), number) for up in ups for number in (1, 2, 3)
        ]
        for verb in ("inbox", "inbox-retry"):
            for data in (b"", b"[", b'{"no":1}', b"[" * 5_000):
                answer = decode_inbox.decode(await one.verbs[verb](data))
                assert isinstance(answer, Declined)
                assert answer.reason == "malformed"


async def test_a_commit_that_tells_nothing_stops_its_line_and_the_rest_stands(store_url):
    given = facts(UP, ("ctr_1", added(1)), ("ctr_2", added(BAD)), ("ctr_1", added(2)))
    nameless = commit_of(UP, "ctr_\x00", 3, added(1))
    for data in (b"", b"{}", b"\xff", b"[" * 5_000, nameless):
        async with fed(store_url, HERE, deciding(raising)) as one:
            with pytest.raises(LineStopped, match="counter-0 3"):
                await one.take(UP, [*given[:2], reacting.Fact(3, data)])
            assert (await one.store.position("counter-0")).reached == 2
            assert (await one.parked(UP)).keys() == {2}
    assert facts_of(log_of(store_url, HERE)) == {("counter-0", 1): 1}
