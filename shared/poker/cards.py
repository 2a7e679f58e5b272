"""Cards as two characters, rank then suit, such as `Ah`: the spelling of the log and the wire."""

from typing import Final

RANKS: Final = "23456789TJQKA"
SUITS: Final = "cdhs"
