"""Cards for hands that were mucked unseen: such a hand has lost, so it gets cards that lose."""

from itertools import combinations

import msgspec

from services.cli.hands.recorded import Cards, Dealt, RecordedHand
from shared.poker.deck import CARDS
from shared.poker.hand_rank import hand_rank

WHOLE_BOARD = 5


def with_losing_cards(hand: RecordedHand) -> RecordedHand:
    """Return the hand with the worst cards left for who mucked, where a result is to compare."""
    unseen = [player for player in hand.mucked if hand.holes[player - 1] is None]
    board = [card for step in hand.steps if isinstance(step, Dealt) for card in step.cards]
    if not unseen or hand.result is None or len(board) < WHOLE_BOARD:
        return hand
    holes = list(hand.holes)
    for player in unseen:
        known = {*board, *(card for hole in holes if hole for card in hole)}
        holes[player - 1] = worst([card for card in CARDS if card not in known], board)
    return msgspec.structs.replace(hand, holes=tuple(holes))


def worst(left: list[str], board: list[str]) -> Cards:
    """Return the two cards that make the least of this board."""
    return min(combinations(left, 2), key=lambda hole: hand_rank([*hole, *board]))
