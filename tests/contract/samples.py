"""Values of any message type, made from the type alone: the same ones in every process.

In the first sample of a type no field, at any depth, has its default; the further ones show every
word of every Literal, every member of every union, both bools, and None where it may stand.
"""

from types import UnionType
from typing import Any, Literal, Union, get_args, get_origin, get_type_hints
from zlib import crc32

import msgspec


def samples(message: type[Any]) -> list[Any]:
    """Return values of a type, the fullest first."""
    return [Sampler(turn).struct(message) for turn in range(turns_of(message))]


def alternatives(kind: Any, default: Any = msgspec.NODEFAULT) -> list[Any]:
    """Return what a type lets one choose from, None and the default last; nothing if no choice."""
    origin = get_origin(kind)
    if origin is Literal:
        return sorted(get_args(kind), key=lambda word: word == default)
    if kind is bool:
        return sorted([True, False], key=lambda word: word == default)
    if origin in (Union, UnionType):
        members = sorted(get_args(kind), key=lambda member: member is type(default))
        return sorted(members, key=lambda member: member is type(None))
    return []


class Sampler:
    """Makes one value; wherever there is a choice, `turn` makes it."""

    def __init__(self, turn: int) -> None:
        self.turn = turn

    def struct(self, kind: type[Any]) -> Any:
        hints = get_type_hints(kind)
        return kind(
            **{
                field.name: self.value(hints[field.name], field.name, field.default)
                for field in msgspec.structs.fields(kind)
            }
        )

    def value(self, kind: Any, name: str, default: Any = msgspec.NODEFAULT) -> Any:
        """Return a value for a field, or for what stands inside one, that bears its name."""
        if choice := alternatives(kind, default):
            turns, nth = divmod(self.turn, len(choice))
            is_value = get_origin(kind) is Literal or kind is bool
            return choice[nth] if is_value else Sampler(turns).value(choice[nth], name)
        if kind is type(None):
            return None
        if hasattr(kind, "__struct_fields__"):
            return self.struct(kind)
        if get_origin(kind) in (tuple, dict):
            return self.several(kind, name)
        number = crc32(name.encode()) % 9_000 + 1_000 + self.turn
        return {int: number, str: f"{name} {number}", bytes: f"{name} {number}".encode()}[kind]

    def several(self, kind: Any, name: str) -> Any:
        inner = get_args(kind)
        if get_origin(kind) is dict:
            return {self.value(inner[0], name): self.value(inner[1], name)}
        if inner[-1] is Ellipsis:
            return (self.value(inner[0], name), Sampler(self.turn + 1).value(inner[0], name))
        return tuple([self.value(one, f"{name}{nth}") for nth, one in enumerate(inner)])


def turns_of(kind: Any) -> int:
    """Return how many samples it takes until all alternatives have been shown."""
    if get_origin(kind) is Literal:
        return len(get_args(kind))
    fields = get_type_hints(kind).values() if hasattr(kind, "__struct_fields__") else ()
    inner = [turns_of(one) for one in (*get_args(kind), *fields)]
    return max(inner, default=1) * max(1, len(alternatives(kind)))
