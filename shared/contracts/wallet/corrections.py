"""Corrections: what was posted stays; an operator's new entry sets it right."""

from typing import final

import msgspec

from shared.contracts.message import Command, Event
from shared.contracts.wallet.ledger import Posting


class CorrectionLine(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """What one ledger account shall gain; all lines together sum to zero."""

    account: str
    amount_cents: int


@final
class PostCorrection(Command, frozen=True, tag="wallet.post-correction.v1"):
    """Set commit `corrects` of the journal right; `correction` (`cor_…`) is its name, once.

    With `settles` it is an operator's decision on this payment, whose amount differed; then no
    lines are needed where the money already lies right.
    """

    correction: str
    corrects: int
    lines: tuple[CorrectionLine, ...]
    author: str
    reason: str
    settles: str = ""


@final
class CorrectionPosted(Event, frozen=True, tag="wallet.correction-posted.v1"):
    correction: str
    corrects: int
    author: str
    reason: str
    postings: tuple[Posting, ...]
    settles: str = ""


CorrectionRequest = PostCorrection
CorrectionEvent = CorrectionPosted
