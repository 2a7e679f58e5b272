"""Operators' corrections of the journal: a balanced entry that says who posted it, and why."""

from typing import Annotated

import msgspec
from litestar import post

from services.gateway.shell.access import for_operators
from services.gateway.shell.api.players import JOURNAL
from services.gateway.shell.gateway import Gateway
from services.gateway.shell.tokens import Caller
from shared.contracts.wallet import CorrectionLine, PostCorrection

Line = Annotated[str, msgspec.Meta(max_length=1_000)]

FOR_OPERATORS = for_operators("operators")


class NewCorrection(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """What each ledger account shall gain, summing to zero; `corrects` is a commit's number.

    `correction` (`cor_…`) is its name: the same again under the same name changes nothing.
    `settles` names a payment whose amount differed and is decided now; it may have no lines.
    """

    correction: Line
    corrects: int
    lines: tuple[CorrectionLine, ...]
    reason: Line
    settles: Line = ""


class Corrected(msgspec.Struct, frozen=True):
    """The name of a correction that stands in the journal."""

    correction: str


@post("/api/operator/corrections", summary="Correct the journal", **FOR_OPERATORS)
async def correct(data: NewCorrection, gateway: Gateway, caller: Caller) -> Corrected:
    """Post a correction in the caller's name; what it corrects stays as it was posted."""
    command = PostCorrection(
        correction=data.correction,
        corrects=data.corrects,
        lines=data.lines,
        author=caller.id,
        reason=data.reason,
        settles=data.settles,
    )
    await gateway.ask("wallet", JOURNAL, command, caller.actor)
    return Corrected(data.correction)
