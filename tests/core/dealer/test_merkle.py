"""The Merkle tree against RFC 6962, written down a second time here, and its known roots."""

from hashlib import sha256

import pytest
from hypothesis import given, strategies as st

from shared.kernel.hashing import (
    digest,
    leaf_hash,
    merkle_root,
    merkle_tree,
    node_hash,
    verify_path,
)

CONTENTS = [
    bytes.fromhex(written)
    for written in (
        "",
        "00",
        "10",
        "2021",
        "3031",
        "40414243",
        "5051525354555657",
        "606162636465666768696a6b6c6d6e6f",
    )
]
KNOWN_ROOTS = [
    "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855",
    "6e340b9cffb37a989ca544e6bb780a2c78901d3fb33738768511a30617afa01d",
    "fac54203e7cc696cf0dfcb42c92a1d9dbaf70ad9e621f4bd8d98662f00e3c125",
    "aeb6bcfe274b70a14fb067a5e5578264db0fa9b51af5e0ba159158f329e06e77",
    "d37ee418976dd95753c1c73862b9398fa2a2cf9b4ff0fdfe8b30cd95209614b7",
    "4e3bbb1f7b478dcfe71fb631631519a3bca12c9aefca1612bfce4c13a86264d4",
    "76e67dadbcdf1e10e1b74ddc608abd2f98dfb16fbce75277b5232a127f2087ef",
    "ddb89be403809e325750d3d263cd78929c2942b7942a34b77e122c9594a74c8c",
    "5dc9da79a70659a9ad559cb701ded9a2ab9d823aad2f4960cfe370eff4604328",
]


def split(size):
    half = 1
    while half * 2 < size:
        half *= 2
    return half


def rfc_root(contents):
    """MTH of RFC 6962 §2.1, by its own recursion."""
    if not contents:
        return sha256(b"").digest()
    if len(contents) == 1:
        return sha256(b"\x00" + contents[0]).digest()
    k = split(len(contents))
    return sha256(b"\x01" + rfc_root(contents[:k]) + rfc_root(contents[k:])).digest()


def rfc_path(index, contents):
    """PATH of RFC 6962 §2.1.1, by its own recursion."""
    if len(contents) == 1:
        return ()
    k = split(len(contents))
    if index < k:
        return (*rfc_path(index, contents[:k]), rfc_root(contents[k:]))
    return (*rfc_path(index - k, contents[k:]), rfc_root(contents[:k]))


def hashes_of(contents):
    return [leaf_hash(content) for content in contents]


@pytest.mark.parametrize("size", range(9))
def test_known_roots(size):
    assert merkle_root(hashes_of(CONTENTS[:size])).hex() == KNOWN_ROOTS[size]


@pytest.mark.parametrize("size", [1, 2, 3, 5, 8, 31, 32, 33, 52, 100])
def test_roots_and_paths_are_those_of_the_rfc(size):
    contents = [bytes((number,)) * 3 for number in range(size)]
    tree = merkle_tree(hashes_of(contents))
    assert tree.root == rfc_root(contents)
    for index in range(size):
        path = tree.path(index)
        assert path == rfc_path(index, contents)
        assert verify_path(tree.root, leaf_hash(contents[index]), index, size, path)


@given(size=st.integers(1, 60), index=st.integers(0, 69), data=st.data())
def test_a_path_proves_its_own_leaf_only(size, index, data):
    contents = [bytes((number,)) for number in range(size)]
    true_index = data.draw(st.integers(0, size - 1))
    tree = merkle_tree(hashes_of(contents))
    path = tree.path(true_index)
    proved = leaf_hash(contents[true_index])
    assert verify_path(tree.root, proved, index, size, path) == (index == true_index)
    other = leaf_hash(b"\xff" + contents[true_index])
    assert not verify_path(tree.root, other, true_index, size, path)
    assert not verify_path(digest(tree.root), proved, true_index, size, path)
    assert not verify_path(tree.root, proved, true_index, size, (*path, bytes(32)))
    if path:
        assert not verify_path(tree.root, proved, true_index, size, path[:-1])
        longer = (path[0] + b"\x00", *path[1:])
        assert not verify_path(tree.root, proved, true_index, size, longer)


def test_an_inner_node_never_passes_for_a_leaf():
    left, right = leaf_hash(b"a"), leaf_hash(b"b")
    assert leaf_hash(left + right) != node_hash(left, right)


@pytest.mark.parametrize(("size", "index"), [(0, 0), (3, 3), (3, -1)])
def test_no_path_to_a_leaf_that_is_not_there(size, index):
    with pytest.raises(IndexError):
        merkle_tree(hashes_of(CONTENTS[:size])).path(index)
