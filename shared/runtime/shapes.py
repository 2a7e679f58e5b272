"""The shape of a state: a fingerprint of its type, by which foreign snapshots are known."""

from collections.abc import Iterator
from functools import cache
from hashlib import sha256
from typing import Any, get_args, get_origin, get_type_hints

from shared.contracts.message import tag_of
from shared.runtime.aggregate import Aggregate


def shape_of(aggregate: Aggregate) -> str:
    """Fingerprint a state's type with all within it, its events' tags, and the author's number."""
    return fingerprint(aggregate.state, aggregate.state_version, aggregate.events)


@cache
def fingerprint(state: Any, version: int, events: tuple[type[Any], ...]) -> str:
    """The same for every line of a service, and worth a moment of work."""
    told = [str(version), *sorted(map(tag_of, events)), *described(state, set())]
    return sha256("\n".join(told).encode()).hexdigest()


def described(kind: Any, seen: set[Any]) -> Iterator[str]:
    """Spell a type out: each Struct once, with its fields in order and their types."""
    yield name_of(kind)
    for inner in get_args(kind):
        yield from described(inner, seen)
    yield "/"
    if not hasattr(kind, "__struct_fields__") or kind in seen:
        return
    seen.add(kind)
    hints = get_type_hints(kind)
    yield repr(kind.__struct_config__.tag)
    for field in kind.__struct_fields__:
        yield f".{field}"
        yield from described(hints[field], seen)


def name_of(kind: Any) -> str:
    """Name a type or one argument of one, such as a word of a Literal."""
    origin = get_origin(kind) or kind
    return origin.__qualname__ if isinstance(origin, type) else repr(origin)
