"""A persistent map for state that grows: inserting costs the same at ten and a million keys.

The trie underneath orders its keys by their hashes, which differ from process to process, so
nothing here lets that order out: whatever walks a map walks it in key order.
"""

from collections.abc import Iterator, Mapping
from itertools import islice
from types import GenericAlias
from typing import Any, Generic, TypeVar, final, get_args, get_origin

import msgspec
from rpds import HashTrieMap

K = TypeVar("K", str, int)
V = TypeVar("V")

NOTHING: Mapping[Any, Any] = HashTrieMap()
FEW = 8  # Up to so many are faster inserted one by one.


@final
class PMap(Generic[K, V]):
    """Maps are values: `insert` and `remove` return another map and share what did not change."""

    __slots__ = ("_trie",)

    def __init__(self, content: Mapping[K, V] = NOTHING) -> None:
        self._trie: HashTrieMap[K, V] = HashTrieMap.convert(content)

    def insert(self, key: K, value: V) -> "PMap[K, V]":
        """Return this map with `key` leading to `value`, whether or not it was there."""
        return self._with(self._trie.insert(key, value))

    def remove(self, key: K) -> "PMap[K, V]":
        """Return this map without `key`; a key that is not there is a KeyError."""
        return self._with(self._trie.remove(key))

    def update(self, content: Mapping[K, V]) -> "PMap[K, V]":
        """Return this map with all of these pairs."""
        if len(content) > FEW:
            return self._with(self._trie.update(content))
        trie = self._trie
        for key, value in content.items():
            trie = trie.insert(key, value)
        return self._with(trie)

    @classmethod
    def _with(cls, trie: "HashTrieMap[K, V]") -> "PMap[K, V]":
        """Wrap a trie as it is; converting one costs more than the insert did."""
        made = cls.__new__(cls)
        made._trie = trie
        return made

    def get(self, key: K) -> V | None:
        """Return the value, or None where there is none."""
        return self._trie.get(key)

    def items(self) -> Iterator[tuple[K, V]]:
        """Walk the pairs in key order."""
        return ((key, self._trie[key]) for key in self)

    def values(self) -> Iterator[V]:
        """Walk the values in the order of their keys."""
        return (self._trie[key] for key in self)

    @property
    def last(self) -> K:
        """The highest key; there is none in an empty map, which is a ValueError."""
        return max(self._trie)

    def pieces(self, size: int) -> Iterator[dict[K, V]]:
        """Cut the map into plain ones, in no order: for putting it away, and nothing else."""
        pairs = iter(self._trie.items())
        while piece := dict(islice(pairs, size)):
            yield piece

    def __getitem__(self, key: K) -> V:
        return self._trie[key]

    def __contains__(self, key: object) -> bool:
        return key in self._trie

    def __iter__(self) -> Iterator[K]:
        return iter(sorted(self._trie))

    def __len__(self) -> int:
        return len(self._trie)

    def __eq__(self, other: object) -> bool:
        return self._trie == other._trie if isinstance(other, PMap) else NotImplemented

    def __repr__(self) -> str:
        return f"PMap({dict(self.items())!r})"


def enc_hook(value: Any) -> Any:
    """Let msgspec write a map as an object whose keys stand in order."""
    if isinstance(value, PMap):
        return dict(value.items())
    raise NotImplementedError(f"no encoding for {type(value).__name__}")


def dec_hook(wanted: Any, value: Any) -> Any:
    """Let msgspec read a map, its keys and values checked against the type asked for."""
    if get_origin(wanted) is PMap:
        plain = GenericAlias(dict, get_args(wanted))
        return PMap(msgspec.convert(value, plain, str_keys=True, dec_hook=dec_hook))
    raise NotImplementedError(f"no decoding for {wanted}")
