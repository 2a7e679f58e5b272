"""One hand at one table, told by its moves, and what the rulebook's tests ask about it."""

from services.table.core import legal_actions
from shared.contracts.hand import PotAwarded
from shared.poker.rule_sets import BIG_HOLDEM
from tests.core.table.table_play import Play

DRY_BOARD = ("2c", "7d", "9h", "3s", "4c")


def dealt(*holes, board=DRY_BOARD):
    """A deck that deals these hole cards in dealing order, such as `AsAh`."""
    return (*(hole[:2] for hole in holes), *(hole[2:] for hole in holes), *board)


def started(stacks, *moves, deck=None, button=None, rules=BIG_HOLDEM, **level):
    """A first hand, after these moves."""
    play = Play(stacks, button=button, rules=rules)
    play.deck = play.deck if deck is None else deck
    play.start(**level)
    play.play(*moves)
    return play


def choice(play):
    """What the seat to act may do: (seat, chips to call, smallest raise, largest raise)."""
    legal = legal_actions(play.table)
    return legal.seat, legal.call_chips, legal.min_raise_to, legal.max_raise_to


def of(play, *kinds):
    return [event for event in play.log if isinstance(event, kinds)]


def awarded(play):
    """Pots as paid: number → seat → chips."""
    return {e.pot: {share.seat: share.chips for share in e.shares} for e in of(play, PotAwarded)}
