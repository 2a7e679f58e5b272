"""Errands: what the wallet needs done outside, asked for in batches, recorded before (law 2).

An errand may be run twice and must come out the same: whoever runs it goes by its content.
"""

from typing import final

import msgspec

from shared.contracts.message import Event


@final
class SendDeposit(msgspec.Struct, frozen=True, tag="send-deposit"):
    """Tell the provider that a player wants to pay in."""

    payment: str
    player: str
    amount_cents: int


@final
class SendWithdrawal(msgspec.Struct, frozen=True, tag="send-withdrawal"):
    """Let the provider pay out."""

    payment: str
    player: str
    amount_cents: int


@final
class MailWarning(msgspec.Struct, frozen=True, tag="mail-warning"):
    """Write to a player who was warned, and why (PP-CONDUCT)."""

    player: str
    number: int
    reason: str


@final
class EraseKey(msgspec.Struct, frozen=True, tag="erase-key"):
    """Destroy the key of a person."""

    player: str


@final
class IssueSessionId(msgspec.Struct, frozen=True, tag="issue-session-id"):
    """Get the regulator's id of a tournament."""

    tournament: str


@final
class IssueParticipationId(msgspec.Struct, frozen=True, tag="issue-participation-id"):
    """Get the regulator's id of an entry."""

    tournament: str
    entry: str
    player: str


Errand = (
    SendDeposit | SendWithdrawal | MailWarning | EraseKey | IssueSessionId | IssueParticipationId
)


@final
class ErrandsAwaited(Event, frozen=True, tag="wallet.errands-awaited.v1"):
    """A batch that is to be run now; `number` counts the batches."""

    number: int
    errands: tuple[Errand, ...]


@final
class ErrandsRun(Event, frozen=True, tag="wallet.errands-run.v1"):
    """The batch is back; what could not be done yet queues up again."""

    number: int
    left: tuple[Errand, ...]


ErrandEvent = ErrandsAwaited | ErrandsRun
