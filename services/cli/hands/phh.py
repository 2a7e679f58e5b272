"""Reader of Poker Hand History files: hold'em, no limit (`NT`) or fixed (`FT`), one hand or many.

The file implies what it does not write: antes, blinds, returned bets and won pots. Heads-up its
`antes` and `blinds_or_straddles` stand in reverse. Pot-limit hold'em has no code in this format.
"""

import re
import tomllib
from collections.abc import Iterator
from decimal import Decimal
from typing import Any

import msgspec

from services.cli.hands.phh_actions import Acts, acts_of
from services.cli.hands.recorded import (
    Antes,
    Broken,
    Dealt,
    Moved,
    Read,
    RecordedHand,
    Result,
    Skipped,
    sound,
)
from shared.poker.rule_sets import Limit

Steps = tuple[Moved | Dealt, ...]
Units = dict[str, tuple[int, ...]]

MANY_HANDS = ".phhs"
TABLE_HEADER = re.compile(r"^[ \t]*\[([^\[\],]+)\][ \t]*(?:#.*)?\r?$", re.MULTILINE)
AMOUNT_MAX = 10**15
HUNDREDTH = Decimal("0.01")
BET_FIELDS = ("min_bet", "small_bet", "big_bet")
AMOUNT_FIELDS = ("antes", "blinds_or_straddles", "starting_stacks", "finishing_stacks")


class PhhHand(msgspec.Struct, frozen=True, kw_only=True):
    """The fields that matter to a replay, whatever the limit; all others are ignored."""

    antes: tuple[Any, ...]
    blinds_or_straddles: tuple[Any, ...]
    starting_stacks: tuple[Any, ...]
    actions: tuple[str, ...]
    finishing_stacks: tuple[Any, ...] = ()


class NoLimitHand(PhhHand, frozen=True, kw_only=True):
    """`NT`: the smallest bet is told."""

    min_bet: Any


class FixedLimitHand(PhhHand, frozen=True, kw_only=True):
    """`FT`: both bets are told."""

    small_bet: Any
    big_bet: Any


VARIANTS: dict[str, tuple[Limit, type[NoLimitHand] | type[FixedLimitHand]]] = {
    "NT": ("no_limit", NoLimitHand),
    "FT": ("fixed_limit", FixedLimitHand),
}


def read_phh(text: str, suffix: str, stem: str) -> Iterator[Read]:
    """Read a `.phh` as one hand and a `.phhs` as its tables."""
    if suffix == MANY_HANDS:
        yield from read_many(text)
        return
    try:
        table = parsed(text)
    except Broken as broken:
        yield Read(stem, broken)
    else:
        yield read_table(str(table.get("hand", stem)), table)


def read_many(text: str) -> Iterator[Read]:
    """Read hand by hand when the file as a whole is not TOML, so that one spoils no other."""
    try:
        tables = parsed(text)
    except Broken:
        yield from read_apart(text)
    else:
        yield from (read_table(name, table) for name, table in tables.items())


def read_apart(text: str) -> Iterator[Read]:
    """Cut at the table headers; line numbers stay those of the file."""
    starts = [header.start() for header in TABLE_HEADER.finditer(text)]
    for start, end in zip([0, *starts], [*starts, len(text)], strict=True):
        lines_before = text.count("\n", 0, start)
        header = TABLE_HEADER.match(text, start)
        name = header[1].strip() if header else f"line {lines_before + 1}"
        try:
            tables = parsed("\n" * lines_before + text[start:end])
        except Broken as broken:
            yield Read(name, broken)
        else:
            yield from (read_table(key, table) for key, table in tables.items())


def parsed(text: str) -> dict[str, Any]:
    """No float ever stands for chips."""
    try:
        return tomllib.loads(text, parse_float=Decimal)
    except tomllib.TOMLDecodeError as error:
        raise Broken(f"not TOML: {error}") from None
    except RecursionError:
        raise Broken("nested too deep") from None


def read_table(name: str, table: object) -> Read:
    try:
        return Read(name, sound(recorded(name, table)))
    except (Broken, Skipped) as outcome:
        return Read(name, outcome)


def recorded(name: str, table: object) -> RecordedHand:
    """Turn one table into a hand, or say why it is none."""
    if not isinstance(table, dict):
        raise Broken("not a hand: no table")
    variant = table.get("variant")
    if not isinstance(variant, str):
        raise Broken("missing field `variant`")
    if variant not in VARIANTS:
        raise Skipped(f"variant {variant}")
    limit, form = VARIANTS[variant]
    try:
        raw = msgspec.convert(table, form)
    except msgspec.ValidationError as error:
        raise Broken(str(error)) from None
    acts = acts_of(raw.actions)
    units, steps = in_units(raw, acts)
    return replayable(name, limit, units, acts, steps)


def in_units(raw: NoLimitHand | FixedLimitHand, acts: Acts) -> tuple[Units, Steps]:
    """Whole chips stay; with a fraction anywhere, everything is counted in hundredths."""
    amounts = {field: getattr(raw, field) for field in AMOUNT_FIELDS}
    for bet in BET_FIELDS:
        amounts[bet] = (getattr(raw, bet),) if hasattr(raw, bet) else ()
    amounts["actions"] = tuple(acts.raises.values())
    for field, values in amounts.items():
        for value in values:
            check_amount(field, value)
    fractions = any(value != int(value) for values in amounts.values() for value in values)
    scale = 100 if fractions else 1
    units = {field: tuple(whole(value, scale) for value in amounts[field]) for field in amounts}
    steps = list(acts.steps)
    for at, chips in zip(acts.raises, units["actions"], strict=True):
        steps[at] = msgspec.structs.replace(steps[at], chips=chips)
    return units, tuple(steps)


def check_amount(field: str, value: object) -> None:
    if type(value) is not int and not isinstance(value, Decimal):
        raise Broken(f"`{field}` has {value!r}, which is no amount")
    if field == "starting_stacks" and value == Decimal("inf"):
        raise Skipped("unknown stack")
    if not Decimal(value).is_finite() or not 0 <= value <= AMOUNT_MAX:
        raise Broken(f"`{field}` has {value}, which is no amount")


def whole(amount: int | Decimal, scale: int) -> int:
    hundredths = Decimal(amount).quantize(HUNDREDTH)
    if hundredths != amount:
        raise Broken(f"{amount} is finer than hundredths")
    return int(hundredths * scale)


def replayable(name: str, limit: Limit, units: Units, acts: Acts, steps: Steps) -> RecordedHand:
    """All amounts are integers here."""
    stacks, finishing = units["starting_stacks"], units["finishing_stacks"]
    players = len(stacks)
    if len(units["antes"]) != players or len(units["blinds_or_straddles"]) != players:
        raise Broken("antes, blinds and stacks are not of the same players")
    turned = slice(None, None, -1) if players == 2 else slice(None)
    antes, blinds = units["antes"][turned], units["blinds_or_straddles"][turned]
    (small_blind, small_chips), (big_blind, big_chips) = blind_posts(blinds)
    check_bets(units, big_chips)
    ante_chips = max(antes, default=0)
    return RecordedHand(
        name=name,
        limit=limit,
        small_blind_chips=small_chips,
        small_blind=small_blind,
        big_blind_chips=big_chips,
        big_blind=big_blind,
        ante_chips=ante_chips,
        antes=kind_of(antes, stacks, big_blind) if ante_chips else "each",
        stacks=stacks,
        holes=tuple(acts.holes.get(player) for player in range(1, players + 1)),
        steps=steps,
        mucked=tuple(acts.mucked),
        result=Result(finishing) if finishing else None,
        may_stop_early=True,
    )


def check_bets(units: Units, big_blind_chips: int) -> None:
    """Bets are told apart from the blinds; ours follow from the big blind (BH-LIMITS)."""
    for bet in units["min_bet"]:
        if bet != big_blind_chips:
            raise Skipped("minimum bet is not the big blind")
    for small, big in zip(units["small_bet"], units["big_bet"], strict=True):
        if (small, big) != (big_blind_chips, 2 * big_blind_chips):
            raise Skipped("bets are not the big blind and twice the big blind")


def blind_posts(blinds: tuple[int, ...]) -> tuple[tuple[int | None, int], tuple[int, int]]:
    """Small and big blind as (player, chips); a single post is a big blind."""
    posts = [(player, chips) for player, chips in enumerate(blinds, 1) if chips]
    if not posts:
        raise Broken("nobody posts the big blind")
    if len(posts) > 2:
        raise Skipped("straddle")
    if len(posts) == 1:
        return (None, 0), posts[0]
    small, big = reversed(posts) if len(blinds) == 2 else posts
    if small[1] > big[1]:
        raise Skipped("small blind above the big blind")
    return small, big


def kind_of(antes: tuple[int, ...], stacks: tuple[int, ...], big_blind: int) -> Antes:
    """Who antes: everybody, or one player for all."""
    most = max(antes)
    if all(ante in (most, stack) for ante, stack in zip(antes, stacks, strict=True)):
        return "each"
    payers = [player for player, ante in enumerate(antes, 1) if ante]
    if payers == [big_blind]:
        return "big_blind"
    if payers == [len(antes)] and len(antes) > 2:
        return "button"
    raise Skipped("uneven antes")
