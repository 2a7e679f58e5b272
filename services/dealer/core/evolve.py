"""The dealer's history folded to state: never refuses, never branches on rules."""

from typing import assert_never

from msgspec.structs import replace

from services.dealer.core.state import Dealings
from shared.contracts.dealer import (
    BoardOpened,
    DealerEvent,
    DeckCommitted,
    DeckPromised,
    DeckRepeated,
    DrawMade,
    SeatsOpened,
    SeatViewed,
)


def evolve(dealings: Dealings, event: DealerEvent) -> Dealings:
    """Apply one recorded fact."""
    match event:
        case DeckPromised():
            return replace(dealings, promise=event)
        case DeckCommitted():
            return replace(dealings, deck=event)
        case DeckRepeated():
            return dealings
        case BoardOpened():
            return replace(dealings, boards=(*dealings.boards, event))
        case SeatViewed():
            return replace(dealings, views=(*dealings.views, event))
        case SeatsOpened():
            return replace(dealings, shown=(*dealings.shown, event))
        case DrawMade():
            return replace(dealings, draw=event)
        case _:
            assert_never(event)
