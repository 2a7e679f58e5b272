"""Streams read from their owners: to check a deal at home, or to see behind a balance."""

from typing import Final

import msgspec

from services.gateway.shell.refusals import Refusal, refusal_of
from shared.contracts.edge import Declined, LogPage, LogRow, ReadStream, decode_page, encode
from shared.kernel.sharding import shard_of
from shared.runtime.ports import Broker, BrokerUnavailable, Line

ASK_SECONDS: Final = 2.0
PAGE: Final = 500


class Owners:
    """Asks the owners of streams for their commits."""

    def __init__(self, broker: Broker, shards: dict[str, int]) -> None:
        self._broker = broker
        self._shards = shards

    async def read(self, service: str, stream: str) -> list[LogRow]:
        """Return all commits of a stream; raise Refusal."""
        line = Line(service, shard_of(stream, self._shards[service]))
        rows: list[LogRow] = []
        while True:
            page = await self._page(line, stream, rows[-1].n if rows else 0, PAGE)
            rows += page.rows
            if not page.rows or rows[-1].n >= page.last:
                return rows

    async def read_one(self, service: str, stream: str, n: int) -> LogRow | None:
        """Return commit `n` of a stream, None where there is none; raise Refusal."""
        line = Line(service, shard_of(stream, self._shards[service]))
        page = await self._page(line, stream, n - 1, 1)
        return page.rows[0] if page.rows and page.rows[0].n == n else None

    async def _page(self, line: Line, stream: str, after: int, limit: int) -> LogPage:
        question = encode(ReadStream(stream=stream, after=after, limit=limit))
        try:
            data = await self._broker.request(line.request("stream"), question, ASK_SECONDS)
            page = decode_page.decode(data)
        except (BrokerUnavailable, msgspec.MsgspecError) as error:
            raise Refusal("unavailable", f"{line}: {error}") from error
        if isinstance(page, Declined):
            raise refusal_of(page)
        return page
