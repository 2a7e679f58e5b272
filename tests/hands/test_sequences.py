"""Runs of real hands at one table each: chips, moves, purchases, button and blinds chain."""

import json
from pathlib import Path

import pytest
from msgspec.structs import replace

from services.cli.hands import app
from services.cli.hands.sequences import RunsTally, check_runs
from shared.poker.rule_sets import PEOPLES_POKER, TDA
from tests.data import data_file
from tests.hands.records import FOLDED, SHOWN

HAND_FILES = ("hands_sites.jsonl", "hands_sites_extra.jsonl")
PLACED_AS_RECORDED = {
    "the site has no dead button: it moves on to a seated player, the blinds follow": 29,
    "the site leaves the marker of a dead button with the previous dealer": 6,
    "the site gives the button to a newcomer between the button and the small blind": 3,
    "the record does not tell where the dead button is": 1,
    "the run begins with a small blind that nobody posts: the hand before is not told": 1,
    "from two players to six: the site starts from the last small blind": 1,
    "from two players to five: the site starts from a newcomer": 1,
    "a newcomer sits where the button was due: the site passes him over": 2,
    "a newcomer sits where the button was due: the site leaves the marker behind": 1,
    "seated, but not dealt in: the player due the small blind; six are new": 1,
}


def played(runs, hands, rules=TDA):
    tally, failures = RunsTally(), []
    for hand in check_runs(runs, hands, rules):
        tally.add(hand)
        if hand.verdict.failed:
            failures.append(hand.verdict.line())
    return failures, tally


@pytest.mark.parametrize(
    "rules",
    [
        TDA,
        replace(PEOPLES_POKER, min_bet="big_blind", dead_button_marker="empty_seat"),
    ],
    ids=["tda", "peoples_poker_with_the_sites_bets"],
)
def test_every_run_chains(rules):
    files = [data_file(name) for name in HAND_FILES]
    failures, tally = played(data_file("sequences.jsonl"), files, rules)
    assert failures == []
    assert dict(tally.placed) == PLACED_AS_RECORDED
    assert list(tally.lines())[-2:] == [
        "skipped: 1 quirk all_in_player_folded",
        "1825 hands: 1824 ok, 0 failed, 1 skipped",
    ]


# --- small runs, and what is wrong with them ----------------------------------------------------


def seated(hand, *names, after=()):
    return hand | {"who": list(names), "after": list(after)}


# The button is on seat 3, then on seat 1: the betting order turns by one seat.
FIRST = seated(FOLDED, "ann", "bob", "cat")
SECOND = seated(
    FOLDED
    | {
        "id": "second",
        "seats": [2, 3, 1],
        "button_seat": 1,
        "starting_stacks": [98, 103, 99],
        "final_stacks": [97, 101, 102],
        "hole_cards": [None, None, None],
    },
    "bob",
    "cat",
    "ann",
)


def files(folder, *hands, run=None):
    runs, records = folder / "runs.jsonl", folder / "records.jsonl"
    runs.write_text(json.dumps(run or {"id": "r1", "hands": [hand["id"] for hand in hands]}) + "\n")
    records.write_text("".join(json.dumps(hand) + "\n" for hand in hands))
    return runs, [records]


def test_two_hands_chain(tmp_path):
    failures, tally = played(*files(tmp_path, FIRST, SECOND))
    assert failures == []
    assert list(tally.lines()) == ["2 hands: 2 ok, 0 failed, 0 skipped"]


def test_seats_that_are_names_are_put_in_order(tmp_path):
    named = [hand | {"seats": [{1: 70, 2: 30, 3: 50}[seat] for seat in hand["seats"]],
                     "button_seat": {3: 50, 1: 70}[hand["button_seat"]]}
             for hand in (FIRST, SECOND)]  # fmt: skip
    failures, tally = played(*files(tmp_path, *named))
    assert failures == []
    assert tally.hands.right == 2


BETWEEN = [
    # case, first hand, second hand
    ("a rebuy after the hand", seated(FIRST, *FIRST["who"], after=[["rebuy", 1, 50]]),
     SECOND | {"starting_stacks": [98, 103, 149], "final_stacks": [97, 101, 152]}),
    ("another player takes the seat", FIRST,
     SECOND | {"who": ["bob", "cat", "dan"], "starting_stacks": [98, 103, 500],
               "final_stacks": [97, 101, 503]}),
    ("a player leaves and another comes", FIRST,
     SECOND | {"who": ["eve", "cat", "ann"], "starting_stacks": [7, 103, 99],
               "final_stacks": [6, 101, 102]}),
]  # fmt: skip


@pytest.mark.parametrize(("case", "first", "second"), BETWEEN, ids=[row[0] for row in BETWEEN])
def test_what_happens_between_hands(tmp_path, case, first, second):
    failures, tally = played(*files(tmp_path, first, second))
    assert failures == []
    assert tally.hands.right == 2


WRONG = [
    # case, second hand, what the one line must say
    ("chips from nowhere", SECOND | {"starting_stacks": [98, 103, 100]},
     "second: ann has 99 chips and bought 0, the record says 100"),
    ("a button that stays", SECOND | {"seats": [1, 2, 3], "button_seat": 3,
                                      "who": ["ann", "bob", "cat"],
                                      "starting_stacks": [99, 98, 103]},
     "second: positions: expected Placed(button_seat=3"),
    ("a stack one chip off", SECOND | {"final_stacks": [97, 101, 103]},
     "second: final stacks: expected [97, 101, 103], got [97, 101, 102]"),
    ("an action out of turn", SECOND | {"actions": [["sb", 1, 1], ["bb", 2, 2], ["fold", 1]]},
     "second: action 3: fold by p1 is refused: not_your_turn"),
    ("a raise too small", SECOND | {"actions": [["sb", 1, 1], ["bb", 2, 2], ["raise", 3, 3]]},
     "second: action 3: raise to 3 by p3 is refused: raise_below_minimum (at least 4)"),
    ("a call of the wrong size",
     SECOND | {"actions": [["sb", 1, 1], ["bb", 2, 2], ["call", 3, 1]]},
     "second: action 3: call 1 by p3, by the rules 2"),
    ("an action after the end", SECOND | {"actions": [*SECOND["actions"], ["fold", 3]]},
     "second: action 11: fold by p3 is refused, the hand is over"),
    ("no end", SECOND | {"actions": [["sb", 1, 1], ["bb", 2, 2], ["call", 3, 2]]},
     "second: the record ends before the hand"),
    ("no flop", SECOND | {"actions": [["sb", 1, 1], ["bb", 2, 2], ["call", 3, 2], ["call", 1, 1],
                                      ["check", 2]]},
     "second: the record ends, the flop is due"),
    ("a card twice", SECOND | {"hole_cards": ["AsKd", "AsKh", None]},
     "second: As was dealt twice"),
]  # fmt: skip


@pytest.mark.parametrize(("case", "second", "says"), WRONG, ids=[row[0] for row in WRONG])
def test_what_does_not_chain_is_one_line_and_the_run_goes_on(tmp_path, case, second, says):
    third = SHOWN | {"id": "third", "who": ["ann", "bob", "cat"]}
    (failure,), tally = played(*files(tmp_path, FIRST, second, third))
    assert "runs.jsonl: r1: " in failure
    assert says in failure
    assert "\n" not in failure
    assert list(tally.lines()) == ["3 hands: 2 ok, 1 failed, 0 skipped"]


def test_a_run_of_unknown_hands_fails_alone(tmp_path):
    runs, records = files(tmp_path, FIRST)
    runs.write_text('{"id": "r0", "hands": ["none"]}\n' + runs.read_text())
    failures, tally = played(runs, records)
    assert failures == [f"{runs}: r0: no record of none"]
    assert tally.hands.right == 1


@pytest.mark.parametrize(
    ("content", "says"),
    [('{"id": "r0"}', "line 1: Object missing required field `hands`"), ("[", "line 1: ")],
)
def test_a_broken_file_of_runs_is_one_line(tmp_path, content, says):
    runs, records = files(tmp_path, FIRST)
    runs.write_text(content)
    (failure,), _ = played(runs, records)
    assert failure.startswith(f"{runs}: {says}")


def test_the_command_reports_and_exits(tmp_path, capsys):
    runs, records = files(tmp_path, FIRST, SECOND)
    arguments = ["sequences", str(runs), *map(str, records)]
    assert app(arguments, result_action="return_value") == 0
    assert capsys.readouterr().out == "2 hands: 2 ok, 0 failed, 0 skipped\n"
    assert app([*arguments, "--rules", "wsop"], result_action="return_value") == 2
    arguments[2] = str(Path(tmp_path) / "none.jsonl")
    assert app(arguments, result_action="return_value") == 1
