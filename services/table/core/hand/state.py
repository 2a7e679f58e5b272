"""What one running hand must remember; the table around it is not here.

Chips and queues go by seat number: place 0 of the three tuples of chips is never used. A live
seat is in exactly one of three queues, a folded one in none. Acting moves the head of `to_act`
to the tail of another queue; a raise puts those who had acted behind those who had not: that is
already the right order around the table, so nobody ever scans for the one to act.
"""

import msgspec

from shared.contracts.hand import (
    BoardAwaited,
    DealAwaited,
    HandStarted,
    OpeningAwaited,
    ViewAwaited,
)
from shared.poker.rule_sets import RuleSet

Queue = tuple[int, ...]
Chips = tuple[int, ...]
Cards = tuple[str, ...]
Asked = DealAwaited | BoardAwaited | ViewAwaited | OpeningAwaited


class Hand(msgspec.Struct, frozen=True):
    """A hand between two commits.

    `order` is the dealing order, first left of the button. `bets` are of this street, `paid` of
    the streets before, antes included. `again` seats have acted on this street and were raised
    since; `raises` counts the bets and raises of the street that let those who had acted raise
    again, the big blind included. `aggressors` bet or raised, the last one last, as far back as
    the showdown rule of the rule set looks. `shown` has the cards that everybody has seen.
    `asked` is the open question to the dealer: while there is one, nobody acts. `choosing` is the
    seat that may show or muck a beaten hand, whose cards are not here.
    """

    rules: RuleSet
    started: HandStarted
    order: Queue
    stacks: Chips
    bets: Chips
    paid: Chips
    to_match: int
    last_raise: int
    raises: int = 1
    dead: int = 0
    to_act: Queue = ()
    acted: Queue = ()
    all_in: Queue = ()
    again: Queue = ()
    aggressors: Queue = ()
    board: Cards = ()
    shown: tuple[tuple[int, Cards], ...] = ()
    root: bytes = b""
    asked: Asked | None = None
    choosing: int | None = None


def live_seats(hand: Hand) -> Queue:
    """Return the seats not folded, in dealing order."""
    live = hand.to_act + hand.acted + hand.all_in
    if len(live) == 1:
        return live
    return tuple([seat for seat in hand.order if seat in live])


def from_seat_after(order: Queue, seat: int) -> Queue:
    """Turn the order so that it begins after this seat and ends with it."""
    first = order.index(seat) + 1
    return order[first:] + order[:first]
