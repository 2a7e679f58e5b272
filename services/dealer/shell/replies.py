"""Answers, read from the committed facts alone: the same question always gets the same answer.

Only a sealed reply differs in bytes from one time to the next, because it is made for a one-time
key; what is in it does not.
"""

from typing import assert_never

from services.dealer.core import Dealings
from services.dealer.shell.sealing import seat_key, unseal_deck
from services.dealer.shell.vault import Vault
from shared.contracts.dealer import (
    AskSeatKey,
    DealBoard,
    DealerRequest,
    DealHands,
    DealtBoard,
    DealtHands,
    Draw,
    Drawn,
    OpenedSeats,
    OpenSeats,
    PromisedDeck,
    PromiseDeck,
    SealedReply,
    ViewSeat,
)
from shared.contracts.message import Reply
from shared.runtime.ports import Entropy
from shared.runtime.sealed import bytes_of, seal_reply, seat_key_context, view_context


def replied(
    vault: Vault, entropy: Entropy, dealings: Dealings, request: DealerRequest
) -> Reply | None:
    """Answer an accepted request; None if the record holds no answer to it."""
    match request:
        case PromiseDeck():
            return promised_deck(dealings)
        case DealHands():
            return dealt_hands(dealings)
        case DealBoard():
            return dealt_board(dealings, request)
        case OpenSeats():
            return opened_seats(dealings, request)
        case ViewSeat():
            return viewed_seat(vault, entropy, dealings, request)
        case AskSeatKey():
            return asked_key(vault, entropy, dealings, request)
        case Draw():
            return drawn(dealings)
        case _:
            assert_never(request)


def promised_deck(dealings: Dealings) -> PromisedDeck | None:
    promised = dealings.promise
    if promised is None:
        return None
    return PromisedDeck(hand=promised.hand, promise=promised.promise)


def dealt_hands(dealings: Dealings) -> DealtHands | None:
    deck = dealings.deck
    if deck is None:
        return None
    return DealtHands(hand=deck.hand, root=deck.root, sealed=deck.sealed)


def dealt_board(dealings: Dealings, request: DealBoard) -> DealtBoard | None:
    for board in dealings.boards:
        if board.street == request.street:
            return DealtBoard(hand=board.hand, street=board.street, openings=board.openings)
    return None


def opened_seats(dealings: Dealings, request: OpenSeats) -> OpenedSeats | None:
    for shown in dealings.shown:
        if shown.stated == request.stated and tuple(s.seat for s in shown.seats) == request.seats:
            return OpenedSeats(hand=shown.hand, seats=shown.seats)
    return None


def viewed_seat(
    vault: Vault, entropy: Entropy, dealings: Dealings, request: ViewSeat
) -> SealedReply | None:
    """Seal both cards to the asker's key, once the look is on record."""
    deck, looked = dealings.deck, (request.seat, request.reason, request.stated)
    if deck is None or looked not in [(v.seat, v.reason, v.stated) for v in dealings.views]:
        return None
    cards = unseal_deck(vault.keys[deck.vault_key], deck).hole_cards(deck.roster, request.seat)
    context = view_context(deck.hand, request.seat)
    return seal_reply(bytes_of(cards), request.to_key, context, entropy)


def asked_key(
    vault: Vault, entropy: Entropy, dealings: Dealings, request: AskSeatKey
) -> SealedReply | None:
    """Seal the seat's key to the asker's, if that player was dealt in there."""
    deck = dealings.deck
    if deck is None or (request.seat, request.player) not in {
        (dealt.seat, dealt.player) for dealt in deck.roster
    }:
        return None
    key = seat_key(vault.keys[deck.vault_key], deck.hand, deck.root, request.seat)
    context = seat_key_context(deck.hand, request.seat)
    return seal_reply(key, request.to_key, context, entropy)


def drawn(dealings: Dealings) -> Drawn | None:
    made = dealings.draw
    return None if made is None else Drawn(draw=made.draw, order=made.order)
