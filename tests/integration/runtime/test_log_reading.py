"""The verb `stream`: one stream from its owner, in pages, the bytes as they are stored."""

import pytest

from shared.contracts.edge import Declined, LogPage, ReadStream, decode_page, encode
from shared.runtime.aggregate import ask_nobody
from shared.runtime.log_reading import PAGE_BYTES_MAX, ROWS_MAX
from tests.integration.runtime.conftest import COUNTERS
from tests.integration.runtime.counting import counters
from tests.integration.runtime.feeding import Fed, commit_of, fed, record

LINE = COUNTERS[0]


async def recorded(dsn: str, stream: str, count: int, characters: int = 0) -> list[bytes]:
    """Put so many commits into a stream; return their bytes."""
    event = b'{"type":"counter.note.v1","text":"%s"}' % (b"x" * characters)
    commits = [commit_of(LINE, stream, n, event) for n in range(1, count + 1)]
    for n, data in enumerate(commits, 1):
        await record(dsn, LINE, data, n)
    return commits


async def page_of(shard: Fed, stream: str, after: int = 0, limit: int = 256) -> LogPage:
    question = encode(ReadStream(stream=stream, after=after, limit=limit))
    page = decode_page.decode(await shard.verbs["stream"](question))
    assert isinstance(page, LogPage), page
    return page


async def test_a_stream_is_read_in_pages_as_it_is_stored(store_url):
    await recorded(store_url, "ctr_2", 3)
    stored = await recorded(store_url, "ctr_1", 5)
    async with fed(store_url, LINE, counters(ask_nobody)) as shard:
        first = await page_of(shard, "ctr_1", limit=2)
        rest = await page_of(shard, "ctr_1", after=2)
        assert (first.last, rest.last) == (5, 5)
        assert [row.n for row in first.rows] == [1, 2]
        assert [row.data for row in first.rows + rest.rows] == stored


async def test_an_answer_holds_what_a_message_can(store_url):
    stored = await recorded(store_url, "ctr_1", 4, characters=200_000)
    async with fed(store_url, LINE, counters(ask_nobody)) as shard:
        read: list[bytes] = []
        pages = 0
        while len(read) < len(stored):
            question = ReadStream(stream="ctr_1", after=len(read), limit=ROWS_MAX)
            answer = await shard.verbs["stream"](encode(question))
            assert len(answer) <= PAGE_BYTES_MAX + 1024
            page = decode_page.decode(answer)
            assert isinstance(page, LogPage)
            assert page.rows
            read += [row.data for row in page.rows]
            pages += 1
        assert read == stored
        assert pages > 1


@pytest.mark.parametrize(
    ("after", "limit", "found"),
    [(-5, 256, 2), (0, -1, 1), (0, 0, 1), (0, 10**9, 2), (2, 256, 0), (10**30, 256, 0)],
)
async def test_numbers_out_of_range_read_what_there_is(store_url, after, limit, found):
    await recorded(store_url, "ctr_1", 2)
    async with fed(store_url, LINE, counters(ask_nobody)) as shard:
        assert len((await page_of(shard, "ctr_1", after, limit)).rows) == found
        assert await page_of(shard, "ctr_unknown", after, limit) == LogPage(rows=(), last=0)


@pytest.mark.parametrize(
    ("question", "reason"),
    [
        (b"", "malformed"),
        (b"{}", "malformed"),
        (b"\xff", "malformed"),
        (b"[" * 10_000, "malformed"),
        (b'{"stream":1}', "malformed"),
        (b'{"stream":"ctr_1","after":"1"}', "malformed"),
        (b'{"stream":"ctr_1","klass":"m"}', "malformed"),
        (b'{"stream":"tly_1"}', "stream_invalid"),
        (b'{"stream":"ctr_\'; --"}', "stream_invalid"),
        (b'{"stream":""}', "stream_invalid"),
        (encode({"stream": "ctr_" + "1" * 100_000}), "stream_invalid"),
    ],
)
async def test_what_is_not_a_question_about_a_stream_is_refused(store_url, question, reason):
    async with fed(store_url, LINE, counters(ask_nobody)) as shard:
        answer = decode_page.decode(await shard.verbs["stream"](question))
        assert isinstance(answer, Declined)
        assert answer.reason == reason
        assert len(answer.detail) < 1_000
