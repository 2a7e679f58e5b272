"""A list too long for one event, in parts that fit."""

from collections.abc import Iterator, Sequence
from typing import TypeVar

T = TypeVar("T")


def parts(whole: Sequence[T], most: int) -> Iterator[tuple[T, ...]]:
    """Cut a list into parts of at most so many, in its order; nothing into none."""
    return (tuple(whole[at : at + most]) for at in range(0, len(whole), most))
