"""A hand that the dealer will never deal on, given up by an operator's word, said twice.

Such as when the vault key that sealed its deck is lost. The dealer is asked again and again, and
in its good days answers at once: so the first word is only written down, and the hand is void by
the second one, half a minute later, if it still waits for the very same answer. Chips are as they
were at its start.

    unknown_hand     neither runs that hand here nor is it scheduled
    reason_invalid   no reason, or a very long one
    not_waiting      it waits for players or a clock, not for the dealer
    too_soon         the first word was said less than half a minute ago
"""

from typing import Final

from services.table.core.flow import Step, after, recorded, vacated
from services.table.core.questions import AwaitBoard, AwaitView, Question, awaiting
from services.table.core.state import Table, opened
from shared.contracts.table import HandDoubted, HandVoided, VoidHand
from shared.kernel.decider import Refused

DOUBTED_MS: Final = 30_000
REASON_CHARACTERS_MAX: Final = 1_000


def void_hand(table: Table, request: VoidHand, at_ms: int) -> Step | Refused:
    """Doubt the hand, or give it up."""
    waits, named = awaiting(table), current(table)
    if named is None or named[0] != request.hand:
        return Refused("unknown_hand")
    if not 0 < len(request.reason) <= REASON_CHARACTERS_MAX:
        return Refused("reason_invalid", f"1 to {REASON_CHARACTERS_MAX} characters")
    if waits is None:
        return Refused("not_waiting", "the dealer is asked for nothing")
    doubt = table.doubt
    if doubt is None or doubt.question != what(waits):
        return recorded(table, (doubted(request, what(waits), at_ms),))
    if at_ms < doubt.at_ms + DOUBTED_MS:
        return Refused("too_soon", f"again in {doubt.at_ms + DOUBTED_MS - at_ms} ms")
    return voided(table, author=request.author, reason=request.reason)


def doubted(request: VoidHand, question: str, at_ms: int) -> HandDoubted:
    return HandDoubted(
        hand=request.hand,
        author=request.author,
        reason=request.reason,
        question=question,
        at_ms=at_ms,
    )


def voided(table: Table, *, author: str = "", reason: str = "") -> Step:
    """Void what runs or is scheduled; who was to leave after the hand leaves now."""
    found, facts = current(table), opened(table)
    if found is None:
        return recorded(table, vacated(table, table.leaving))
    hand, number = found
    void = HandVoided(
        tournament=facts.tournament,
        table=facts.table,
        hand=hand,
        number=number,
        author=author,
        reason=reason,
    )
    step = recorded(table, (void,))
    return after(step[0], recorded(step[1], vacated(step[1], step[1].leaving)))


def current(table: Table) -> tuple[str, int] | None:
    """Return name and number of the hand that runs, or of the one that is scheduled."""
    if table.hand is not None:
        return table.hand.started.hand, table.hand.started.number
    if table.scheduled is not None:
        return table.scheduled.hand, table.scheduled.number
    return None


def what(question: Question) -> str:
    """Name a question among those of its hand."""
    kind = type(question).__name__
    if isinstance(question, AwaitBoard):
        return f"{kind} {question.hand} {question.street}"
    if isinstance(question, AwaitView):
        return f"{kind} {question.hand} {question.seat}"
    return f"{kind} {question.hand}"
