"""How a bot plays: by its cards a little, by chance a lot, so that tournaments end soon."""

from random import Random
from typing import NamedTuple

RANKS = "23456789TJQKA"


class Turn(NamedTuple):
    """What may be done now; `max_raise_to` 0 means that no raise is allowed."""

    hand: str
    decision: int
    call_chips: int
    min_raise_to: int
    max_raise_to: int


class Move(NamedTuple):
    """What is done: `fold`, `check`, `call`, or `raise` to a whole amount."""

    do: str
    to_chips: int | None = None


def strength(cards: tuple[str, ...]) -> float:
    """Rate two hole cards between 0 and 1; without cards the bot plays blind."""
    if len(cards) != 2:
        return 0.4
    high, low = sorted((RANKS.index(card[0]) for card in cards), reverse=True)
    pair = 0.45 if high == low else 0.0
    suited = 0.08 if cards[0][1] == cards[1][1] else 0.0
    return min(1.0, (high + low) / 48 + pair + suited)


def choose(turn: Turn, cards: tuple[str, ...], chance: Random) -> Move:
    """Decide one turn."""
    mood = strength(cards) + chance.uniform(-0.3, 0.3)
    if turn.max_raise_to and mood > 0.65:
        return raised(turn, mood, chance)
    if not turn.call_chips:
        return Move("check")
    return Move("call") if mood > 0.35 else Move("fold")


def raised(turn: Turn, mood: float, chance: Random) -> Move:
    """Raise to the minimum, to a few times that, or all-in."""
    if mood > 0.95 or chance.random() < 0.15:
        return Move("raise", turn.max_raise_to)
    wanted = turn.min_raise_to * chance.choice((1, 1, 2, 3))
    return Move("raise", min(max(wanted, turn.min_raise_to), turn.max_raise_to))
