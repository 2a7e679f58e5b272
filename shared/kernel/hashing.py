"""SHA-256 and the Merkle tree of RFC 6962: how this platform commits to things it shows later.

Leaves and inner nodes are hashed with different first bytes, so that neither can pass for the
other. A tree over n leaves splits at the largest power of two below n; pairing neighbours level
by level, and carrying a lone last node up as it is, builds that same tree.
"""

import hmac
from collections.abc import Iterable, Sequence
from hashlib import sha256
from typing import Final

import msgspec

HASH_BYTES: Final = 32
LEAF_PREFIX: Final = b"\x00"
NODE_PREFIX: Final = b"\x01"

Level = tuple[bytes, ...]


def digest(data: bytes) -> bytes:
    """Return the SHA-256 of these bytes."""
    return sha256(data).digest()


def keyed_digest(key: bytes, data: bytes) -> bytes:
    """Return the HMAC-SHA-256 of these bytes: random to whoever does not hold the key."""
    return hmac.digest(key, data, "sha256")


def leaf_hash(data: bytes) -> bytes:
    """Return the hash of one leaf's content (RFC 6962 §2.1)."""
    return sha256(LEAF_PREFIX + data).digest()


def node_hash(left: bytes, right: bytes) -> bytes:
    """Return the hash of two neighbouring nodes (RFC 6962 §2.1)."""
    return sha256(NODE_PREFIX + left + right).digest()


class MerkleTree(msgspec.Struct, frozen=True):
    """Every node hash of one tree, leaves first, root last."""

    levels: tuple[Level, ...]

    @property
    def root(self) -> bytes:
        """Return the one hash that commits to all leaves; of no leaves, the hash of nothing."""
        return self.levels[-1][0] if self.levels else digest(b"")

    def path(self, index: int) -> Level:
        """Return the sibling hashes that lead from this leaf to the root (RFC 6962 §2.1.1)."""
        if not self.levels or not 0 <= index < len(self.levels[0]):
            raise IndexError(f"no leaf {index}")
        siblings = []
        for level in self.levels[:-1]:
            sibling = index ^ 1
            if sibling < len(level):
                siblings.append(level[sibling])
            index >>= 1
        return tuple(siblings)


def merkle_tree(leaf_hashes: Iterable[bytes]) -> MerkleTree:
    """Build the tree over leaf hashes in their order."""
    level = tuple(leaf_hashes)
    if not level:
        return MerkleTree(())
    levels = [level]
    while len(level) > 1:
        level = level_above(level)
        levels.append(level)
    return MerkleTree(tuple(levels))


def level_above(level: Level) -> Level:
    """Pair neighbours; a lone last node goes up unchanged."""
    paired = len(level) & ~1
    above = tuple(map(node_hash, level[0:paired:2], level[1:paired:2]))
    return above + level[paired:]


def merkle_root(leaf_hashes: Iterable[bytes]) -> bytes:
    """Return only the root over these leaf hashes."""
    return merkle_tree(leaf_hashes).root


def root_from_path(leaf: bytes, index: int, size: int, path: Sequence[bytes]) -> bytes | None:
    """Return the root this path leads to, or None if no tree of `size` has such a path."""
    if not 0 <= index < size:
        return None
    node, last, used = leaf, size - 1, 0
    while last > 0:
        if index & 1 or index < last:
            if used == len(path):
                return None
            sibling = path[used]
            used += 1
            node = node_hash(sibling, node) if index & 1 else node_hash(node, sibling)
        index >>= 1
        last >>= 1
    return node if used == len(path) else None


def verify_path(root: bytes, leaf: bytes, index: int, size: int, path: Sequence[bytes]) -> bool:
    """Say whether the tree of `size` leaves under this root has this leaf hash at `index`."""
    if any(len(sibling) != HASH_BYTES for sibling in path):
        return False
    return root_from_path(leaf, index, size, path) == root
