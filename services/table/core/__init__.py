"""The table's pure core, whole: the decider, and what the shell reads from its state.

Nothing but these names is for outside; the hand alone, for replays, is `core.hand`.
"""

from services.table.core.clock import timers
from services.table.core.decide import TableAnswer, TableCommand, TableFact, step
from services.table.core.evolve import evolve
from services.table.core.legal import LegalActions, ShowOrMuck, is_live, legal_actions, show_or_muck
from services.table.core.outages import PLAYER_CREDIT_MAX_MS, has_clock
from services.table.core.questions import (
    AwaitBoard,
    AwaitDeal,
    AwaitOpening,
    AwaitPromise,
    AwaitView,
    Question,
    SeatSeen,
    awaiting,
)
from services.table.core.state import Table
from services.table.core.time_bank import bank_left_ms
from shared.contracts.table import TableEvent
from shared.kernel.decider import Decider

DECIDER: Decider[Table, TableCommand, TableEvent] = Decider(
    initial=Table(), step=step, evolve=evolve
)

__all__ = [
    "DECIDER",
    "PLAYER_CREDIT_MAX_MS",
    "AwaitBoard",
    "AwaitDeal",
    "AwaitOpening",
    "AwaitPromise",
    "AwaitView",
    "LegalActions",
    "Question",
    "SeatSeen",
    "ShowOrMuck",
    "Table",
    "TableAnswer",
    "TableCommand",
    "TableFact",
    "awaiting",
    "bank_left_ms",
    "has_clock",
    "is_live",
    "legal_actions",
    "show_or_muck",
    "timers",
]
