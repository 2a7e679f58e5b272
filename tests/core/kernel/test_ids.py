"""Ids sort by the moment they were made, carry it, and cannot be confused with anything else."""

import pytest
from hypothesis import given, strategies as st

from shared.kernel.ids import ALPHABET, is_derived_id, is_id, new_id, time_of

LAST_MS = 2**48 - 1
moments = st.integers(0, LAST_MS)
entropies = st.binary(min_size=10, max_size=10)
made_ids = st.builds(new_id, st.sampled_from(["ply", "trn"]), moments, entropies)


def test_the_known_values():
    assert new_id("ply", 0, bytes(10)) == "ply_" + "0" * 26
    assert new_id("ply", LAST_MS, b"\xff" * 10) == "ply_7" + "z" * 25
    assert new_id("trn", 1, bytes(9) + b"\x21") == "trn_0000000001" + "0" * 14 + "11"


@given(moments, entropies)
def test_an_id_carries_its_time(at_ms, entropy):
    made = new_id("cmd", at_ms, entropy)
    assert time_of(made) == at_ms
    assert is_id(made, "cmd")
    assert is_derived_id(made, "cmd")
    assert not is_id(made, "trn")


@given(moments, moments, entropies, entropies)
def test_ids_sort_by_time_and_then_by_entropy(first_ms, second_ms, first, second):
    in_order = (first_ms, first) < (second_ms, second)
    assert (new_id("hnd", first_ms, first) < new_id("hnd", second_ms, second)) == in_order


@given(made_ids, st.integers(0, 29), st.characters())
def test_a_changed_character_is_an_id_only_within_the_alphabet(made, at, character):
    changed = made[:at] + character + made[at + 1 :]
    token_stands = all(sign in ALPHABET for sign in changed[4:]) and changed[4] <= "7"
    assert is_id(changed, made[:3]) == (token_stands and changed[:4] == made[:4])


@pytest.mark.parametrize(
    ("prefix", "at_ms", "entropy"),
    [
        ("player", 0, bytes(10)),
        ("PLY", 0, bytes(10)),
        ("ply", -1, bytes(10)),
        ("ply", LAST_MS + 1, bytes(10)),
        ("ply", 0, bytes(9)),
        ("ply", 0, bytes(11)),
    ],
)
def test_no_id_is_made_from_parts_that_do_not_fit(prefix, at_ms, entropy):
    with pytest.raises(ValueError, match="id"):
        new_id(prefix, at_ms, entropy)


@pytest.mark.parametrize("text", ["", "ply_", "ply_1", "ply_8" + "0" * 25, "ply_" + "0" * 27])
def test_no_time_is_read_from_what_carries_none(text):
    with pytest.raises(ValueError, match="carries its time"):
        time_of(text)


@pytest.mark.parametrize(
    ("text", "well_formed"),
    [
        ("hnd_7_1", True),
        ("hnd_" + "z" * 76, True),
        ("hnd_" + "z" * 77, False),
        ("hnd_", False),
        ("hnd", False),
        ("tbl_7", False),
        ("hnd_A", False),
        ("hnd_1/2", False),
        ("hnd_1\n", False),
        ("hnd_\u0661", False),
    ],
)
def test_derived_ids_keep_to_their_characters_and_length(text, well_formed):
    assert is_derived_id(text, "hnd") == well_formed
