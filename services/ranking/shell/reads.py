"""Reads of the leader boards, answered from the read model."""

from collections.abc import Mapping
from typing import Any, Final, LiteralString

from services.ranking.core import is_period
from shared.contracts.message import Reply
from shared.contracts.ranking import BOARD_LINES_MAX, BoardLine, BoardPage, ReadBoard
from shared.kernel.decider import Refused
from shared.runtime.projection import Read, Reading

AFTER_MAX: Final = 1_000_000
LINES: LiteralString = (
    "SELECT rank() OVER (ORDER BY points DESC) AS rank, player, points, tournaments FROM {board}"
    " WHERE period = %(period)s ORDER BY points DESC, player LIMIT %(limit)s OFFSET %(after)s"
)


async def board(reading: Reading, read: ReadBoard) -> Reply | Refused:
    """List players by their points, and by id those who share a rank."""
    if not is_period(read.period):
        return Refused("period_invalid", "a month such as 2026-11, or a year")
    after = max(0, min(read.after, AFTER_MAX))
    limit = max(1, min(read.limit, BOARD_LINES_MAX))
    rows = await reading.select(LINES, period=read.period, after=after, limit=limit + 1)
    return BoardPage(
        period=read.period,
        number=reading.number,
        lines=tuple([BoardLine(**row) for row in rows[:limit]]),
        next_after=after + limit if len(rows) > limit else None,
    )


READS: Mapping[type[Any], Read] = {ReadBoard: board}
