"""Small hands to record, and to record wrongly."""

import json
from pathlib import Path
from typing import Any

from services.cli.hands.check import Tally, check_files
from shared.poker.rule_sets import TDA

FOLDED: dict[str, Any] = {
    "id": "folded",
    "variant": "NL",
    "small_blind": 1,
    "big_blind": 2,
    "ante_type": "none",
    "antes": [0, 0, 0],
    "starting_stacks": [100, 100, 100],
    "seats": [1, 2, 3],
    "button_seat": 3,
    "hole_cards": ["AsKd", None, "7h7d"],
    "hole_fill": None,
    "actions": [
        ["sb", 1, 1],
        ["bb", 2, 2],
        ["hole", 1, "AsKd"],
        ["hole", 2, None],
        ["hole", 3, "7h7d"],
        ["raise", 3, 6],
        ["fold", 1],
        ["fold", 2],
        ["return", 3, 4],
        ["win", 3, 5, 0],
    ],
    "uncalled": {"3": 4},
    "pots": [{"amount": 5, "eligible": [3], "win": {"3": 5}}],
    "final_stacks": [99, 98, 103],
}
SHOWN: dict[str, Any] = FOLDED | {
    "id": "shown",
    "hole_cards": ["AsKd", "2c2d", "7h7d"],
    "actions": [
        ["sb", 1, 1],
        ["bb", 2, 2],
        ["call", 3, 2],
        ["fold", 1],
        ["check", 2],
        ["flop", "2hJcTs"],
        ["check", 2],
        ["bet", 3, 10],
        ["call", 2, 10],
        ["turn", "4s"],
        ["check", 2],
        ["check", 3],
        ["river", "5s"],
        ["bet", 2, 88],
        ["call", 3, 88],
        ["show", 2, "2c2d"],
        ["muck", 3],
        ["win", 2, 201, 0],
    ],
    "uncalled": {},
    "pots": [{"amount": 201, "eligible": [2, 3], "win": {"2": 201}}],
    "final_stacks": [99, 201, 0],
}


FIXED: dict[str, Any] = SHOWN | {
    "id": "fixed",
    "variant": "FL",
    "actions": [
        ["sb", 1, 1],
        ["bb", 2, 2],
        ["raise", 3, 4],
        ["fold", 1],
        ["call", 2, 2],
        ["flop", "2hJcTs"],
        ["bet", 2, 2],
        ["raise", 3, 4],
        ["call", 2, 2],
        ["turn", "4s"],
        ["bet", 2, 4],
        ["call", 3, 4],
        ["river", "5s"],
        ["check", 2],
        ["check", 3],
        ["show", 2, "2c2d"],
        ["muck", 3],
        ["win", 2, 25, 0],
    ],
    "pots": [{"amount": 25, "eligible": [2, 3], "win": {"2": 25}}],
    "final_stacks": [99, 113, 88],
}
# The opener may raise to 7 (2 + 3 + the own call of 2), then at most to 21 (7 + 8 + 6 to call).
POT: dict[str, Any] = FOLDED | {
    "id": "pot",
    "variant": "PL",
    "actions": [
        ["sb", 1, 1],
        ["bb", 2, 2],
        ["raise", 3, 7],
        ["raise", 1, 23],
        ["fold", 2],
        ["fold", 3],
        ["return", 1, 16],
        ["win", 1, 16, 0],
    ],
    "uncalled": {"1": 16},
    "pots": [{"amount": 16, "eligible": [1], "win": {"1": 16}}],
    "final_stacks": [109, 98, 93],
}
SITTING_OUT: dict[str, Any] = FOLDED | {
    "id": "sitting out",
    "quirk": "all_in_player_folded: a player sitting out is all-in with the blind, and folded",
}


def acting(hand: dict[str, Any], number: int, *instead: list[Any]) -> dict[str, Any]:
    """The hand with this action, counted from 1, replaced; by nothing to drop it."""
    actions = hand["actions"]
    return hand | {"actions": [*actions[: number - 1], *instead, *actions[number:]]}


def without(hand: dict[str, Any], field: str) -> dict[str, Any]:
    return {name: value for name, value in hand.items() if name != field}


def neutral_file(folder: Path, *lines: dict[str, Any] | str) -> Path:
    file = folder / "hands.jsonl"
    texts = (line if isinstance(line, str) else json.dumps(line) for line in lines)
    file.write_text("".join(text + "\n" for text in texts))
    return file


def phh_file(folder: Path, name: str, text: str) -> Path:
    file = folder / name
    file.write_text(text)
    return file


def checked(*files: Path) -> tuple[list[str], list[str]]:
    """The lines of the failures, and those that close the report."""
    tally, failures = Tally(), []
    for verdict in check_files(files, TDA):
        tally.add(verdict)
        if verdict.failed:
            failures.append(verdict.line())
    return failures, list(tally.lines())
