"""A hand as somebody recorded it: what a replay needs, whatever kind of file it came from.

Players are numbered from 1 in betting order, first left of the button. Amounts are integers.
"""

from typing import Literal, final

import msgspec

from shared.poker.deck import is_card
from shared.poker.rule_sets import Limit

Street = Literal["flop", "turn", "river"]
Antes = Literal["each", "big_blind", "button"]
Move = Literal["fold", "check", "call", "check_or_call", "raise_to"]
Cards = tuple[str, ...]
Pot = tuple[tuple[int, int], ...]

STREETS: tuple[Street, ...] = ("flop", "turn", "river")
BOARD_CARDS = {"flop": 3, "turn": 1, "river": 1}
UNKNOWN_CARD = "??"
PLAYERS_MAX = 23


class Broken(Exception):
    """The record cannot be understood; `action` is its place in the record, counted from 1."""

    def __init__(self, message: str, action: int | None = None) -> None:
        super().__init__(message if action is None else f"action {action}: {message}")


class Skipped(Exception):
    """The record is sound, but it is no test of what the core plays; the text says why."""


@final
class Moved(msgspec.Struct, frozen=True):
    """A player's action; `chips` is what a call added (if recorded) or what a raise is to."""

    number: int
    player: int
    move: Move
    chips: int | None = None


@final
class Dealt(msgspec.Struct, frozen=True):
    """The board cards of one street."""

    number: int
    street: Street
    cards: Cards


class Result(msgspec.Struct, frozen=True):
    """How the record says the hand ended; what it does not say is None."""

    final_stacks: tuple[int, ...]
    pots: tuple[Pot, ...] | None = None
    uncalled: Pot | None = None


class RecordedHand(msgspec.Struct, frozen=True, kw_only=True):
    """One hand; `holes` has None where a player's cards are not known.

    `mucked` gave up at showdown. `may_stop_early` says that a record without an end is no fault.
    """

    name: str
    limit: Limit = "no_limit"
    small_blind_chips: int
    small_blind: int | None
    big_blind_chips: int
    big_blind: int
    ante_chips: int = 0
    antes: Antes = "each"
    dead_button: bool = False
    stacks: tuple[int, ...]
    holes: tuple[Cards | None, ...]
    steps: tuple[Moved | Dealt, ...]
    mucked: tuple[int, ...] = ()
    result: Result | None = None
    may_stop_early: bool = False


class Read(msgspec.Struct, frozen=True):
    """One hand of a file, or why there is none; `name` is how a report refers to it."""

    name: str
    hand: RecordedHand | Broken | Skipped


def cards_in(text: object, action: int | None = None) -> Cards:
    """Split `AsKd`; a card may be unknown, but not unheard of."""
    if not isinstance(text, str) or len(text) % 2:
        raise Broken(f"not cards: {text!r}", action)
    cards = tuple(text[at : at + 2] for at in range(0, len(text), 2))
    for card in cards:
        if card != UNKNOWN_CARD and not is_card(card):
            raise Broken(f"unknown card {card!r}", action)
    return cards


def hole_in(text: object, action: int | None = None) -> Cards | None:
    """Both hole cards, or None unless both are known."""
    cards = cards_in(text, action)
    if len(cards) != 2:
        raise Broken(f"{len(cards)} hole cards", action)
    return None if UNKNOWN_CARD in cards else cards


def street_after(steps: list[Moved | Dealt], cards: Cards, number: int) -> Dealt:
    """The next street with these cards; streets come in order, each once."""
    done = sum(isinstance(step, Dealt) for step in steps)
    if done == len(STREETS):
        raise Broken("a board card after the river", number)
    street = STREETS[done]
    if len(cards) != BOARD_CARDS[street] or UNKNOWN_CARD in cards:
        raise Broken(f"the {street} has {''.join(cards)!r}", number)
    return Dealt(number, street, cards)


def sound(hand: RecordedHand) -> RecordedHand:
    """Return the hand, unless it contradicts itself."""
    if hand.big_blind_chips <= 0 or hand.small_blind_chips < 0:
        raise Broken("blinds must be amounts")
    if hand.big_blind == hand.small_blind:
        raise Broken(f"player {hand.big_blind} posts both blinds")
    return each_card_once(players_agree(hand))


def players_agree(hand: RecordedHand) -> RecordedHand:
    """Everything is said of the same players, and each of them has chips."""
    players = len(hand.stacks)
    if players < 2 or min(hand.stacks) <= 0:
        raise Broken("a hand takes two players or more, each with chips")
    if players > PLAYERS_MAX:
        raise Broken(f"{players} players, one deck has cards for {PLAYERS_MAX}")
    if len(hand.holes) != players:
        raise Broken(f"hole cards of {len(hand.holes)} players, stacks of {players}")
    if hand.result is not None and len(hand.result.final_stacks) != players:
        raise Broken(f"final stacks of {len(hand.result.final_stacks)} players, not {players}")
    for post in (hand.small_blind, hand.big_blind):
        if post is not None and not 1 <= post <= players:
            raise Broken(f"there is no player {post} to post a blind")
    if any(not 1 <= player <= players for player in hand.mucked):
        raise Broken("a player who is not there mucks")
    for step in hand.steps:
        if isinstance(step, Moved) and not 1 <= step.player <= players:
            raise Broken(f"there is no player {step.player}", step.number)
    return hand


def each_card_once(hand: RecordedHand) -> RecordedHand:
    """One deck has every card once."""
    seen: set[str] = set()
    boards = (step.cards for step in hand.steps if isinstance(step, Dealt))
    for cards in (*(hole for hole in hand.holes if hole), *boards):
        for card in cards:
            if card in seen:
                raise Broken(f"{card} was dealt twice")
            seen.add(card)
    return hand
