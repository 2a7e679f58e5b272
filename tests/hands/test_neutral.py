"""The neutral form: right hands pass, wrong and broken ones are told apart, one line each."""

import pytest

from tests.hands.records import (
    FIXED,
    FOLDED,
    POT,
    SHOWN,
    SITTING_OUT,
    acting,
    checked,
    neutral_file,
    without,
)


def test_right_hands_pass(tmp_path):
    file = neutral_file(tmp_path, FOLDED, "", SHOWN)
    assert checked(file) == ([], ["2 hands: 2 ok, 0 failed, 0 skipped"])


WRONG = [
    # case, record, what the one line must say
    (
        "a stack is one chip off",
        SHOWN | {"final_stacks": [99, 200, 0]},
        "shown: final stacks: expected [99, 200, 0], got [99, 201, 0]",
    ),
    (
        "the uncalled bet is one chip off",
        FOLDED | {"uncalled": {"3": 3}},
        "folded: uncalled: expected p3:3, got p3:4",
    ),
    (
        "the other player won",
        SHOWN | {"pots": [{"amount": 201, "win": {"3": 201}}]},
        "shown: pots: expected p3:201, got p2:201",
    ),
    (
        "one pot too many",
        SHOWN | {"pots": [{"amount": 200, "win": {"2": 200}}, {"amount": 1, "win": {"2": 1}}]},
        "shown: pots: expected p2:1 and p2:200, got p2:201",
    ),
    ("an action is missing", acting(SHOWN, 4), "shown: action 4: check by p2"),
    ("the last action is missing", acting(SHOWN, 15), "shown: the record ends, p3 is to act"),
    ("the river is missing", acting(SHOWN, 13), "shown: action 13: raise to 88 by p2"),
    (
        "a street is missing at the end",
        SHOWN | {"actions": SHOWN["actions"][:12]},
        "shown: the record ends, the river is due",
    ),
    (
        "a call is one chip off",
        acting(SHOWN, 9, ["call", 2, 9]),
        "shown: action 9: call 9 by p2, by the rules 10",
    ),
]


@pytest.mark.parametrize(("case", "record", "says"), WRONG, ids=[row[0] for row in WRONG])
def test_a_wrong_record_fails(tmp_path, case, record, says):
    (failure,), last = checked(neutral_file(tmp_path, FOLDED, record, SHOWN))
    assert says in failure
    assert last == ["3 hands: 2 ok, 1 failed, 0 skipped"]


BROKEN = [
    # case, line, what the one line must say
    ("not JSON", '{"id": "x", ', "line 2: "),
    ("JSON with a name", '{"id": "x"}', "line 2 (x): Object missing required field `variant`"),
    ("not an object", "[1, 2]", "line 2: Expected `object`"),
    ("not text", '"\\ud800"', "line 2: "),
    ("too deep", "[" * 100_000, "line 2: "),
    ("missing field", without(FOLDED, "antes"), "line 2 (folded): Object missing required field"),
    ("unknown limit", FOLDED | {"variant": "XL"}, "line 2 (folded): Invalid enum value 'XL'"),
    ("a stack of text", FOLDED | {"starting_stacks": ["100", 1, 1]}, "$.starting_stacks[0]"),
    ("a stack of half a chip", FOLDED | {"starting_stacks": [0.5, 1, 1]}, "$.starting_stacks[0]"),
    ("a player without chips", FOLDED | {"starting_stacks": [0, 1, 1]}, "each with chips"),
    (
        "a crowd",
        FOLDED | {"antes": [0] * 24, "starting_stacks": [9] * 24},
        "24 players, one deck has cards for 23",
    ),
    (
        "a bet beyond counting",
        acting(FOLDED, 6, ["raise", 3, 10**30]),
        "folded: action 6: raise to",
    ),
    ("a stack too few", FOLDED | {"starting_stacks": [100, 100]}, "`antes` must be an amount for"),
    ("a result too few", FOLDED | {"final_stacks": [99, 98]}, "final stacks of 2 players, not 3"),
    ("unknown action", acting(FOLDED, 7, ["rise", 1]), "folded: action 7: unknown action 'rise'"),
    ("an empty action", acting(FOLDED, 7, []), "folded: action 7: unknown action []"),
    ("an action of actions", acting(FOLDED, 7, [["fold", 1]]), "folded: action 7: unknown action"),
    ("a bet without amount", acting(FOLDED, 6, ["raise", 3]), "folded: action 6: raise with [3]"),
    ("a bet below nothing", acting(FOLDED, 6, ["raise", 3, -6]), "folded: action 6: raise with"),
    ("a bet of half a chip", acting(FOLDED, 6, ["raise", 3, 6.5]), "folded: action 6: raise with"),
    ("a stranger acts", acting(FOLDED, 6, ["raise", 4, 6]), "action 6: there is no player 4"),
    ("unknown card", acting(SHOWN, 10, ["turn", "1s"]), "shown: action 10: unknown card '1s'"),
    ("half a card", acting(SHOWN, 10, ["turn", "4sT"]), "shown: action 10: not cards: '4sT'"),
    ("a card twice", acting(SHOWN, 10, ["turn", "Kd"]), "shown: Kd was dealt twice"),
    ("two turns", acting(SHOWN, 13, ["turn", "5s"]), "action 13: turn where the river is due"),
    ("a flop of two", acting(SHOWN, 6, ["flop", "2hJc"]), "action 6: the flop has '2hJc'"),
    ("no big blind", acting(FOLDED, 2), "folded: nobody posts the big blind"),
    ("two big blinds", acting(FOLDED, 1, ["bb", 1, 2]), "folded: action 2: a second bb"),
    ("a raise too small", acting(FOLDED, 6, ["raise", 3, 3]), "action 6: raise to 3 by p3"),
    ("a raise too large", acting(FOLDED, 6, ["raise", 3, 101]), "action 6: raise to 101 by p3"),
    ("out of turn", acting(FOLDED, 6, ["fold", 1]), "folded: action 6: fold by p1"),
    ("a check that is not free", acting(FOLDED, 6, ["check", 3]), "action 6: check by p3"),
    ("a name of two lines", acting(FOLDED | {"id": "a\nb"}, 2), "a b: nobody posts the big blind"),
    ("after the end", acting(FOLDED, 9, ["check", 3]), "folded: action 9: check by p3"),
]


@pytest.mark.parametrize(("case", "line", "says"), BROKEN, ids=[row[0] for row in BROKEN])
def test_broken_input_is_one_line_and_the_rest_still_runs(tmp_path, case, line, says):
    file = neutral_file(tmp_path, FOLDED, line, SHOWN)
    (failure,), last = checked(file)
    assert failure.startswith(f"{file}: ")
    assert says in failure
    assert "\n" not in failure
    assert last == ["3 hands: 2 ok, 1 failed, 0 skipped"]


BEYOND_THE_LIMIT = [
    # case, record, what the one line must say
    ("a fixed raise too small", acting(FIXED, 3, ["raise", 3, 3]), "fixed: action 3: raise to 3"),
    ("a fixed raise too large", acting(FIXED, 3, ["raise", 3, 5]), "fixed: action 3: raise to 5"),
    ("the small bet on the turn", acting(FIXED, 11, ["bet", 2, 2]), "fixed: action 11: raise to 2"),
    ("the big bet on the flop", acting(FIXED, 7, ["bet", 2, 4]), "fixed: action 7: raise to 4"),
    ("more than the pot", acting(POT, 3, ["raise", 3, 8]), "pot: action 3: raise to 8 by p3 is"),
    ("less than a raise", acting(POT, 3, ["raise", 3, 3]), "pot: action 3: raise to 3 by p3 is"),
    ("a re-raise over the pot", acting(POT, 4, ["raise", 1, 24]), "pot: action 4: raise to 24 by"),
]


@pytest.mark.parametrize(
    ("case", "record", "says"), BEYOND_THE_LIMIT, ids=[row[0] for row in BEYOND_THE_LIMIT]
)
def test_every_limit_is_kept(tmp_path, case, record, says):
    (failure,), last = checked(neutral_file(tmp_path, FIXED, record, POT))
    assert says in failure
    assert last == ["3 hands: 2 ok, 1 failed, 0 skipped"]


def test_a_fixed_limit_street_is_capped_at_a_bet_and_three_raises(tmp_path):
    raises = [["raise", 3, 4], ["raise", 1, 6], ["raise", 2, 8], ["raise", 3, 10]]
    capped = FIXED | {"actions": [["sb", 1, 1], ["bb", 2, 2], *raises]}
    (failure,), _ = checked(neutral_file(tmp_path, capped))
    assert "fixed: action 6: raise to 10 by p3 is refused: raise_not_allowed" in failure


def test_what_is_not_legal_play_is_skipped_by_its_quirk(tmp_path):
    assert checked(neutral_file(tmp_path, SITTING_OUT, FOLDED)) == (
        [],
        ["skipped: 1 quirk all_in_player_folded", "2 hands: 1 ok, 0 failed, 1 skipped"],
    )


def test_cards_nobody_knows_at_showdown_are_no_test(tmp_path):
    unknown = SHOWN | {"hole_cards": ["AsKd", None, "7h7d"]}
    assert checked(neutral_file(tmp_path, unknown)) == (
        [],
        ["skipped: 1 cards unknown at showdown", "1 hands: 0 ok, 0 failed, 1 skipped"],
    )


def test_a_mucked_hand_that_nobody_knows_has_lost(tmp_path):
    mucked = SHOWN | {"hole_cards": ["AsKd", "2c2d", None]}
    assert checked(neutral_file(tmp_path, mucked)) == ([], ["1 hands: 1 ok, 0 failed, 0 skipped"])
