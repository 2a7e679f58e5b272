"""A hand, or the draws of a tournament, as commits: what anybody may have to check a deal.

The commits go out as they are stored. Nothing is hidden in them that is not sealed: players'
sockets and JetStream carry the same bytes.
"""

from collections.abc import Awaitable, Callable
from typing import Any

import msgspec

from shared.contracts.commit import Commit, decode
from shared.contracts.dealer import DeckCommitted
from shared.contracts.director import DrawAwaited, DrawTaken, HandCleared
from shared.contracts.edge import LogRow
from shared.contracts.hand import HandEnded
from shared.contracts.message import tag_of

ReadStream = Callable[[str, str], Awaitable[list[LogRow]]]
"""Reads all commits of a stream, given the service and the stream."""


class NotExported(Exception):
    """Why there is nothing to give out: a snake_case reason, and the detail."""

    def __init__(self, reason: str, detail: str) -> None:
        super().__init__(f"{reason}: {detail}")
        self.reason = reason
        self.detail = detail


async def played_lines(tournament: str, read: ReadStream) -> list[bytes]:
    """Return all hands of a tournament that have ended, one after the other."""
    tables: dict[str, list[LogRow]] = {}

    async def read_tables_once(service: str, stream: str) -> list[LogRow]:
        if service != "table":
            return await read(service, stream)
        if stream not in tables:
            tables[stream] = await read(service, stream)
        return tables[stream]

    lines: list[bytes] = []
    for row in await read("director", tournament):
        for cleared in facts(row, HandCleared):
            try:
                lines += await hand_lines(cleared["hand"], read_tables_once)
            except NotExported:
                continue  # It has not been dealt, or has not ended.
    return lines


async def hand_lines(hand: str, read: ReadStream) -> list[bytes]:
    """Return the dealer's commits of a hand, then the table's from its first word to its end."""
    dealt = await read("dealer", hand)
    decks = [event for row in dealt for event in facts(row, DeckCommitted)]
    if not decks:
        raise NotExported("hand_not_found", f"no hand {hand} was dealt")
    played = await read("table", decks[0]["table"])
    named = [row for row in played if names(row, hand)]
    if not any(event["hand"] == hand for row in named for event in facts(row, HandEnded)):
        raise NotExported("hand_not_ended", hand)
    return [row.data for row in [*dealt, *played[named[0].n - 1 : named[-1].n]]]


async def draw_lines(tournament: str, read: ReadStream) -> list[bytes]:
    """Return a tournament's questions and answers, and what the dealer made for each."""
    lines: list[bytes] = []
    for row in await read("director", tournament):
        if facts(row, DrawAwaited, DrawTaken):
            lines.append(row.data)
        if facts(row, DrawAwaited):
            draw = f"drw_{tournament.removeprefix('trn_')}_{row.n}"
            lines += [made.data for made in await read("dealer", draw)]
    if not lines:
        raise NotExported("unknown_tournament", f"no tournament {tournament} has drawn anything")
    return lines


def facts(row: LogRow, *kinds: type[Any]) -> list[dict[str, Any]]:
    """Return the events of some kinds in a commit, as plain values."""
    tags = {tag_of(kind) for kind in kinds}
    return [event for event in plain(decode(row.data)) if event["type"] in tags]


def names(row: LogRow, hand: str) -> bool:
    """Say whether any fact of a commit names this hand."""
    if hand.encode() not in row.data:
        return False
    return any(event.get("hand") == hand for event in plain(decode(row.data)))


def plain(commit: Commit) -> list[dict[str, Any]]:
    return [msgspec.json.decode(event) for event in commit.events]
