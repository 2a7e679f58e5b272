"""Shards by FNV-1a: a stream never moves while the number of shards stays."""

import pytest

from shared.kernel.sharding import fnv1a32, shard_of


@pytest.mark.parametrize(
    ("text", "value"),
    [("", 0x811C9DC5), ("a", 0xE40C292C), ("b", 0xE70C2DE5), ("foobar", 0xBF9CF968)],
)
def test_the_published_vectors(text, value):
    assert fnv1a32(text) == value


def test_text_is_hashed_as_utf_8():
    assert fnv1a32("é") == fnv1a32_of(b"\xc3\xa9")


def fnv1a32_of(data: bytes) -> int:
    value = 2166136261
    for byte in data:
        value = (value ^ byte) * 16777619 % 2**32
    return value


def test_shards_are_within_their_number_and_all_used():
    for shards in (1, 4, 64):
        used = {shard_of(f"tbl_{number}", shards) for number in range(2_000)}
        assert used == set(range(shards))
