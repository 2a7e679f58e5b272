"""Rule sets are data: presets, and what a message may hold."""

import msgspec
import pytest

from shared.poker.rule_sets import BIG_HOLDEM, PEOPLES_POKER, PRESETS, RuleSet


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
