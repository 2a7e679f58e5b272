"""Reader of Poker Hand History files: no-limit hold'em (`NT`), one hand (`.phh`) or many (`.phhs`).

The file implies what it does not write: antes, blinds, returned bets and won pots. Heads-up its
`antes` and `blinds_or_straddles` stand in reverse.
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

Steps = tuple[Moved | Dealt, ...]

MANY_HANDS = ".phhs"
TABLE_HEADER = re.compile(r"^[ \t]*\[([^\[\],]+)\][ \t]*(?:#.*)?\r?$", re.MULTILINE)
AMOUNT_MAX = 10**15
HUNDREDTH = Decimal("0.01")
AMOUNT_FIELDS = ("antes", "blinds_or_straddles", "starting_stacks", "finishing_stacks")


class PhhHand(msgspec.Struct, frozen=True):
    """The fields that matter to a replay; all others are ignored."""

    antes: tuple[Any, ...]
    blinds_or_straddles: tuple[Any, ...]
    min_bet: Any
    starting_stacks: tuple[Any, ...]
    actions: tuple[str, ...]
    finishing_stacks: tuple[Any, ...] = ()


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
    if variant != "NT":
        raise Skipped(f"variant {variant}")
    try:
        raw = msgspec.convert(table, PhhHand)
    except msgspec.ValidationError as error:
        raise Broken(str(error)) from None
    acts = acts_of(raw.actions)
    raw, steps = in_units(raw, acts)
    return replayable(name, raw, acts, steps)


def in_units(raw: PhhHand, acts: Acts) -> tuple[PhhHand, Steps]:
    """Whole chips stay; with a fraction anywhere, everything is counted in hundredths."""
    amounts = {field: getattr(raw, field) for field in AMOUNT_FIELDS}
    amounts["min_bet"] = (raw.min_bet,)
    amounts["actions"] = tuple(acts.raises.values())
    for field, values in amounts.items():
        for value in values:
            check_amount(field, value)
    fractions = any(value != int(value) for values in amounts.values() for value in values)
    scale = 100 if fractions else 1
    units = {field: tuple(whole(value, scale) for value in amounts[field]) for field in amounts}
    (min_bet,), raises = units.pop("min_bet"), units.pop("actions")
    steps = list(acts.steps)
    for at, chips in zip(acts.raises, raises, strict=True):
        steps[at] = msgspec.structs.replace(steps[at], chips=chips)
    return msgspec.structs.replace(raw, min_bet=min_bet, **units), tuple(steps)


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


def replayable(name: str, raw: PhhHand, acts: Acts, steps: Steps) -> RecordedHand:
    """All amounts are integers here."""
    players = len(raw.starting_stacks)
    if len(raw.antes) != players or len(raw.blinds_or_straddles) != players:
        raise Broken("antes, blinds and stacks are not of the same players")
    turned = slice(None, None, -1) if players == 2 else slice(None)
    antes, blinds = raw.antes[turned], raw.blinds_or_straddles[turned]
    (small_blind, small_chips), (big_blind, big_chips) = blind_posts(blinds)
    if raw.min_bet != big_chips:
        raise Skipped("minimum bet is not the big blind")
    ante_chips = max(antes, default=0)
    return RecordedHand(
        name=name,
        small_blind_chips=small_chips,
        small_blind=small_blind,
        big_blind_chips=big_chips,
        big_blind=big_blind,
        ante_chips=ante_chips,
        antes=kind_of(antes, raw.starting_stacks, big_blind) if ante_chips else "each",
        stacks=raw.starting_stacks,
        holes=tuple(acts.holes.get(player) for player in range(1, players + 1)),
        steps=steps,
        mucked=tuple(acts.mucked),
        result=Result(raw.finishing_stacks) if raw.finishing_stacks else None,
        may_stop_early=True,
    )


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
