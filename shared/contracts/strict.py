"""Strict inwards: a request is refused for any field that nobody knows, however deep it lies.

The Structs within a request are those of events too, and an event has to stay readable for who
is older than it (design: unknown fields are ignored in events and refused in requests). So they
are tolerant by themselves, and a request is compared with what was understood of it.
"""

from collections.abc import Iterator
from typing import Any

import msgspec
from msgspec.inspect import StructType, type_info


class StrictDecoder:
    """Decodes requests of one type; raises what msgspec raises."""

    def __init__(self, kind: type[Any]) -> None:
        self._decode = msgspec.json.Decoder(kind).decode
        self._deep = any(True for _ in structs_within(type_info(kind)))

    def decode(self, data: bytes | msgspec.Raw) -> Any:
        """Return the request; one that holds no other Structs has told all by now."""
        request = self._decode(data)
        if self._deep:
            surplus = unknown_in(msgspec.json.decode(data), msgspec.to_builtins(request), "$")
            if surplus:
                raise msgspec.ValidationError(f"Object contains unknown field {surplus}")
        return request


def unknown_in(said: Any, understood: Any, path: str) -> str:
    """Name the first field that was said and not understood, "" when there is none."""
    if isinstance(said, dict) and isinstance(understood, dict):
        for key, value in said.items():
            if key not in understood:
                return f"`{key}` - at `{path}`"
            if found := unknown_in(value, understood[key], f"{path}.{key}"):
                return found
    elif isinstance(said, list) and isinstance(understood, list | tuple):
        for index, pair in enumerate(zip(said, understood, strict=False)):
            if found := unknown_in(*pair, f"{path}[{index}]"):
                return found
    return ""


def structs_within(kind: Any) -> Iterator[StructType]:
    """Find the Struct types inside a type as msgspec sees it, without the type itself."""
    inner = [field.type for field in kind.fields] if isinstance(kind, StructType) else parts(kind)
    for part in inner:
        if isinstance(part, StructType):
            yield part
        yield from structs_within(part)


def parts(kind: Any) -> list[Any]:
    """Return the types that a union or a collection is made of."""
    found: list[Any] = []
    for name in ("types", "item_types"):
        found += getattr(kind, name, ())
    for name in ("item_type", "key_type", "value_type"):
        if part := getattr(kind, name, None):
            found.append(part)
    return found
