"""Rule sets are data: presets, what cannot be played yet, and what a message may hold."""

from typing import get_args, get_type_hints

import msgspec
import pytest
from msgspec.structs import replace

from shared.poker.rule_sets import BIG_HOLDEM, PEOPLES_POKER, PLAYABLE, PRESETS, RuleSet, not_yet


def test_big_holdem_can_be_played_whole():
    assert not_yet(BIG_HOLDEM) == ()


@pytest.mark.parametrize(
    ("change", "fields"),
    [
        ({"limit": "pot_limit"}, ()),
        ({"limit": "fixed_limit"}, ()),
        ({"pot_limit_counts_call": True, "fixed_limit_reopens": "half_bet"}, ()),
        ({"show_or_muck_ms": 5_000}, ()),
        ({"first_button": "high_card"}, ()),
        ({"moves": "tda"}, ("moves",)),
        ({"moves": "peoples_poker"}, ("moves",)),
        ({"ties_across_tables": "share"}, ("ties_across_tables",)),
        ({"moves": "tda", "ties_across_tables": "share"}, ("moves", "ties_across_tables")),
        ({"min_raise": "double_to", "min_bet": "doubles_on_turn"}, ()),
        ({"raise_nobody_can_pay": "accepted", "ante": "big_blind"}, ()),
        ({"odd_chips": "one_each_left_of_button", "showdown": "last_aggressor"}, ()),
        ({"timeout_sets_out": True, "dead_button_marker": "previous_dealer"}, ()),
        ({"hand_for_hand": False}, ()),
    ],
)
def test_what_does_not_work_yet_is_named(change, fields):
    assert not_yet(replace(BIG_HOLDEM, **change)) == fields


def test_the_presets_say_what_they_lack():
    assert {name: not_yet(rules) for name, rules in PRESETS.items()} == {
        "tda": ("moves", "ties_across_tables"),
        "big_holdem": (),
        "peoples_poker": ("moves",),
    }


def test_every_playable_value_is_a_value_of_its_field():
    hints = get_type_hints(RuleSet)
    for field, values in PLAYABLE.items():
        assert set(values) <= set(get_args(hints[field]) or values)
        assert hasattr(BIG_HOLDEM, field)


@pytest.mark.parametrize("rules", PRESETS.values(), ids=PRESETS)
def test_a_rule_set_survives_the_log(rules):
    assert msgspec.json.decode(msgspec.json.encode(rules), type=RuleSet) == rules


def test_an_unknown_value_is_refused():
    sound = msgspec.to_builtins(PEOPLES_POKER)
    for change in ({"limit": "no limit"}, {"show_or_muck_ms": -1}):
        with pytest.raises(msgspec.ValidationError):
            msgspec.convert({**sound, **change}, RuleSet)


def test_rule_sets_of_older_logs_are_read_as_they_were_played():
    """Fields that came later have the value that had been played until then."""
    old = msgspec.to_builtins(BIG_HOLDEM)
    del old["fixed_limit_reopens"], old["pot_limit_counts_call"]
    assert msgspec.convert(old, RuleSet) == BIG_HOLDEM


def test_rule_sets_of_newer_logs_are_read_without_what_they_say_beyond_us():
    newer = {**msgspec.to_builtins(BIG_HOLDEM), "wild_cards": 2}
    assert msgspec.convert(newer, RuleSet) == BIG_HOLDEM
