"""An answer fits into a message, however much was decided."""

import msgspec
from msgspec.structs import replace

from shared.contracts.edge import ANSWER_BYTES_MAX, Accepted, Declined, decode_answer
from shared.runtime.intake import written

EVENT = msgspec.Raw(b'{"type":"counter.note.v1","text":"%s"}' % (b"x" * 1_000))


def answer(events):
    return Accepted(stream="ctr_1", n=7, events=(EVENT,) * events, reply=msgspec.Raw(b"[1]"))


def test_an_answer_that_fits_is_written_whole():
    for whole in (answer(0), answer(900), Declined(reason="no", detail="x" * ANSWER_BYTES_MAX)):
        assert decode_answer.decode(written(whole)) == whole


def test_of_more_events_than_fit_the_first_are_written():
    data = written(answer(10_000))
    assert ANSWER_BYTES_MAX - len(bytes(EVENT)) - 1 <= len(data) <= ANSWER_BYTES_MAX
    read = decode_answer.decode(data)
    assert read == answer(len(read.events))


def test_a_reply_that_takes_all_the_room_leaves_none_for_events():
    long = msgspec.Raw(b'"%s"' % (b"x" * ANSWER_BYTES_MAX))
    read = decode_answer.decode(written(replace(answer(3), reply=long)))
    assert (read.reply, read.events) == (long, ())
