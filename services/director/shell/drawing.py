"""The director's draws, put to the dealer: one draw per recorded question.

The dealer is told how many candidates there are, never who: the names stand in the question, so
a field of any size fits in a request, and no seat can be given by name.
"""

from collections.abc import Awaitable, Callable

from services.director.core import AwaitDraw
from shared.contracts.dealer import Draw, Drawn
from shared.runtime.aggregate import Asked
from shared.runtime.asking import Asking
from shared.runtime.dealer_client import ask_dealer


def asking_for_draws(asking: Asking) -> Callable[[Asked], Awaitable[Drawn]]:
    """Return the `ask` of the director's aggregate."""

    async def ask(asked: Asked) -> Drawn:
        question: AwaitDraw = asked.question
        draw = draw_id(asked)
        request = Draw(draw=draw, purpose=question.purpose, count=question.count)
        return await ask_dealer(asking, draw, request, Drawn)

    return ask


def draw_id(asked: Asked) -> str:
    """Name a draw by the commit that asks for it: `drw_<tournament's token>_<n>`."""
    return f"drw_{asked.stream.removeprefix('trn_')}_{asked.n}"
