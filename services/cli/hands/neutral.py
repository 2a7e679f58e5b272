"""Reader of the neutral form: one JSON object a line, with the result that really happened."""

from collections.abc import Iterable, Iterator
from typing import Any, Literal

import msgspec

from services.cli.hands.recorded import (
    Broken,
    Dealt,
    Move,
    Moved,
    Pot,
    Read,
    RecordedHand,
    Result,
    Skipped,
    cards_in,
    hole_in,
    sound,
    street_after,
)
from shared.poker.rule_sets import Limit

MOVES: dict[str, tuple[Move, int]] = {
    "fold": ("fold", 2),
    "check": ("check", 2),
    "call": ("call", 3),
    "bet": ("raise_to", 3),
    "raise": ("raise_to", 3),
}
POSTS = ("sb", "bb")
LIMITS: dict[str, Limit] = {"NL": "no_limit", "PL": "pot_limit", "FL": "fixed_limit"}
ILLEGAL_PLAY = "all_in_player_folded"
STREET_NAMES = ("flop", "turn", "river")
CARDS_SHOWN = ("hole", "show")
CONSEQUENCES = {"ante": 3, "muck": 2, "return": 3, "win": 4}


class Settled(msgspec.Struct, frozen=True):
    """One pot; `win` is by player."""

    amount: int
    win: dict[str, int]


class NeutralHand(msgspec.Struct, frozen=True):
    """The fields that matter to a replay; all others are ignored."""

    id: str
    variant: Literal["NL", "FL", "PL"]
    small_blind: int
    big_blind: int
    ante_type: Literal["none", "uniform", "bb_ante"]
    antes: tuple[int, ...]
    starting_stacks: tuple[int, ...]
    seats: tuple[int, ...]
    button_seat: int | None
    hole_cards: tuple[str | None, ...]
    hole_fill: tuple[str | None, ...] | None
    actions: tuple[tuple[Any, ...], ...]
    uncalled: dict[str, int]
    pots: tuple[Settled, ...]
    final_stacks: tuple[int, ...]
    quirk: str = ""


class Name(msgspec.Struct, frozen=True):
    """Just enough of a line to say which hand is broken."""

    id: str


UNREADABLE = (msgspec.DecodeError, UnicodeDecodeError, RecursionError)
DECODE = msgspec.json.Decoder(NeutralHand).decode
DECODE_NAME = msgspec.json.Decoder(Name).decode


def read_neutral(lines: Iterable[bytes]) -> Iterator[Read]:
    """Every line is one hand; a broken one does not spoil the others."""
    for number, line in enumerate(lines, 1):
        if line.strip():
            yield read_line(number, line)


def read_line(number: int, line: bytes) -> Read:
    try:
        raw = DECODE(line)
    except UNREADABLE as error:
        return Read(name_of_broken(number, line), Broken(str(error)))
    try:
        return Read(raw.id, sound(recorded(raw)))
    except (Broken, Skipped) as outcome:
        return Read(raw.id, outcome)


def name_of_broken(number: int, line: bytes) -> str:
    """The hand's id if that much can be read, and always the line."""
    try:
        return f"line {number} ({DECODE_NAME(line).id})"
    except UNREADABLE:
        return f"line {number}"


def recorded(raw: NeutralHand) -> RecordedHand:
    """Blinds are where the actions post them, which is not always p1 and p2."""
    if raw.quirk.startswith(ILLEGAL_PLAY):
        raise Skipped(f"quirk {ILLEGAL_PLAY}")
    if len(raw.antes) != len(raw.starting_stacks) or min(raw.antes, default=0) < 0:
        raise Broken("`antes` must be an amount for each player")
    posts, steps = acts_of(raw.actions)
    if "bb" not in posts:
        raise Broken("nobody posts the big blind")
    small_blind, small_blind_chips = posts.get("sb", (None, raw.small_blind))
    return RecordedHand(
        name=raw.id,
        limit=LIMITS[raw.variant],
        small_blind_chips=small_blind_chips,
        small_blind=small_blind,
        big_blind_chips=raw.big_blind,
        big_blind=posts["bb"][0],
        ante_chips=max(raw.antes, default=0),
        antes="big_blind" if raw.ante_type == "bb_ante" else "each",
        dead_button=raw.button_seat not in raw.seats,
        stacks=raw.starting_stacks,
        holes=tuple(
            None if hole is None else hole_in(hole) for hole in raw.hole_fill or raw.hole_cards
        ),
        steps=tuple(steps),
        mucked=tuple(act[1] for act in raw.actions if act[0] == "muck"),
        result=Result(raw.final_stacks, pots_of(raw), by_player(raw.uncalled)),
    )


def acts_of(
    actions: tuple[tuple[Any, ...], ...],
) -> tuple[dict[str, tuple[int, int]], list[Moved | Dealt]]:
    """Who posted which blind, and the steps that somebody decided or dealt."""
    posts: dict[str, tuple[int, int]] = {}
    steps: list[Moved | Dealt] = []
    for number, act in enumerate(actions, 1):
        kind = act[0] if act and isinstance(act[0], str) else ""
        if kind in MOVES:
            steps.append(moved(number, act))
        elif kind in STREET_NAMES:
            steps.append(dealt(steps, number, act))
        elif kind in POSTS:
            if kind in posts:
                raise Broken(f"a second {kind}", number)
            _, player, chips = numbers(number, act, 3)
            posts[kind] = (player, chips)
        elif kind in CARDS_SHOWN:
            check_cards(number, act)
        elif kind in CONSEQUENCES:
            numbers(number, act, CONSEQUENCES[kind])
        else:
            raise Broken(f"unknown action {kind or list(act)!r}", number)
    return posts, steps


def moved(number: int, act: tuple[Any, ...]) -> Moved:
    move, length = MOVES[act[0]]
    _, player, *chips = numbers(number, act, length)
    return Moved(number, player, move, *chips)


def dealt(steps: list[Moved | Dealt], number: int, act: tuple[Any, ...]) -> Dealt:
    step = street_after(steps, cards_in(act[1] if len(act) == 2 else None, number), number)
    if step.street != act[0]:
        raise Broken(f"{act[0]} where the {step.street} is due", number)
    return step


def check_cards(number: int, act: tuple[Any, ...]) -> None:
    """Dealt and shown cards stand in `hole_cards` too; here they only have to be cards."""
    if len(act) != 3 or type(act[1]) is not int:
        raise Broken(f"not a player and cards: {list(act[1:])}", number)
    if act[2] is not None:
        cards_in(act[2], number)


def numbers(number: int, act: tuple[Any, ...], length: int) -> tuple[Any, ...]:
    """Return the action if it has its player and its amounts."""
    if len(act) != length or any(type(part) is not int or part < 0 for part in act[1:]):
        raise Broken(f"{act[0]} with {list(act[1:])}, not {length - 1} numbers", number)
    return act


def pots_of(raw: NeutralHand) -> tuple[Pot, ...]:
    """Pots that somebody won; an empty pot is no pot."""
    return tuple(by_player(pot.win) for pot in raw.pots if pot.win)


def by_player(chips: dict[str, int]) -> Pot:
    """JSON keys back to player numbers."""
    if not all(player.isascii() and player.isdecimal() for player in chips):
        raise Broken(f"not players: {', '.join(chips)}")
    return tuple(sorted((int(player), amount) for player, amount in chips.items()))
