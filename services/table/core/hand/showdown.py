"""Who shows, in which order, and who mucks (PP-SHOWDOWN, BH-SHOWDOWN).

Only a showdown without an all-in comes here: all live seats have paid the same, so there is one
pot, and every bet in it was called. The first to show is opened; each other hand is looked at
and then shown or mucked, before the next one is looked at, so that no hand but the best so far
is needed to compare.
"""

from services.table.core.hand.pots import rank_of
from services.table.core.hand.state import Cards, Hand, Queue, from_seat_after
from shared.contracts.hand import OpeningAwaited, ViewAwaited
from shared.poker.hand_rank import hand_rank


def showdown_question(hand: Hand, hidden: Queue) -> OpeningAwaited | ViewAwaited:
    """The first seat opens its cards; the others come clockwise, one at a time."""
    if not hand.shown:
        return OpeningAwaited(hand=hand.started.hand, seats=(first_to_show(hand, hidden),))
    first = hand.shown[0][0]
    seat = next(seat for seat in from_seat_after(hand.order, first) if seat in hidden)
    return ViewAwaited(hand=hand.started.hand, seat=seat)


def first_to_show(hand: Hand, live: Queue) -> int:
    """Return the last live aggressor that the rule set looks back to, else left of the button."""
    return next((seat for seat in reversed(hand.aggressors) if seat in live), live[0])


def beats_or_ties(hand: Hand, cards: Cards) -> bool:
    """Compare a hidden hand with the best one shown so far."""
    best = max([rank_of(hand, seat) for seat, _ in hand.shown])
    return hand_rank(cards + hand.board) >= best
