"""The choice of a player whose viewed hand is beaten: show it, or muck it (PP-SHOWDOWN)."""

from services.table.core.hand.closing import Stepped, followed
from services.table.core.hand.evolve import evolve
from services.table.core.hand.state import Hand
from shared.contracts.hand import Auto, HandMucked, OpeningAwaited
from shared.kernel.decider import Refused


def show(hand: Hand, seat: int) -> Stepped | Refused:
    """Have the hand opened to everybody; only the dealer still has the cards."""
    return not_choosing(hand, seat) or opening_of(hand, seat)


def muck(hand: Hand, seat: int, auto: Auto = "") -> Stepped | Refused:
    """Keep the hand hidden for ever."""
    return not_choosing(hand, seat) or mucked(hand, seat, auto)


def not_choosing(hand: Hand, seat: int) -> Refused | None:
    """Find out why this seat has no choice now."""
    if hand.choosing is None:
        return Refused("no_choice_open")
    return None if hand.choosing == seat else Refused("not_your_turn")


def opening_of(hand: Hand, seat: int) -> Stepped:
    """Ask for one hand to be opened that was only looked at so far."""
    question = OpeningAwaited(hand=hand.started.hand, seats=(seat,))
    return (question,), evolve(hand, question)


def mucked(hand: Hand, seat: int, auto: Auto = "") -> Stepped:
    """Take a hand out of the showdown, and go on."""
    return followed(hand, (HandMucked(seat=seat, auto=auto),))
