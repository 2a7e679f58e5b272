"""What the core decides on: requests, together with the material that the shell made for them.

Nothing in these commands is secret once they are accepted: ciphertext, a root, and openings of
cards that everybody may see.
"""

from typing import final

import msgspec

from shared.contracts.dealer import (
    DealBoard,
    DealHands,
    Draw,
    Opening,
    OpenSeats,
    PromiseDeck,
    SealedCards,
    SeatOpening,
    ViewSeat,
)


@final
class RecordPromise(msgspec.Struct, frozen=True):
    """What binds the dealer to a fresh secret, and the secret sealed."""

    request: PromiseDeck
    promise: bytes
    vault_key: str
    sealed_secret: bytes


@final
class CommitDeck(msgspec.Struct, frozen=True):
    """A fresh deck for a hand: its root, and everything of it sealed.

    `repeats` is how many decks were thrown away before it because they had been used (PP-RNG).
    """

    request: DealHands
    root: bytes
    vault_key: str
    sealed_deck: bytes
    sealed: tuple[SealedCards, ...]
    repeats: int = 0


@final
class OpenBoard(msgspec.Struct, frozen=True):
    """The proofs of one street's cards."""

    request: DealBoard
    openings: tuple[Opening, ...]


@final
class RecordView(msgspec.Struct, frozen=True):
    """A look at one seat; what it shows is never recorded."""

    request: ViewSeat


@final
class RecordOpenings(msgspec.Struct, frozen=True):
    """The proofs of the asked seats' hole cards, in the order asked."""

    request: OpenSeats
    seats: tuple[SeatOpening, ...]


@final
class RecordDraw(msgspec.Struct, frozen=True):
    """A random order of the candidates, and the bytes that it follows from."""

    request: Draw
    order: tuple[int, ...]
    source: bytes


DealerCommand = RecordPromise | CommitDeck | OpenBoard | RecordView | RecordOpenings | RecordDraw
