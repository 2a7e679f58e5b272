"""What follows when the betting of a street is closed: chips back, cards, showdown, pots."""

from services.table.core.hand.evolve import HandEvent, evolve
from services.table.core.hand.legal import actor
from services.table.core.hand.pots import awards
from services.table.core.hand.showdown import showdown_question
from services.table.core.hand.state import Hand, Queue, live_seats
from shared.contracts.dealer import Street
from shared.contracts.hand import BoardAwaited, OpeningAwaited, UncalledReturned

Stepped = tuple[tuple[HandEvent, ...], Hand]
STREETS: dict[int, Street] = {0: "flop", 3: "turn", 4: "river"}
WHOLE_BOARD = 5


def followed(hand: Hand, events: tuple[HandEvent, ...]) -> Stepped:
    """Fold these events, and add what follows from them at once."""
    for event in events:
        hand = evolve(hand, event)
    if actor(hand) is not None:
        return events, hand
    more, hand = closed(hand)
    return events + more, hand


def closed(hand: Hand) -> Stepped:
    """Nobody is to act: a bet nobody called returns, then the hand goes on or ends."""
    if not hand.all_in and len(hand.to_act) + len(hand.acted) > 1:
        return going_on(hand)  # Two or more, all with chips behind: every bet was matched.
    first, second = sorted(hand.bets)[:-3:-1]
    if first == second:
        return going_on(hand)
    returned = UncalledReturned(seat=hand.bets.index(first), by_chips=first - second)
    more, hand = going_on(evolve(hand, returned))
    return (returned, *more), hand


def going_on(hand: Hand) -> Stepped:
    """Ask for what is needed next; when nothing is, pay the pots."""
    question = next_question(hand)
    if question is None:
        return awards(hand)
    return (question,), evolve(hand, question)


def next_question(hand: Hand) -> HandEvent | None:
    """Hands turned up go before the next street, and both before the choice to muck."""
    with_chips = len(hand.to_act) + len(hand.acted)
    if with_chips + len(hand.all_in) == 1:
        return None
    whole = len(hand.board) == WHOLE_BOARD
    if hand.all_in and (whole or with_chips <= 1):
        hidden = hidden_seats(hand)
        if hidden:
            return OpeningAwaited(hand=hand.started.hand, seats=hidden)
    if not whole:
        return BoardAwaited(hand=hand.started.hand, street=STREETS[len(hand.board)])
    hidden = hidden_seats(hand)
    return showdown_question(hand, hidden) if hidden else None


def hidden_seats(hand: Hand) -> Queue:
    """Return the live seats whose cards nobody has seen, in dealing order."""
    shown = [seat for seat, _ in hand.shown]
    return tuple([seat for seat in live_seats(hand) if seat not in shown])
