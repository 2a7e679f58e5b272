"""How a hand lies in the deck: who is dealt in gives the positions, streets come in order."""

from typing import Final

from shared.contracts.dealer import DealtIn, Street
from shared.poker.deck import CARDS, hole_positions

STREETS: Final[tuple[Street, ...]] = ("flop", "turn", "river")
DECK_SIZE: Final = len(CARDS)
BOARD_CARDS: Final = 5
ROSTER_MAX: Final = (DECK_SIZE - BOARD_CARDS) // 2


def seat_positions(roster: tuple[DealtIn, ...], seat: int) -> tuple[int, int]:
    """Return the two positions of a seat; a seat that was not dealt in is a fault."""
    index = [dealt.seat for dealt in roster].index(seat)
    return hole_positions(index, len(roster))
