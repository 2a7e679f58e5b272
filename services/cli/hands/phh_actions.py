"""The action strings of Poker Hand History: `d dh p1 AcKs`, `p2 cbr 6`, `p1 sm -`."""

import re
from decimal import Decimal

import msgspec

from services.cli.hands.recorded import (
    Broken,
    Cards,
    Dealt,
    Moved,
    cards_in,
    hole_in,
    street_after,
)

PLAYER = re.compile(r"p([1-9][0-9]{0,2})")
AMOUNT = re.compile(r"[0-9]{1,18}(\.[0-9]{1,9})?")


class Acts(msgspec.Struct):
    """What the actions of one hand say; `raises` are amounts as written, by place in `steps`."""

    steps: list[Moved | Dealt] = []
    holes: dict[int, Cards] = {}
    mucked: list[int] = []
    raises: dict[int, int | Decimal] = {}


def acts_of(actions: tuple[str, ...]) -> Acts:
    """Read all actions; an empty one, or one that is only commentary, says nothing."""
    acts = Acts()
    for number, action in enumerate(actions, 1):
        words = action.partition("#")[0].split()
        if words:
            read_action(acts, number, words)
    return acts


def read_action(acts: Acts, number: int, words: list[str]) -> None:
    match words:
        case ["d", "dh", who, cards]:
            read_hole(acts, number, player_in(who, number), cards)
        case ["d", "db", cards]:
            acts.steps.append(street_after(acts.steps, cards_in(cards, number), number))
        case [who, "f"]:
            acts.steps.append(Moved(number, player_in(who, number), "fold"))
        case [who, "cc"]:
            acts.steps.append(Moved(number, player_in(who, number), "check_or_call"))
        case [who, "cbr", amount]:
            acts.raises[len(acts.steps)] = amount_in(amount, number)
            acts.steps.append(Moved(number, player_in(who, number), "raise_to"))
        case [who, "sm"]:
            acts.mucked.append(player_in(who, number))
        case [who, "sm", "-"]:
            player_in(who, number)
        case [who, "sm", cards]:
            read_hole(acts, number, player_in(who, number), cards)
        case _:
            raise Broken(f"unknown action {' '.join(words)!r}", number)


def read_hole(acts: Acts, number: int, player: int, text: str) -> None:
    """Cards become known when dealt or when shown, and do not change in between."""
    cards, before = hole_in(text, number), acts.holes.get(player)
    if cards is None:
        return
    if before is not None and sorted(before) != sorted(cards):
        raise Broken(f"p{player} shows {text}, has {''.join(before)}", number)
    acts.holes[player] = cards


def player_in(word: str, number: int) -> int:
    matched = PLAYER.fullmatch(word)
    if matched is None:
        raise Broken(f"no player is called {word!r}", number)
    return int(matched[1])


def amount_in(word: str, number: int) -> int | Decimal:
    if AMOUNT.fullmatch(word) is None:
        raise Broken(f"{word!r} is no amount", number)
    return Decimal(word) if "." in word else int(word)
