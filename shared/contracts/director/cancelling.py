"""Giving up a tournament that runs: halted tables, one sheet, a second operator, payouts.

Amounts are integer cents. The cut says up to which commit of each table's line its hands count:
whoever has the logs can compute the sheet again.
"""

from typing import final

import msgspec

from shared.contracts.message import Command, Event, Reply


class Cut(msgspec.Struct, frozen=True):
    """The last fact of a table that counts: commit `number` of `upstream`; 0 before its first."""

    table: str
    upstream: str
    number: int


class PayoutLine(msgspec.Struct, frozen=True, kw_only=True):
    """What one player gets, and what it is made of; the exact terms are fractions of a cent."""

    player: str
    table: int
    seat: int
    chips: int
    certain_cents: int
    chips_cents: int
    rounding_cents: int
    commission_cents: int
    total_cents: int
    certain_exact: str
    chips_exact: str


@final
class ApproveSheet(Command, frozen=True, tag="director.approve-sheet.v1"):
    """A second operator has seen this very sheet, and lets it be paid."""

    author: str
    sheet_hash: str


@final
class WithdrawCancellation(Command, frozen=True, tag="director.withdraw-cancellation.v1"):
    """The tournament goes on."""

    author: str
    reason: str


@final
class LeaveTableOut(Command, frozen=True, tag="director.leave-table-out.v1"):
    """A table that cannot halt is not waited for: its last digested hand counts."""

    table: str
    author: str
    reason: str


@final
class ReadSheet(Command, frozen=True, tag="director.read-sheet.v1"):
    """Ask for the sheet as of now, `limit` lines behind `after` of them; it binds nobody."""

    after: int = 0
    limit: int = 500


class SheetPage(Reply, frozen=True):
    """A part of the sheet; `certain` names the term that does not depend on chips.

    `stage` is `preview`, `halting` while tables are `waiting` for, `final` or `approved`.
    """

    policy: str
    certain: str
    final: bool
    sheet_hash: str
    players: int
    pool_cents: int
    paid_cents: int
    residual_cents: int
    operator_top_up_cents: int
    warnings: tuple[str, ...]
    cut: tuple[Cut, ...]
    lines: tuple[PayoutLine, ...]
    stage: str = "preview"
    opened_by: str = ""
    reason: str = ""
    waiting: tuple[str, ...] = ()
    left_out: tuple[str, ...] = ()
    approved_by: str = ""


@final
class CancellationOpened(Event, frozen=True, tag="director.cancellation-opened.v1"):
    """From here on no hand is cleared, nobody moves, and nothing is bought."""

    tournament: str
    author: str
    reason: str


@final
class TableHalting(Event, frozen=True, tag="director.table-halting.v1"):
    """This table voids the hand that it plays, and says what it has then."""

    tournament: str
    table: str


@final
class TableStopped(Event, frozen=True, tag="director.table-stopped.v1"):
    """The table has halted, in commit `upstream_number` of `upstream`; `hand` was voided, or ""."""

    tournament: str
    table: str
    hand: str
    upstream: str
    upstream_number: int


@final
class TableLeftOut(Event, frozen=True, tag="director.table-left-out.v1"):
    """An operator's word that this table is not waited for."""

    tournament: str
    table: str
    author: str
    reason: str


@final
class CutTold(Event, frozen=True, tag="director.cut-told.v1"):
    """The cut of tables that are too many for one event; `SheetFinal` comes after it."""

    tournament: str
    cut: tuple[Cut, ...]


@final
class SheetFinal(Event, frozen=True, tag="director.sheet-final.v1"):
    """Nothing can change the sheet any more; it follows from the facts up to here.

    `cut` is of all tables but those that `CutTold` has told before.
    """

    tournament: str
    sheet_hash: str
    policy: str
    players: int
    total_cents: int
    operator_top_up_cents: int
    cut: tuple[Cut, ...]


@final
class CancellationWithdrawn(Event, frozen=True, tag="director.cancellation-withdrawn.v1"):
    tournament: str
    author: str
    reason: str


@final
class TableReleased(Event, frozen=True, tag="director.table-released.v1"):
    """A halted table plays on with the next cleared hand."""

    tournament: str
    table: str


CancellingRequest = ApproveSheet | WithdrawCancellation | LeaveTableOut | ReadSheet
CancellingEvent = (
    CancellationOpened
    | TableHalting
    | TableStopped
    | TableLeftOut
    | CutTold
    | SheetFinal
    | CancellationWithdrawn
    | TableReleased
)
