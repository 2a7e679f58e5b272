"""Cards as two characters, rank then suit, such as `Ah`: the spelling of the log and the wire."""

from collections.abc import Sequence
from typing import Final

RANKS: Final = "23456789TJQKA"
SUITS: Final = "cdhs"
SUITS_FOR_THE_BUTTON: Final = "scdh"  # Of equal ranks, ascending: spades, clubs, diamonds, hearts.


def highest_card(cards: Sequence[str]) -> int:
    """Return the place of the card that wins the first button (PP-HIGHCARD); ace is high."""
    return max(range(len(cards)), key=lambda place: height(cards[place]))


def height(card: str) -> tuple[int, int]:
    """Rank first; suits part equal ranks here, though never two hands."""
    return RANKS.index(card[0]), SUITS_FOR_THE_BUTTON.index(card[1])
