"""What the ratings look like in a table: points by player, for each month and each year."""

from typing import Any

import msgspec

from services.ranking.core import periods_at
from shared.contracts.edge import LogRow
from shared.contracts.ranking import Rated
from shared.runtime.projection import Row, Rows
from shared.runtime.read_models import BOARD


class RatedEvent(msgspec.Struct, frozen=True):
    """Any event of the ratings: only who was rated counts here."""

    finished_at_ms: int = 0
    ratings: tuple[Rated, ...] = ()


class RatedCommit(msgspec.Struct, frozen=True):
    """A commit of the ratings, read for them alone."""

    events: tuple[RatedEvent, ...]


decode: Any = msgspec.json.Decoder(RatedCommit).decode


def rows_of(row: LogRow) -> Rows:
    """Return the rows of one commit: each adds to what its player has in its period."""
    commit: RatedCommit = decode(row.data)
    rows: list[Row] = [
        (period, rated.player, rated.points, 1)
        for event in commit.events
        for period in periods_at(event.finished_at_ms)
        for rated in event.ratings
    ]
    return {BOARD.name: rows}
