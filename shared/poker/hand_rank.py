"""Best five of seven (rulebook §2), by a compiled evaluator; suits never break a tie."""

from collections.abc import Iterable
from typing import Final

import eval7

from shared.poker.deck import CARDS

EVALUATED: Final = {card: eval7.Card(card) for card in CARDS}


def hand_rank(cards: Iterable[str]) -> int:
    """Return a number that is higher for a better hand and equal for a tie; all five count."""
    rank: int = eval7.evaluate([EVALUATED[card] for card in cards])
    return rank
