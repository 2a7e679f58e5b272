"""A batch decided in memory: cut where too long, whole or not at all, one state after another."""

from collections.abc import Sequence
from functools import reduce
from typing import Any, final

import msgspec
import pytest
from hypothesis import given, strategies as st

from shared.contracts.commit import COMMIT_BYTES_MAX, Actor, Cause, decode, hash_of
from shared.contracts.edge import Accepted, LogRow
from shared.contracts.message import Command, Event
from shared.kernel.decider import Decider, Refused
from shared.runtime.aggregate import Aggregate
from shared.runtime.answers import Answers
from shared.runtime.deciding import EVENTS_BYTES_MAX, Batch, EventTooLarge, Input, cut
from shared.runtime.memory import Folding, Head, Memory, Unreadable
from shared.runtime.ports import NewCommit
from tests.core.runtime.clock import StandingClock

MAX = EVENTS_BYTES_MAX - 1


@pytest.mark.parametrize(
    ("lengths", "parts"),
    [
        ([1], [slice(0, 1)]),
        ([MAX], [slice(0, 1)]),
        ([MAX, 1], [slice(0, 1), slice(1, 2)]),
        ([1, MAX, 1], [slice(0, 1), slice(1, 2), slice(2, 3)]),
        ([MAX // 2, MAX // 2, 1], [slice(0, 2), slice(2, 3)]),
        ([10] * 100, [slice(0, 100)]),
    ],
)
def test_a_decision_is_cut_only_where_it_must_be(lengths, parts):
    assert cut(lengths) == parts


def test_a_single_event_above_the_limit_cannot_be_cut():
    with pytest.raises(EventTooLarge):
        cut([1, MAX + 1])


@given(st.lists(st.integers(2, MAX), min_size=1, max_size=40))
def test_parts_are_everything_in_order_and_fit(lengths):
    parts = cut(lengths)
    assert [index for part in parts for index in range(*part.indices(len(lengths)))] == list(
        range(len(lengths))
    )
    assert all(sum(lengths[part]) + len(lengths[part]) <= EVENTS_BYTES_MAX for part in parts)


@final
class Written(Event, frozen=True, tag="log.written.v1"):
    text: str
    asks: bool = False


@final
class Write(Command, frozen=True, tag="log.write.v1"):
    texts: tuple[str, ...]
    asks: bool = False


State = tuple[int, str | None]


def evolve(state: State, event: Written) -> State:
    if event.text == "impossible":
        raise ValueError(event.text)
    return state[0] + 1, event.text if event.asks else state[1]


def step(state: State, command: Write, at_ms: int) -> Any:
    if command.texts == ("refuse",):
        return Refused("no")
    events = tuple([Written(text=text, asks=command.asks) for text in command.texts])
    return events, reduce(evolve, events, state)


def respond(state: State, command: Write) -> None:
    if command.texts == ("mute",):
        raise ValueError("no answer")


AGGREGATE = Aggregate(
    owns=lambda stream: True,
    decider=Decider(initial=(0, None), step=step, evolve=evolve),
    events=(Written,),
    requests=(Write,),
    awaiting=lambda state: state[1],
    timers=lambda state: (("act", state[0]),) if state[0] == 2 else (),
    respond=respond,
)


class Rows:
    """As much of a store as a memory reads: the commits it was given."""

    def __init__(self) -> None:
        self.rows: list[LogRow] = []
        self.reads = 0

    def add(self, commits: list[NewCommit]) -> None:
        for commit in commits:
            self.rows.append(LogRow(len(self.rows) + 1, *commit))

    async def read_stream(self, stream: str, after: int, upto: int) -> list[LogRow]:
        found = [row for row in self.rows if row.stream == stream and after < row.n <= upto]
        self.reads += len(found)
        return found

    async def heads(self, streams: Sequence[str]) -> dict[str, int]:
        return {row.stream: row.n for row in self.rows if row.stream in streams}

    async def read_streams(self, streams: Sequence[str]) -> dict[str, list[LogRow]]:
        return {stream: [row for row in self.rows if row.stream == stream] for stream in streams}


def fresh() -> tuple[Rows, Memory, Folding]:
    rows, folding = Rows(), Folding(AGGREGATE)
    memory = Memory(rows, folding, Answers(StandingClock()))  # type: ignore[arg-type]
    return rows, memory, folding


def written(
    *texts: str, command: str | None = "cmd_1", asks: bool = False, at_ms: int = 1
) -> Input:
    cause = Cause(command=command) if command else Cause(timer="act")
    command_ = Write(texts=texts, asks=asks)
    return Input("log_1", command_, Actor("player", "ply_1"), cause, None, at_ms)


async def batch_on(memory: Memory, folding: Folding) -> Batch:
    await memory.load(["log_1"])
    return Batch(AGGREGATE, folding, memory, "build")


async def test_a_long_decision_becomes_several_commits_that_fold_to_the_same_state():
    rows, memory, folding = fresh()
    batch = await batch_on(memory, folding)
    answer = batch.decide(written(*["x" * 90_000] * 7, asks=True))
    assert isinstance(answer, Accepted)
    assert (answer.n, len(answer.events), len(batch.commits)) == (4, 7, 4)
    assert all(len(commit.data) <= COMMIT_BYTES_MAX for commit in batch.commits)
    commits = [decode(commit.data) for commit in batch.commits]
    assert [commit.n for commit in commits] == [1, 2, 3, 4]
    hashes = [hash_of(commit.data).hex() for commit in batch.commits]
    assert [commit.prev for commit in commits] == ["", *hashes[:-1]]
    rows.add(batch.commits)
    folded = folding.fold(rows.rows, Answers(StandingClock()))
    assert folded == batch.heads["log_1"]
    assert folded.asked_n == 1
    assert folded.prev == hashes[-1]


async def test_an_answer_is_taken_for_its_own_question_only_even_where_the_next_looks_alike():
    _, memory, folding = fresh()
    batch = await batch_on(memory, folding)
    batch.decide(written("which first", asks=True))
    answer = written("which second", asks=True)._replace(cause=Cause(answer=1))
    taken = [batch.decide(answer), batch.decide(answer), batch.decide(answer)]
    assert [(len(said.events), said.n) for said in taken] == [(1, 2), (0, 2), (0, 2)]
    assert batch.heads["log_1"].asked_n == 2
    assert len(batch.commits) == 2


async def test_an_answer_to_a_stream_that_asks_nothing_changes_nothing():
    _, memory, folding = fresh()
    batch = await batch_on(memory, folding)
    batch.decide(written("asks nothing"))
    said = batch.decide(written("unasked")._replace(cause=Cause(answer=1)))
    assert (said.events, said.n, len(batch.commits)) == ((), 1, 1)


@pytest.mark.parametrize("bad", ["impossible", "mute", "refuse"])
async def test_a_command_that_goes_wrong_leaves_no_trace(bad):
    _, memory, folding = fresh()
    batch = await batch_on(memory, folding)
    batch.decide(written("a", command="cmd_1"))
    before = list(batch.commits), dict(batch.heads), dict(batch.commanded)
    try:
        assert batch.decide(written(bad, command="cmd_2")) == Refused("no")
    except ValueError:
        assert bad != "refuse"
    assert (batch.commits, batch.heads, batch.commanded) == before
    answer = batch.decide(written("b", command="cmd_3"))
    assert isinstance(answer, Accepted)
    assert answer.n == 2


async def test_time_never_goes_backwards_in_a_stream():
    _, memory, folding = fresh()
    batch = await batch_on(memory, folding)
    for number, at_ms in enumerate((1_000, 500, 2_000, 1_999)):
        batch.decide(written("a", command=f"cmd_{number}", at_ms=at_ms))
    moments = [decode(commit.data).at[17:23] for commit in batch.commits]
    assert moments == ["01.000", "01.000", "02.000", "02.000"]


async def test_a_doubted_stream_is_read_on_from_where_it_was():
    rows, memory, folding = fresh()
    batch = await batch_on(memory, folding)
    batch.decide(written("a", "b"))
    rows.add(batch.commits)
    memory.keep(batch.heads)
    other = await batch_on(memory, folding)
    other.decide(written("c"))
    rows.add(other.commits)
    memory.doubt()
    rows.reads = 0
    await memory.load(["log_1"])
    assert rows.reads == 2
    assert memory.head("log_1") == other.heads["log_1"]


async def test_a_doubted_stream_that_the_log_contradicts_is_read_anew():
    rows, memory, folding = fresh()
    batch = await batch_on(memory, folding)
    batch.decide(written("a"))
    batch.decide(written("b"))
    memory.keep(batch.heads)
    rows.add(batch.commits[:1])
    memory.doubt(["log_1"])
    await memory.load(["log_1"])
    assert memory.head("log_1").n == 1
    changed = await batch_on(memory, folding)
    changed.decide(written("c"))
    rows.add(changed.commits)
    memory.keep(batch.heads)
    memory.doubt()
    await memory.load(["log_1"])
    assert memory.head("log_1") == changed.heads["log_1"]


async def test_a_stream_of_a_newer_build_is_unreadable_and_alone_in_that():
    rows, memory, _ = fresh()
    data = b'{"stream":"log_2","n":1,"at":"","cause":{},"events":[{"type":"log.newer.v1"}]}'
    rows.add([NewCommit("log_2", 1, "d", data)])
    await memory.load(["log_1", "log_2"])
    assert memory.head("log_1").n == 0
    with pytest.raises(Unreadable):
        memory.head("log_2")


@pytest.mark.parametrize(
    ("head", "live"),
    [
        (Head((0, None)), False),
        (Head((0, None), question="q"), True),
        (Head((0, None), timers=(("act", 1),)), True),
    ],
)
def test_a_stream_is_live_while_it_asks_or_waits(head, live):
    assert head.live is live


def test_folding_skips_nothing_of_an_event_and_tolerates_later_fields():
    data = (
        b'{"v":1,"stream":"log_1","n":1,"at":"2026-11-30T09:00:00.000Z","by":{},"cause":{},'
        b'"later":[],"events":[{"type":"log.written.v1","text":"a","later":{}}]}'
    )
    head = Folding(AGGREGATE).fold([LogRow(1, "log_1", 1, "d", data)], Answers(StandingClock()))
    assert head.state == (1, None)
    assert msgspec.structs.asdict(head)["at_ms"] == 1_796_029_200_000
