"""What may be done at a table now, for the player's screen and for the bots."""

import msgspec

from services.table.core.hand import options
from services.table.core.state import Table, player_at


class LegalActions(msgspec.Struct, frozen=True):
    """The open decision and exactly what would be accepted.

    Folding always is, checking when `call_chips` is 0, calling when it is not, and every raise
    from `min_raise_to` to `max_raise_to`; both are 0 when raising is not allowed, and one amount
    in fixed limit.
    """

    seat: int
    player: str
    decision: int
    call_chips: int
    min_raise_to: int
    max_raise_to: int


def legal_actions(table: Table) -> LegalActions | None:
    """Return what the player to act may do; None when nobody is to act."""
    if table.hand is None or table.turn is None:
        return None
    choice = options(table.hand)
    if choice is None:
        return None
    return LegalActions(
        seat=choice.seat,
        player=player_at(table.hand.started.seats, choice.seat) or "",
        decision=table.turn.decision,
        call_chips=choice.call_chips,
        min_raise_to=choice.min_raise_to,
        max_raise_to=choice.max_raise_to,
    )


class ShowOrMuck(msgspec.Struct, frozen=True):
    """The open choice of a player whose viewed hand is beaten (PP-SHOWDOWN)."""

    seat: int
    player: str
    decision: int


def show_or_muck(table: Table) -> ShowOrMuck | None:
    """Return who may show or muck now; `Show` and `Muck` are accepted then, and nothing else."""
    hand, turn = table.hand, table.turn
    if hand is None or turn is None or hand.choosing is None:
        return None
    player = player_at(hand.started.seats, turn.seat) or ""
    return ShowOrMuck(seat=turn.seat, player=player, decision=turn.decision)


def is_live(table: Table) -> bool:
    """Tell whether an owner has to watch this table: false before it opens and once it is done."""
    return table.opened is not None and (not table.closed or table.hand is not None)
