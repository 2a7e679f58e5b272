"""The dealer's answers as commands: for this hand, as asked, from the right positions."""

from services.table.core.flow import Step, go_on
from services.table.core.hand import Hand, deal_board, deal_hands, open_hands, view_hand
from services.table.core.questions import SeatSeen
from services.table.core.state import Table
from shared.contracts.dealer import DealtBoard, DealtHands, OpenedSeats, Opening
from shared.kernel.decider import Refused
from shared.poker.deck import board_positions, seat_positions

WRONG_POSITIONS = Refused("wrong_positions")


def running(table: Table, hand: str) -> Hand | Refused:
    """Return the hand, if it is the one that runs."""
    if table.hand is None or table.hand.started.hand != hand:
        return Refused("unknown_hand")
    return table.hand


def take_hands(table: Table, answer: DealtHands, at_ms: int) -> Step | Refused:
    """The sealed hole cards are there: play begins."""
    hand = running(table, answer.hand)
    if isinstance(hand, Refused):
        return hand
    return go_on(table, deal_hands(hand, answer.root, answer.sealed), at_ms)


def take_board(table: Table, answer: DealtBoard, at_ms: int) -> Step | Refused:
    """The next street is open."""
    hand = running(table, answer.hand)
    if isinstance(hand, Refused):
        return hand
    stepped = deal_board(hand, answer.street, cards_of(answer.openings))
    due = board_positions(answer.street, len(hand.order))
    if not isinstance(stepped, Refused) and positions_of(answer.openings) != due:
        return WRONG_POSITIONS
    return go_on(table, stepped, at_ms)


def take_openings(table: Table, answer: OpenedSeats, at_ms: int) -> Step | Refused:
    """Hands are shown to everybody."""
    hand = running(table, answer.hand)
    if isinstance(hand, Refused):
        return hand
    opened = tuple([(seat.seat, cards_of(seat.openings)) for seat in answer.seats])
    stepped = open_hands(hand, opened)
    if isinstance(stepped, Refused):
        return stepped
    for seat in answer.seats:
        if positions_of(seat.openings) != seat_positions(hand.order, seat.seat):
            return WRONG_POSITIONS
    return go_on(table, stepped, at_ms)


def take_view(table: Table, answer: SeatSeen, at_ms: int) -> Step | Refused:
    """One hand was looked at; the rule set says whether a beaten one has a choice."""
    hand = running(table, answer.hand)
    if isinstance(hand, Refused):
        return hand
    choice = hand.rules.show_or_muck_ms > 0
    return go_on(table, view_hand(hand, answer.seat, answer.cards, choice=choice), at_ms)


def cards_of(openings: tuple[Opening, ...]) -> tuple[str, ...]:
    """Return the opened cards."""
    return tuple([opening.card for opening in openings])


def positions_of(openings: tuple[Opening, ...]) -> tuple[int, ...]:
    """Return where in the deck the opened cards lay."""
    return tuple([opening.position for opening in openings])
