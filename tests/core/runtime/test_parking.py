"""What waits and what goes on: rows, and the laws that no order of facts may break."""

from collections.abc import Sequence

import pytest
from hypothesis import given, strategies as st

from shared.contracts.commit import Actor, Cause
from shared.runtime.deciding import Input
from shared.runtime.parking import (
    BEHIND,
    REASON_CHARACTERS_MAX,
    Read,
    Untaken,
    as_parked,
    changed,
    take_in_order,
    written,
)
from shared.runtime.ports import Parked

NOBODY = Actor("service", "tally")


def fact(number: int, text: str) -> Read:
    """A fact by its upstream stream and kind: `a+` right, `a-` refused, `a?` unreadable, `a.`."""
    stream, kind = text
    if kind == ".":
        return Read(number, stream, b"")
    if kind == "?":
        return Read(number, stream, b"", fault="unreadable")
    given = Input("own", kind, NOBODY, Cause(fact="up-0", number=number), None, 0)
    return Read(number, stream, b"", (given,))


def facts_of(text: str) -> list[Read]:
    return [fact(number, one) for number, one in enumerate(text.split(), 1)]


class Decided:
    """Takes everything in but what is refused, and keeps what it took."""

    def __init__(self, refused: str = "-") -> None:
        self.refused = refused
        self.taken: list[int | None] = []

    def __call__(self, inputs: Sequence[Input]) -> str:
        if any(given.command == self.refused for given in inputs):
            return "refused"
        self.taken += [given.cause.number for given in inputs]
        return ""


ROWS = [
    # facts, streams blocked before, taken, waiting by number
    ("a+ b+ a+", "", [1, 2, 3], {}),
    ("a+ b- a+ c+", "", [1, 3, 4], {2: "refused"}),
    ("a- a+ b+ a- a+", "", [3], {1: "refused", 2: BEHIND, 4: BEHIND, 5: BEHIND}),
    ("a? b+ a+", "", [2], {1: "unreadable", 3: BEHIND}),
    ("a+ b+ a? b-", "a", [2], {1: BEHIND, 3: BEHIND, 4: "refused"}),
    # What is not for this shard waits behind nothing.
    ("a- a. a+ a.", "", [], {1: "refused", 3: BEHIND}),
    ("a. b.", "ab", [], {}),
    ("", "a", [], {}),
]


@pytest.mark.parametrize(("facts", "blocked", "taken", "waiting"), ROWS)
def test_what_is_taken_in_and_what_waits(facts, blocked, taken, waiting):
    decided = Decided()
    untaken = take_in_order(facts_of(facts), set(blocked), decided)
    assert decided.taken == taken
    assert {one.fact.number: one.reason for one in untaken} == waiting


TEXTS = st.lists(st.tuples(st.sampled_from("abc"), st.sampled_from("+-?.")).map("".join))


@given(TEXTS, st.sets(st.sampled_from("abc")), st.integers(0, 20))
def test_no_fact_is_lost_doubled_or_overtaken_however_they_are_grouped(texts, blocked, cut):
    facts = [fact(number, text) for number, text in enumerate(texts, 1)]
    decided = Decided()
    first = take_in_order(facts[:cut], blocked, decided)
    then_blocked = blocked | {one.fact.stream for one in first}
    untaken = (*first, *take_in_order(facts[cut:], then_blocked, decided))
    waiting = [one.fact.number for one in untaken]
    concerning = [one.number for one in facts if one.concerns_us]
    assert sorted([*waiting, *decided.taken]) == concerning
    for stream in "abc":
        of_stream = [one.number for one in facts if one.stream == stream]
        last_taken = max([n for n in decided.taken if n in of_stream], default=0)
        assert all(n > last_taken for n in waiting if n in of_stream)
    whole = Decided()
    assert take_in_order(facts, blocked, whole) == untaken
    assert whole.taken == decided.taken


@given(TEXTS)
def test_once_mended_what_waited_is_fed_in_order_and_nothing_else(texts):
    facts = [fact(number, text) for number, text in enumerate(texts, 1)]
    decided = Decided()
    untaken = take_in_order(facts, (), decided)
    again = [one.fact._replace(fault="") for one in untaken]
    mended = Decided(refused="")
    assert take_in_order(again, (), mended) == ()
    readable = [one.fact.number for one in untaken if one.fact.inputs]
    assert mended.taken == readable


def row(number: int, stream: str, reason: str) -> Parked:
    return Parked("up-0", number, stream, reason, "then", b"")


def test_a_retry_takes_away_what_was_taken_and_renews_reasons():
    rows = [row(1, "a", "old"), row(2, "b", "same"), row(3, "a", BEHIND), row(4, "c", "old")]
    untaken = [
        Untaken(fact(2, "b-"), "same"),
        Untaken(fact(3, "a-"), "new"),
    ]
    gone, again = changed(rows, untaken)
    assert gone == (rows[0], rows[2], rows[3])
    assert again == (row(3, "a", "new"),)


def test_a_row_keeps_the_bytes_and_says_when_and_why():
    read = Read(7, "a", b"bytes", fault="why")
    assert as_parked("up-1", [Untaken(read, "why")], "now") == (
        Parked("up-1", 7, "a", "why", "now", b"bytes"),
    )


def test_a_reason_is_fit_for_a_store_whatever_is_in_it():
    assert written("name \x00\ud800\n is wrong") == "name     is wrong"
    assert len(written("x" * 10_000)) == REASON_CHARACTERS_MAX
