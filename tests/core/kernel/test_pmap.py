"""A persistent map is a dict that no operation changes, walked in key order."""

import msgspec
import pytest
from hypothesis import given, strategies as st

from shared.kernel.pmap import PMap, dec_hook, enc_hook


class Seat(msgspec.Struct, frozen=True):
    """A value with a type of its own."""

    player: str


class Room(msgspec.Struct, frozen=True):
    """A state as the services have them."""

    seats: PMap[str, Seat] = PMap()
    chips: PMap[int, int] = PMap()
    nested: PMap[str, PMap[int, Seat]] = PMap()


keys = st.text(max_size=3) | st.sampled_from("abcdefgh")
edits = st.lists(st.tuples(st.booleans(), keys, st.integers()), max_size=40)


def edited(steps):
    """Apply the same edits to a dict and to a map."""
    plain, persistent = {}, PMap()
    for inserting, key, value in steps:
        if inserting:
            plain[key] = value
            persistent = persistent.insert(key, value)
        elif key in plain:
            del plain[key]
            persistent = persistent.remove(key)
    return plain, persistent


@given(edits, keys)
def test_same_as_a_dict_in_key_order(steps, probe):
    plain, persistent = edited(steps)
    assert list(persistent) == sorted(plain)
    assert list(persistent.items()) == sorted(plain.items())
    assert list(persistent.values()) == [plain[key] for key in sorted(plain)]
    assert len(persistent) == len(plain)
    assert persistent.get(probe) == plain.get(probe)
    assert (probe in persistent) == (probe in plain)
    assert not plain or persistent.last == max(plain)


@given(edits, edits)
def test_equal_when_the_content_is_whatever_the_way_there(steps, others):
    plain, persistent = edited(steps)
    other_plain, other_persistent = edited(others)
    assert persistent == PMap(dict(reversed(plain.items())))
    assert (persistent == other_persistent) == (plain == other_plain)
    assert repr(persistent) == repr(PMap(dict(reversed(plain.items()))))


@given(edits, keys, st.integers())
def test_no_operation_changes_the_map_it_is_called_on(steps, key, value):
    plain, persistent = edited(steps)
    longer = persistent.insert(key, value)
    longer.remove(key)
    assert dict(persistent.items()) == plain
    assert dict(longer.items()) == {**plain, key: value}


def test_a_key_that_is_not_there():
    with pytest.raises(KeyError):
        PMap({"a": 1}).remove("b")
    with pytest.raises(KeyError):
        PMap({"a": 1})["b"]
    assert PMap({"a": 1}) != {"a": 1}


@given(st.dictionaries(keys, st.text()), st.dictionaries(st.integers(), st.integers()))
def test_a_state_with_maps_survives_json(players, chips):
    seats = PMap({key: Seat(player) for key, player in players.items()})
    room = Room(seats=seats, chips=PMap(chips), nested=PMap({"x": PMap({7: Seat("p")})}))
    encoded = msgspec.json.encode(room, enc_hook=enc_hook)
    assert msgspec.json.decode(encoded, type=Room, dec_hook=dec_hook) == room


def test_the_bytes_do_not_depend_on_the_way_there():
    there = PMap({"b": 1}).insert("a", 2)
    back = PMap({"a": 2}).insert("c", 3).insert("b", 1).remove("c")
    encoded = [msgspec.json.encode(one, enc_hook=enc_hook) for one in (there, back)]
    assert encoded == [b'{"a":2,"b":1}', b'{"a":2,"b":1}']


def test_a_value_of_the_wrong_type_is_refused():
    with pytest.raises(msgspec.ValidationError):
        msgspec.json.decode(b'{"seats":{"a":{"player":1}}}', type=Room, dec_hook=dec_hook)


def test_other_types_are_not_the_hooks_business():
    with pytest.raises(NotImplementedError):
        enc_hook(object())
    with pytest.raises(NotImplementedError):
        dec_hook(complex, "1j")
