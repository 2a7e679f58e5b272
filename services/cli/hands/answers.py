"""What an honest dealer would answer, had it dealt the recorded cards."""

from services.cli.hands.recorded import Broken, Cards, Dealt, Skipped
from services.cli.hands.runs import SeatedHand
from services.table.core import (
    AwaitBoard,
    AwaitDeal,
    AwaitOpening,
    AwaitPromise,
    AwaitView,
    Question,
    SeatSeen,
    TableAnswer,
)
from shared.contracts.dealer import (
    DealtBoard,
    DealtHands,
    OpenedSeats,
    Opening,
    PromisedDeck,
    SealedCards,
    SeatOpening,
    Street,
)
from shared.poker.deck import board_positions, hole_positions

ROOT = b"recorded"


def answer(asked: Question, hand: SeatedHand) -> TableAnswer:
    """Answer from the record whatever the table asks; nothing here is sealed or proved."""
    match asked:
        case AwaitPromise():
            return PromisedDeck(hand=asked.hand, promise=ROOT)
        case AwaitDeal():
            sealed = tuple([SealedCards(dealt.seat, b"") for dealt in asked.roster])
            return DealtHands(hand=asked.hand, root=ROOT, sealed=sealed)
        case AwaitBoard():
            positions = board_positions(asked.street, len(hand.seats))
            openings = opened(positions, board(hand, asked.street))
            return DealtBoard(hand=asked.hand, street=asked.street, openings=openings)
        case AwaitView():
            return SeatSeen(asked.hand, asked.seat, hole(hand, asked.seat))
        case AwaitOpening():
            seats = tuple([SeatOpening(seat, hole_openings(hand, seat)) for seat in asked.seats])
            return OpenedSeats(hand=asked.hand, seats=seats)


def opened(positions: tuple[int, ...], cards: Cards) -> tuple[Opening, ...]:
    return tuple(
        [Opening(position, card, b"", ()) for position, card in zip(positions, cards, strict=True)]
    )


def board(hand: SeatedHand, street: Street) -> Cards:
    for step in hand.recorded.steps:
        if isinstance(step, Dealt) and step.street == street:
            return step.cards
    raise Broken(f"the record ends, the {street} is due")


def hole_openings(hand: SeatedHand, seat: int) -> tuple[Opening, ...]:
    positions = hole_positions(hand.seats.index(seat), len(hand.seats))
    return opened(positions, hole(hand, seat))


def hole(hand: SeatedHand, seat: int) -> Cards:
    cards = hand.recorded.holes[hand.seats.index(seat)]
    if cards is None:
        raise Skipped("cards unknown at showdown")
    return cards
