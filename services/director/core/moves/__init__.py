"""Moves of players between tables, by the rule set: which table closes, who goes where, who waits.

All of it is decided from tables at rest. `policy_of` names the rule set's own part; what all of
them share stands in `closing` and `tables`.
"""

from services.director.core.moves.closing import break_emptied, close_tables, draw_movers
from services.director.core.moves.policies import (
    balance,
    balanced_by_draw,
    closing_moves,
    dealt_in,
    held_back,
)
from services.director.core.moves.tables import BALANCE_DRAW, MOVERS_DRAW

__all__ = [
    "BALANCE_DRAW",
    "MOVERS_DRAW",
    "balance",
    "balanced_by_draw",
    "break_emptied",
    "close_tables",
    "closing_moves",
    "dealt_in",
    "draw_movers",
    "held_back",
]
