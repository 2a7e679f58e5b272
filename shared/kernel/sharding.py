"""Which shard a stream lives on: FNV-1a of its id, 32 bits, modulo the number of shards."""

from functools import lru_cache

KNOWN_MAX = 65_536


@lru_cache(maxsize=KNOWN_MAX)
def fnv1a32(text: str) -> int:
    """Return the 32-bit FNV-1a hash of a text."""
    value = 0x811C9DC5
    for byte in text.encode():
        value = ((value ^ byte) * 0x01000193) & 0xFFFFFFFF
    return value


def shard_of(stream: str, shards: int) -> int:
    """Return the shard of a stream among so many."""
    return fnv1a32(stream) % shards
