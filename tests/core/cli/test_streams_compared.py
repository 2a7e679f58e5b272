"""`rollforward streams`: what contradicts a log, what does not, and what an operator reads."""

from functools import cache

import msgspec
import pytest

from services.cli.streams.comparing import as_json, compared, sentence, told
from services.cli.verdicts.streams import LineCopy
from shared.runtime.ports import Line
from tests.core.cli.tournament_world import World, copies_of

WALLET = Line("wallet", 0)


@cache
def whole() -> LineCopy:
    return copies_of(World(3).play().commits)[WALLET]


def of(rows: int, messages: int) -> LineCopy:
    return LineCopy(whole().rows[:rows], whole().messages[:messages])


@pytest.mark.parametrize(
    ("published", "said"),
    [
        ((*range(9),), "ok"),
        ((*range(6),), "ok     3 are missing"),
        ((), "ok     9 are missing"),
        ((0, 1, 2, 3, 5, 6, 7, 8), "ok     1 are missing"),
    ],
)
def test_a_stream_that_is_behind_or_has_holes_contradicts_nothing(published, said):
    copy = LineCopy(whole().rows[:9], [whole().messages[place] for place in published])
    found = compared(WALLET, copy)
    assert not found.contradicts
    assert said in sentence(found)
    assert not list(told(found))


def test_a_stream_ahead_of_its_log_holds_lost_facts():
    found = compared(WALLET, of(6, 9))
    assert found.contradicts
    assert "WRONG  from 7 on 3 facts" in sentence(found)
    assert [line.split("  ")[0] for line in told(found)] == [f"wallet-0 {n}" for n in (7, 8, 9)]


def test_a_log_that_has_grown_again_does_not_hide_what_was_lost():
    """The same numbers, other commits: what only the stream has is not what the log has there."""
    other = [
        msgspec.structs.replace(row, data=row.data.replace(b'"build":"test"', b'"build":"new"'))
        for row in whole().rows
    ]
    found = compared(WALLET, LineCopy([*whole().rows[:6], *other[6:12]], whole().messages[:9]))
    assert [message.sequence for message in found.lost] == [7, 8, 9]


def test_lost_facts_are_told_whole_to_programs():
    found = compared(WALLET, of(6, 8))
    rows = [msgspec.json.decode(row) for row in as_json(found)]
    assert [row["number"] for row in rows] == [7, 8]
    assert [msgspec.json.encode(row["commit"]) for row in rows] == [
        message.data for message in whole().messages[6:8]
    ]


def test_a_fact_that_cannot_be_read_is_told_of_too():
    odd = whole().messages[6]._replace(data=b"{}")
    found = compared(WALLET, LineCopy(whole().rows[:6], (*whole().messages[:6], odd)))
    (line,) = told(found)
    assert "wallet-0 7  cannot be read" in line
