"""Following every line from its beginning; ready when as far as the lines were at the start."""

from collections.abc import Sequence
from functools import partial
from typing import Final

import msgspec
import structlog

from services.gateway.shell.facts import told
from services.gateway.shell.news import News
from services.gateway.shell.progress import Progress
from shared.contracts.edge import Declined, ReadLog, decode_page, encode
from shared.runtime.follow import Fact, Follower
from shared.runtime.health import Health
from shared.runtime.ports import Broker, BrokerUnavailable, Clock, Line, Position
from shared.runtime.supervisor import LineStopped, Supervisor

FOLLOWED: Final = ("table", "director", "wallet")
NOT_STARTED: Final = Position(0, b"")
ASK_SECONDS = 2.0
LOOK_SECONDS = 0.05
RETRY_SECONDS = 0.2

log = structlog.get_logger()


class Following:
    """Feeds all lines of table, director and wallet into the read models."""

    def __init__(
        self, broker: Broker, clock: Clock, health: Health, news: News, progress: Progress
    ) -> None:
        self._broker = broker
        self._clock = clock
        self._health = health
        self._news = news
        self._progress = progress

    def start(self, supervisor: Supervisor, shards: dict[str, int]) -> list[Line]:
        """Start a follower for each line, and return the lines."""
        lines = [Line(service, shard) for service in FOLLOWED for shard in range(shards[service])]
        for line in lines:
            self._health.wrong(catching_up(line), "reading its log from the beginning")
            follower = Follower(line, "", NOT_STARTED, self._broker, self._clock)
            take = partial(self.take, line)
            supervisor.start(f"follow {line}", partial(follower.run, take, self._health))
        return lines

    async def take(self, line: Line, rows: Sequence[Fact]) -> None:
        """Take facts in; one that the views cannot take stops its line, in sight."""
        for row in rows:
            if row.number <= self._progress.number(line):
                continue
            commit = told(line, row)
            try:
                self._news.take(commit)
            except Exception as fault:
                raise LineStopped(f"{line} {row.number} does not fit the views") from fault

    async def catch_up(self, lines: Sequence[Line]) -> None:
        """Return when every line is read up to where it ended a moment ago."""
        for line in lines:
            end = await self._end(line)
            while self._progress.number(line) < end:
                await self._clock.sleep(LOOK_SECONDS)
            self._health.right(catching_up(line))
        log.info("caught_up", **self._progress.as_of())

    async def _end(self, line: Line) -> int:
        """Ask the line's owner, again and again, for the number of its newest commit."""
        question = encode(ReadLog(after=0, limit=1))
        while True:
            try:
                data = await self._broker.request(line.request("log"), question, ASK_SECONDS)
                page = decode_page.decode(data)
                if not isinstance(page, Declined):
                    return page.last
                reason = page.reason
            except BrokerUnavailable as error:
                reason = f"{type(error).__name__}: {error}"
            except msgspec.MsgspecError as error:
                reason = f"the owner's answer is malformed: {error}"
            self._health.wrong(catching_up(line), reason)
            await self._clock.sleep(RETRY_SECONDS)


def catching_up(line: Line) -> str:
    """Name what is wrong while a line has not been read to its end."""
    return f"catch up {line}"
