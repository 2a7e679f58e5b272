"""What the dealer remembers of one hand or one draw: the facts themselves, all of them.

Everything is needed for ever, because any question may be asked again and has to get the same
answer.
"""

import msgspec

from shared.contracts.dealer import (
    BoardOpened,
    DeckCommitted,
    DeckPromised,
    DrawMade,
    SeatsOpened,
    SeatViewed,
)


class Dealings(msgspec.Struct, frozen=True):
    """One stream: of a hand (`deck` is there) or of a draw (`draw` is there), or untouched.

    A hand with player entropy has its `promise` first.
    """

    promise: DeckPromised | None = None
    deck: DeckCommitted | None = None
    boards: tuple[BoardOpened, ...] = ()
    views: tuple[SeatViewed, ...] = ()
    shown: tuple[SeatsOpened, ...] = ()
    draw: DrawMade | None = None
