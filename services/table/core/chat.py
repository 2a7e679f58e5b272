"""What players say at the table: all of it is logged, and none of it means anything for play.

A message is refused for the first of these that holds:

    not_seated         the player has no seat at this table, or nobody plays here any more
    text_invalid       it has not 1 to 200 printable characters, or nothing to be seen
    too_many_messages  the player's last message was less than a second ago

Whose chat is suspended is known to the gateway, which lets no further message through.
"""

from typing import Final

from services.table.core.flow import Step, recorded
from services.table.core.legal import is_live
from services.table.core.state import Table, seat_of
from shared.contracts.table import Said, Say
from shared.kernel.decider import Refused

TEXT_CHARACTERS_MAX: Final = 200
PAUSE_MS: Final = 1_000


def say(table: Table, request: Say, at_ms: int) -> Step | Refused:
    """Record a message for everybody at the table (PP-CONDUCT, BP-CHAT)."""
    seat = seat_of(table.seats, request.player)
    if seat is None or not is_live(table):
        return Refused("not_seated")
    if not is_message(request.text):
        return Refused("text_invalid", f"1 to {TEXT_CHARACTERS_MAX} printable characters")
    last_ms = dict(table.spoke).get(request.player)
    if last_ms is not None and at_ms < last_ms + PAUSE_MS:
        return Refused("too_many_messages", "one a second")
    said = Said(player=request.player, seat=seat, text=request.text, at_ms=at_ms)
    return recorded(table, (said,))


def is_message(text: str) -> bool:
    """A message can be shown on one line, and there is something to see."""
    return 0 < len(text) <= TEXT_CHARACTERS_MAX and text.isprintable() and not text.isspace()
