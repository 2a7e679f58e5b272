"""What a table must remember: who sits where, whose turn it is, and what the last hand left.

The hand that runs is a state of its own (`hand/state.py`); chips of a running hand are there,
`seats` holds them as they were when it began.
"""

from typing import Literal

import msgspec

from services.table.core.hand import Hand
from shared.contracts.hand import HandScheduled, SeatStack, SeedGiven
from shared.contracts.table import TableOpened
from shared.kernel.outages import Stretches


class Positions(msgspec.Struct, frozen=True):
    """Where the last hand's button and blinds were, for PP-DEADBUTTON.

    `small_due_seat` was due the small blind, posted or not. Before the first hand, `played` is
    `none` and `button_seat` is the table's first button.
    """

    button_seat: int = 0
    small_due_seat: int = 0
    big_blind_seat: int = 0
    played: Literal["none", "heads_up", "ring"] = "none"


class Turn(msgspec.Struct, frozen=True):
    """The decision that is open, since when and until when; a choice to show or muck is one too.

    `bank_ms` is what was left of the time bank when the turn began to run on it, 0 before.
    `credited` are the outages that were given back to it, ascending and without overlap,
    `player_credit_ms` is how much of that was for the player's connection alone.
    """

    seat: int
    decision: int
    act_by_ms: int
    began_ms: int
    bank_ms: int = 0
    credited: Stretches = ()
    player_credit_ms: int = 0


class Seeding(msgspec.Struct, frozen=True):
    """Player entropy for the scheduled hand; without a promise the dealer is still being asked."""

    promise: bytes = b""
    until_ms: int = 0
    given: tuple[SeedGiven, ...] = ()


class Doubt(msgspec.Struct, frozen=True):
    """An operator's first word against a hand: which answer it waited for then, and when."""

    question: str
    at_ms: int


class Table(msgspec.Struct, frozen=True):
    """One table; `seats` ascending, `out` and `leaving` name players.

    `cleared` is the number of the last hand that was cleared, `decisions` of the last decision
    that was opened in the running hand. `seeding` belongs to `scheduled`. `bank_used` has the
    milliseconds of time bank that players here have used since the tournament began, `spoke` when
    each of them last said something, `bought` the entries that brought chips to a seat here.
    """

    opened: TableOpened | None = None
    seats: tuple[SeatStack, ...] = ()
    out: tuple[str, ...] = ()
    leaving: tuple[str, ...] = ()
    positions: Positions = Positions()
    scheduled: HandScheduled | None = None
    seeding: Seeding | None = None
    cleared: int = 0
    hand: Hand | None = None
    turn: Turn | None = None
    decisions: int = 0
    bank_used: tuple[tuple[str, int], ...] = ()
    spoke: tuple[tuple[str, int], ...] = ()
    bought: tuple[str, ...] = ()
    closed: bool = False
    halted: bool = False
    doubt: Doubt | None = None


def opened(table: Table) -> TableOpened:
    """Return the first fact of a table that has one."""
    if table.opened is None:
        raise ValueError("the table has not been opened")
    return table.opened


def seat_of(seats: tuple[SeatStack, ...], player: str) -> int | None:
    """Return where this player sits."""
    for taken in seats:
        if taken.player == player:
            return taken.seat
    return None


def player_at(seats: tuple[SeatStack, ...], seat: int) -> str | None:
    """Return who sits here."""
    for taken in seats:
        if taken.seat == seat:
            return taken.player
    return None
