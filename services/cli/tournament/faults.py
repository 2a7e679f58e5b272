"""Everything in which a document is not of a declared shape, each fault with its path.

msgspec stops at the first fault and says nothing of unknown fields in Structs that stand in
events; so every value is judged by itself here, and the paths are written as msgspec writes them.
"""

import difflib
from collections.abc import Iterator
from types import UnionType
from typing import Any, Literal, NamedTuple, get_args, get_origin

import msgspec

ROOT = "$"


class Fault(NamedTuple):
    """Where it is, such as `$.levels[2].ante_chips`, and why it is wrong.

    A document whose only faults are `surplus` can still be judged as a whole without them.
    """

    where: str
    why: str
    surplus: bool = False


def faults_in(value: Any, kind: Any, where: str = ROOT) -> Iterator[Fault]:
    """Judge a value as JSON or TOML has it, and all that lies within it."""
    kinds = get_args(kind) if isinstance(kind, UnionType) else (kind,)
    structs = [one for one in kinds if is_struct(one)]
    items = [item for one in kinds if (item := item_of(one)) is not None]
    if isinstance(value, dict) and structs:
        yield from in_one_of(value, structs, where)
    elif isinstance(value, list) and items:
        for index, item in enumerate(value):
            yield from faults_in(item, items[0], f"{where}[{index}]")
    elif get_origin(kind) is Literal:
        if value not in get_args(kind):
            yield Fault(where, f"is one of {', '.join(get_args(kind))}, not {value!r}")
    else:
        yield from in_single(value, kind, where)


def in_object(value: dict[str, Any], kind: Any, where: str) -> Iterator[Fault]:
    """A Struct: what is not known, what is missing, and every field that is there."""
    fields = {field.encode_name: field for field in msgspec.structs.fields(kind)}
    tag_field = kind.__struct_config__.tag_field
    known = [*fields, tag_field] if tag_field else [*fields]
    for name in value:
        if name not in known:
            yield Fault(f"{where}.{name}", f"is not known{nearest(name, known)}", surplus=True)
    for name, field in fields.items():
        if name in value:
            yield from faults_in(value[name], field.type, f"{where}.{name}")
        elif field.required:
            yield Fault(f"{where}.{name}", "is missing")


def in_one_of(value: dict[str, Any], structs: list[Any], where: str) -> Iterator[Fault]:
    """One Struct, or one of several that a field tells apart."""
    if len(structs) == 1:
        yield from in_object(value, structs[0], where)
        return
    kinds = {one.__struct_config__.tag: one for one in structs}
    field = structs[0].__struct_config__.tag_field
    tag = value.get(field)
    if isinstance(tag, str) and tag in kinds:
        yield from in_object(value, kinds[tag], where)
    elif field in value:
        yield Fault(f"{where}.{field}", f"is one of {', '.join(kinds)}, not {tag!r}")
    else:
        yield Fault(f"{where}.{field}", f"is missing; it is one of {', '.join(kinds)}")


def in_single(value: Any, kind: Any, where: str) -> Iterator[Fault]:
    """A single value: msgspec says what is wrong with it."""
    try:
        msgspec.convert(value, kind)
    except msgspec.ValidationError as error:
        yield Fault(where, str(error).partition(" - at ")[0])


def nearest(name: str, known: list[str]) -> str:
    """Guess what a misspelt field was to be."""
    found = difflib.get_close_matches(name, known, n=1)
    return f"; the nearest name is {found[0]}" if found else ""


def is_struct(kind: Any) -> bool:
    """Tell whether a type is a Struct."""
    return isinstance(kind, type) and issubclass(kind, msgspec.Struct)


def item_of(kind: Any) -> Any | None:
    """Return what a list holds, None where a type is no list."""
    arguments = get_args(kind)
    return arguments[0] if get_origin(kind) is tuple and arguments[1:] == (...,) else None
