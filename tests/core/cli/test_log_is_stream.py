"""*Log = stream* sees every message and every commit that is not as owner and relay made it."""

import pytest
from msgspec.structs import replace

from services.cli.verdicts import LineCopy
from shared.contracts.commit import decode, encode
from shared.runtime.ports import Line
from tests.core.cli.test_verdicts import JOURNAL, PRIZES, STREAM, copies, false_in
from tests.core.cli.tournament_world import messages_of


def without(items, at):
    return [*items[:at], *items[at + 1 :]]


def swapped(items, at):
    return [*items[:at], items[at + 1], items[at], *items[at + 2 :]]


def with_item(items, at, change):
    return [*items[:at], change(items[at]), *items[at + 1 :]]


def stream_with(change):
    return lambda line, copy: LineCopy(copy.rows, change(copy.messages))


def message_with(**changes):
    return stream_with(lambda found: with_item(found, 2, lambda m: m._replace(**changes)))


def both_with(change):
    """Change one row of the log, and deliver it as the log now has it."""

    def changed_copy(line, copy):
        rows = change(copy.rows)
        return LineCopy(rows, messages_of(line, rows))

    return changed_copy


def commit_with(nth, /, **changes):
    def change(rows):
        data = encode(replace(decode(rows[nth].data), **changes))
        return with_item(rows, nth, lambda row: replace(row, data=data))

    return both_with(change)


def renumbered(rows):
    return [replace(row, number=number) for number, row in enumerate(rows, 1)]


def with_class(klass):
    return lambda rows: with_item(rows, 3, lambda row: replace(row, klass=klass))


DELIVERIES = [
    ("last message missing", stream_with(lambda found: found[:-1])),
    ("message missing in the middle", stream_with(lambda found: without(found, 3))),
    ("a message too many", stream_with(lambda found: [*found, found[-1]])),
    ("messages out of order", stream_with(lambda found: swapped(found, 3))),
    ("no message at all", stream_with(lambda found: [])),
    ("other bytes", message_with(data=b"{}")),
    ("other subject", message_with(subject="evt.wallet.0.m.other")),
    ("other class in the subject", message_with(subject="evt.wallet.0.x.journal")),
    ("other header", message_with(prev_m="99")),
    ("no header", message_with(prev_m="")),
    ("other number", message_with(sequence=4)),
    ("other hash of the one before", commit_with(4, prev="0" * 64)),
    ("first with a hash of one before", commit_with(0, prev="0" * 64)),
    ("changed after the fact", commit_with(4, build="other")),
    ("earlier than the one before", commit_with(-1, at="2001-01-01T00:00:00.000Z")),
    ("says it is another", commit_with(-1, n=2)),
    ("says another stream", commit_with(-1, stream="other")),
    ("another version", commit_with(-1, v=2)),
    ("class not that of its events", both_with(with_class("x"))),
    ("hole in the numbers", both_with(lambda rows: without(rows, 3))),
    ("commit gone from the chain", both_with(lambda rows: renumbered(without(rows, 3)))),
]


@pytest.mark.parametrize("change", [row[1] for row in DELIVERIES], ids=[r[0] for r in DELIVERIES])
def test_log_and_stream_must_agree(change):
    line = Line("wallet", 0)
    found = {**copies(), line: change(line, copies()[line])}
    assert STREAM in false_in(found)
    assert false_in(found) <= {STREAM, JOURNAL, PRIZES}


def test_a_stream_on_the_wrong_shard_is_seen():
    one, two = Line("table", 0), Line("table", 1)
    rows = {one: copies()[two].rows, two: copies()[one].rows}
    found = {**copies(), **{to: LineCopy(r, messages_of(to, r)) for to, r in rows.items()}}
    assert STREAM in false_in(found)
