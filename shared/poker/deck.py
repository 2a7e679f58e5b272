"""The deck: which number is which card, and which position of a shuffled deck is whose.

Cards go round one at a time from the player left of the dealer (rulebook §3), then flop, turn
and river follow without burn cards. Positions count from 0, the top of the deck.
"""

from collections.abc import Sequence
from typing import Final, Literal

from shared.poker.cards import RANKS, SUITS

Street = Literal["flop", "turn", "river"]

CARDS: Final = tuple(rank + suit for suit in SUITS for rank in RANKS)
NUMBER_OF: Final = {card: number for number, card in enumerate(CARDS)}
DECK_SIZE: Final = len(CARDS)
STREETS: Final[tuple[Street, ...]] = ("flop", "turn", "river")
STREET_OFFSETS: Final[dict[Street, tuple[int, ...]]] = {
    "flop": (0, 1, 2),
    "turn": (3,),
    "river": (4,),
}
BOARD_CARDS: Final = sum(map(len, STREET_OFFSETS.values()))


def is_card(text: str) -> bool:
    """Tell whether this is one of the 52."""
    return text in NUMBER_OF


def hole_positions(place: int, players: int) -> tuple[int, int]:
    """Return the positions of the player dealt to in this place (0 = left of the button)."""
    return place, players + place


def seat_positions(seats: Sequence[int], seat: int) -> tuple[int, int]:
    """Return the positions of one seat of a roster; one that was not dealt in is a fault."""
    return hole_positions(seats.index(seat), len(seats))


def board_positions(street: Street, players: int) -> tuple[int, ...]:
    """Return the positions of one street's cards."""
    return tuple(2 * players + offset for offset in STREET_OFFSETS[street])
