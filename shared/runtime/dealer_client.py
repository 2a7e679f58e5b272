"""Ask the dealer: a hand's questions go to the hand's stream, a draw's to its own."""

from typing import Any, TypeVar

from shared.contracts.edge import Declined
from shared.contracts.message import Reply
from shared.runtime.asking import Asking, is_unavailable, reply_of
from shared.runtime.ports import BrokerUnavailable
from shared.runtime.questions import AnswerRefused

R = TypeVar("R", bound=Reply)


async def ask_dealer(asking: Asking, stream: str, request: Any, reply: type[R]) -> R:
    """Return the dealer's reply; raise AnswerRefused when it refuses, which is an alarm.

    A line that has stopped decides nothing yet, and says so in an alarm of its own.
    """
    answer = await asking.ask("dealer", stream, request, saga=stream)
    if isinstance(answer, Declined):
        if is_unavailable(answer) or answer.reason == "line_stopped":
            raise BrokerUnavailable(answer.detail)
        raise AnswerRefused(f"{type(request).__name__}: {answer.reason} {answer.detail}")
    replied: R = reply_of(answer, reply)
    return replied
