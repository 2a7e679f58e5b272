"""The dealer's answers: each is checked against the open question, then folded.

What was asked must be what is answered, with the right number of cards, all of them new. A
refusal never names a card.
"""

from services.table.core.hand.choice import mucked, opening_of
from services.table.core.hand.closing import STREETS, Stepped, followed
from services.table.core.hand.evolve import HandEvent, evolve
from services.table.core.hand.showdown import beats_or_ties
from services.table.core.hand.state import Cards, Hand
from shared.contracts.dealer import SealedCards, Street
from shared.contracts.hand import (
    BoardAwaited,
    BoardDealt,
    DealAwaited,
    HandBeaten,
    HandsDealt,
    HandShown,
    OpeningAwaited,
    ViewAwaited,
)
from shared.kernel.decider import Refused
from shared.poker.deck import STREET_OFFSETS, is_card

NOT_AWAITED = Refused("not_awaited")
WRONG_SEATS = Refused("wrong_seats")
HOLE_CARDS = 2


def deal_hands(hand: Hand, root: bytes, sealed: tuple[SealedCards, ...]) -> Stepped | Refused:
    """Take the commitment and the sealed cards; the first turn, or what follows without one."""
    if type(hand.asked) is not DealAwaited:
        return NOT_AWAITED
    if tuple([box.seat for box in sealed]) != hand.order:
        return WRONG_SEATS
    if not root:
        return Refused("no_root")
    return followed(hand, (HandsDealt(hand=hand.started.hand, root=root, sealed=sealed),))


def deal_board(hand: Hand, street: Street, cards: Cards) -> Stepped | Refused:
    """Turn up the next street."""
    if type(hand.asked) is not BoardAwaited:
        return NOT_AWAITED
    if hand.asked.street != street:
        return Refused("wrong_street", f"{STREETS[len(hand.board)]} is next")
    wrong = wrong_cards(hand, cards, len(STREET_OFFSETS[street]))
    if wrong is not None:
        return wrong
    return followed(hand, (BoardDealt(street=street, cards=cards),))


def open_hands(hand: Hand, opened: tuple[tuple[int, Cards], ...]) -> Stepped | Refused:
    """Show to everybody the hands that were asked for, in the order asked."""
    if type(hand.asked) is not OpeningAwaited:
        return NOT_AWAITED
    if tuple([seat for seat, _ in opened]) != hand.asked.seats:
        return WRONG_SEATS
    seen: Cards = ()
    for _, cards in opened:
        wrong = wrong_cards(hand, cards, HOLE_CARDS, seen)
        if wrong is not None:
            return wrong
        seen += cards
    events: tuple[HandEvent, ...] = tuple(
        [HandShown(seat=seat, cards=cards) for seat, cards in opened]
    )
    return followed(hand, events)


def view_hand(hand: Hand, seat: int, cards: Cards, *, choice: bool = False) -> Stepped | Refused:
    """Who beats or ties the best hand so far shows; others muck, or get the choice (PP-SHOWDOWN).

    The cards enter no event and no state: a hand that shows is opened by the next question.
    """
    if type(hand.asked) is not ViewAwaited:
        return NOT_AWAITED
    if hand.asked.seat != seat:
        return WRONG_SEATS
    wrong = wrong_cards(hand, cards, HOLE_CARDS)
    if wrong is not None:
        return wrong
    if beats_or_ties(hand, cards):
        return opening_of(hand, seat)
    if not choice:
        return mucked(hand, seat)
    beaten = HandBeaten(seat=seat)
    return (beaten,), evolve(hand, beaten)


def wrong_cards(hand: Hand, cards: Cards, number: int, seen: Cards = ()) -> Refused | None:
    """Find what is wrong with these cards: their number, their spelling, or one seen before."""
    if len(cards) != number:
        return Refused("wrong_number_of_cards", f"{number} are due")
    known = [*seen, *hand.board]
    for _, shown in hand.shown:
        known += shown
    for card in cards:
        if not is_card(card):
            return Refused("no_such_card")
        if card in known:
            return Refused("card_twice")
        known.append(card)
    return None
