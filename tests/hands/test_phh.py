"""Poker Hand History: what the file implies, what it may say otherwise, and what it gets wrong."""

import pytest

from services.cli.hands.phh import read_phh
from tests.hands.records import checked, phh_file

HEADS_UP = """
variant = "NT"
antes = [0, 0]
blinds_or_straddles = [1, 2]
min_bet = 2
starting_stacks = [100, 100]
actions = ["d dh p1 AcKs", "d dh p2 QdQh", "p2 cbr 6", "p1 f"]
"""
ODD_CHIP = """
variant = "NT"
antes = [0, 0, 1]
blinds_or_straddles = [1, 2, 0]
min_bet = 2
starting_stacks = [100, 100, 100]
actions = ["d dh p1 2c3c", "d dh p2 2d3d", "d dh p3 4h4s", "p3 f", "p1 cc", "p2 cc",
  "d db AsKsQs", "p1 cc", "p2 cc", "d db Js", "p1 cc", "p2 cc", "d db Ts", "p1 cc", "p2 cc",
  "p1 sm 2c3c", "p2 sm 2d3d"]
"""
SHOWN = """
variant = "NT"
antes = [0, 0, 0]
blinds_or_straddles = [0.5, 1, 0]
min_bet = 1
starting_stacks = [20, 20.25, 20]
actions = ["d dh p1 ????", "d dh p2 ????", "d dh p3 ????", "p3 cc", "p1 f", "p2 cbr 20.25",
  "p3 cc", "p2 sm 2c2d", "p3 sm 7h7d", "d db 2hJcTs", "d db 4s", "d db 5s"]
finishing_stacks = [19.5, 40.75, 0]
"""
FIXED = """
variant = "FT"
antes = [0, 0, 0]
blinds_or_straddles = [1, 2, 0]
small_bet = 2
big_bet = 4
starting_stacks = [100, 100, 100]
actions = ["d dh p1 AsKd", "d dh p2 2c2d", "d dh p3 7h7d", "p3 cbr 4", "p1 f", "p2 cc",
  "d db 2hJcTs", "p2 cbr 2", "p3 cbr 4", "p2 cc", "d db 4s", "p2 cbr 4", "p3 cc",
  "d db 5s", "p2 cc", "p3 cc", "p2 sm 2c2d", "p3 sm"]
finishing_stacks = [99, 113, 88]
"""


def with_line(hand, field, value):
    """The hand with this field changed, added, or dropped."""
    lines = [line for line in hand.splitlines() if not line.startswith(f"{field} =")]
    return "\n".join([*lines, *([] if value is None else [f"{field} = {value}"])]) + "\n"


RIGHT = [
    ("heads-up arrays stand in reverse", HEADS_UP + "finishing_stacks = [98, 102]\n"),
    ("odd chip and a button ante", ODD_CHIP + "finishing_stacks = [101, 100, 99]\n"),
    ("fractions are hundredths", SHOWN),
    ("unknown keys, commentary and empty actions are ignored",
     with_line(HEADS_UP, "actions", '["# dealing", "", "d dh p1 ????", "p2 cbr 6 # big", "p1 f"]')
     + '_rake = 0.125\nauthor = "somebody"\nfinishing_stacks = [98, 102]\n'),
    ("fixed limit", FIXED),
    ("fixed limit in fractions", with_line(FIXED, "small_bet", "2.00")),
    ("no result: legal and complete is enough", HEADS_UP),
    ("dead small blind heads-up", with_line(HEADS_UP, "blinds_or_straddles", "[0, 2]")
     + "finishing_stacks = [98, 102]\n"),
    ("big-blind ante, reversed heads-up", with_line(HEADS_UP, "antes", "[0, 3]")
     + "finishing_stacks = [95, 105]\n"),
    ("ante from everybody", with_line(HEADS_UP, "antes", "[3, 3]")
     + "finishing_stacks = [95, 105]\n"),
]  # fmt: skip


@pytest.mark.parametrize(("case", "text"), RIGHT, ids=[row[0] for row in RIGHT])
def test_right_hands_pass(tmp_path, case, text):
    file = phh_file(tmp_path, "hand.phh", text)
    assert checked(file) == ([], ["1 hands: 1 ok, 0 failed, 0 skipped"])


def test_one_file_of_many_hands(tmp_path):
    texts = [HEADS_UP, ODD_CHIP, with_line(HEADS_UP, "variant", '"PO"'), SHOWN]
    file = phh_file(tmp_path, "hands.phhs", "".join(f"[{n}]\n{t}" for n, t in enumerate(texts)))
    assert checked(file) == (
        [],
        ["skipped: 1 variant PO", "4 hands: 3 ok, 0 failed, 1 skipped"],
    )


SKIPPED = [
    # case, text, reason
    ("pot-limit Omaha", 'variant = "PO"\n', "variant PO"),
    ("fixed limit, odd big bet", with_line(FIXED, "big_bet", "5"),
     "bets are not the big blind and twice the big blind"),
    ("fixed limit, odd small bet", with_line(FIXED, "small_bet", "1"),
     "bets are not the big blind and twice the big blind"),
    ("partial", with_line(HEADS_UP, "actions", '["p2 cbr 6"]'), "partial hand"),
    ("nothing yet", with_line(HEADS_UP, "actions", "[]"), "partial hand"),
    ("unknown stack", with_line(HEADS_UP, "starting_stacks", "[100, inf]"), "unknown stack"),
    ("straddle", with_line(ODD_CHIP, "blinds_or_straddles", "[1, 2, 4]"), "straddle"),
    ("uneven antes", with_line(ODD_CHIP, "antes", "[1, 0, 1]"), "uneven antes"),
    ("minimum bet", with_line(HEADS_UP, "min_bet", "4"), "minimum bet is not the big blind"),
    ("unknown winner", SHOWN.replace("p2 sm 2c2d", "p2 sm -"), "cards unknown at showdown"),
    ("unknown loser, no result",
     with_line(SHOWN.replace("sm 7h7d", "sm"), "finishing_stacks", None),
     "cards unknown at showdown"),
]  # fmt: skip


@pytest.mark.parametrize(("case", "text", "reason"), SKIPPED, ids=[row[0] for row in SKIPPED])
def test_skipped_with_the_reason(tmp_path, case, text, reason):
    file = phh_file(tmp_path, "hand.phh", text)
    assert checked(file) == ([], [f"skipped: 1 {reason}", "1 hands: 0 ok, 0 failed, 1 skipped"])


def test_a_mucked_hand_that_nobody_knows_has_lost(tmp_path):
    file = phh_file(tmp_path, "hand.phh", SHOWN.replace("sm 7h7d", "sm"))
    assert checked(file) == ([], ["1 hands: 1 ok, 0 failed, 0 skipped"])


BROKEN = [
    # case, text, what the one line must say
    ("not TOML", "variant = ", "not TOML: Invalid value"),
    ("missing variant", "antes = [0, 0]\n", "missing field `variant`"),
    ("missing field", with_line(HEADS_UP, "min_bet", None), "missing required field `min_bet`"),
    ("missing small bet", with_line(FIXED, "small_bet", None), "required field `small_bet`"),
    ("missing big bet", with_line(FIXED, "big_bet", None), "required field `big_bet`"),
    ("a text for the big bet", with_line(FIXED, "big_bet", '"4"'), "`big_bet` has '4', which is"),
    ("fixed, too large", FIXED.replace("p3 cbr 4", "p3 cbr 6"), "action 4: raise to 6 by p3"),
    ("fixed, too small", FIXED.replace("p2 cbr 4", "p2 cbr 2"), "action 12: raise to 2 by p2"),
    ("not a list", with_line(HEADS_UP, "antes", "0"), "`$.antes`"),
    ("a text for chips", with_line(HEADS_UP, "antes", '["0", 0]'), "`antes` has '0', which is"),
    ("true for chips", with_line(HEADS_UP, "min_bet", "true"), "`min_bet` has True, which is no"),
    ("not a number", with_line(HEADS_UP, "antes", "[nan, 0]"), "`antes` has NaN, which is no"),
    ("infinite ante", with_line(HEADS_UP, "antes", "[inf, 0]"), "`antes` has Infinity, which is"),
    ("below nothing", with_line(HEADS_UP, "antes", "[-1, 0]"), "`antes` has -1, which is no"),
    ("astronomic", with_line(HEADS_UP, "antes", "[1e99, 0]"), "`antes` has 1E+99, which is no"),
    ("too fine", with_line(HEADS_UP, "antes", "[0.125, 0]"), "0.125 is finer than hundredths"),
    ("players differ", with_line(HEADS_UP, "antes", "[0, 0, 0]"), "not of the same players"),
    ("no blinds", with_line(HEADS_UP, "blinds_or_straddles", "[0, 0]"), "nobody posts the big"),
    ("one chip off", with_line(SHOWN, "finishing_stacks", "[19.5, 40.74, 0]"),
     "final stacks: expected [1950, 4074, 0], got [1950, 4075, 0]"),
    ("unknown verb", HEADS_UP.replace("p1 f", "p1 fold"), "action 4: unknown action 'p1 fold'"),
    ("unknown card", HEADS_UP.replace("AcKs", "AcXs"), "action 1: unknown card 'Xs'"),
    ("three hole cards", HEADS_UP.replace("AcKs", "AcKsQs"), "action 1: 3 hole cards"),
    ("shown is not dealt", ODD_CHIP.replace("sm 2c3c", "sm 2c3s"), "action 16: p1 shows 2c3s"),
    ("nobody", HEADS_UP.replace("p1 f", "p0 f"), "action 4: no player is called 'p0'"),
    ("a stranger", HEADS_UP.replace("p1 f", "p3 f"), "action 4: there is no player 3"),
    ("no amount", HEADS_UP.replace("cbr 6", "cbr 6e1"), "action 3: '6e1' is no amount"),
    ("flop of four", ODD_CHIP.replace("AsKsQs", "AsKsQs9s"), "action 7: the flop has 'AsKsQs9s'"),
    ("hidden turn", ODD_CHIP.replace("db Js", "db ??"), "action 10: the turn has '??'"),
    ("out of turn", HEADS_UP.replace("p2 cbr 6", "p1 cc"), "action 3: check or call by p1"),
    ("below the minimum", HEADS_UP.replace("cbr 6", "cbr 3"), "action 3: raise to 3 by p2"),
]  # fmt: skip


@pytest.mark.parametrize(("case", "text", "says"), BROKEN, ids=[row[0] for row in BROKEN])
def test_broken_input_is_one_line(tmp_path, case, text, says):
    file, right = phh_file(tmp_path, "hand.phh", text), phh_file(tmp_path, "right.phh", SHOWN)
    (failure,), last = checked(file, right)
    assert failure.startswith(f"{file}: hand: ")
    assert says in failure
    assert "\n" not in failure
    assert last == ["2 hands: 1 ok, 1 failed, 0 skipped"]


def test_a_broken_hand_of_many_does_not_spoil_the_others(tmp_path):
    file = phh_file(tmp_path, "hands.phhs", f"[1]\n{SHOWN}[2]\nactions = [\n[3]\n{SHOWN}")
    (failure,), last = checked(file)
    assert failure.startswith(f"{file}: 2: not TOML: ")
    assert last == ["3 hands: 2 ok, 1 failed, 0 skipped"]


def test_amounts_are_exact():
    text = with_line(HEADS_UP, "starting_stacks", "[100.10, 0.29]")
    (read,) = read_phh(text, ".phh", "hand")
    assert read.hand.stacks == (10_010, 29)
    assert read.hand.big_blind_chips == 200


def test_a_hand_is_called_as_it_calls_itself():
    (read,) = read_phh("hand = 17\n" + HEADS_UP, ".phh", "file")
    assert read.name == read.hand.name == "17"
