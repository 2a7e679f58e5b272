"""Records broken at random: every hand still gets its verdict, in one line, and never a crash."""

import json
from random import Random

import pytest

from services.cli.hands.check import check_file
from services.cli.hands.sequences import check_runs
from shared.poker.rule_sets import TDA
from tests.hands.records import FIXED, FOLDED, POT, SHOWN
from tests.hands.test_phh import FIXED as PHH_FIXED, HEADS_UP, ODD_CHIP, SHOWN as PHH_SHOWN
from tests.hands.test_sequences import FIRST, SECOND, files

ODD_VALUES = [
    *(None, True, -1, 0, 1, 2.5, 10**9, 10**18, 10**30, -(10**30), 1e300),
    *("", "x", "As", "AsAs", "AsKd", "??", "p1", "\n", "é", [], [[]], {}, {"1": 1}, [1], ["a"]),
]
ROUNDS = 300


def places(value, path=()):
    """Every place inside a record."""
    yield path
    inside = value.items() if isinstance(value, dict) else ()
    inside = enumerate(value) if isinstance(value, list) else inside
    for key, child in inside:
        yield from places(child, (*path, key))


def broken(record, random):
    """The record with one thing replaced, dropped, doubled or swapped with another."""
    record = json.loads(json.dumps(record))
    *path, last = random.choice([place for place in places(record) if place])
    parent = record
    for key in path:
        parent = parent[key]
    what = random.choice(("replace", "replace", "drop", "swap", "double"))
    if what == "drop":
        del parent[last]
    elif what == "swap":
        other = random.choice(list(parent) if isinstance(parent, dict) else range(len(parent)))
        parent[last], parent[other] = parent[other], parent[last]
    elif what == "double" and isinstance(parent, list):
        parent.insert(last, parent[last])
    else:
        parent[last] = random.choice(ODD_VALUES)
    return record


@pytest.mark.parametrize("record", [FOLDED, SHOWN, FIXED, POT], ids=lambda record: record["id"])
def test_every_limit_and_every_field(tmp_path, record):
    random = Random(record["id"])
    records = [broken(record, random) for _ in range(ROUNDS)]
    file = tmp_path / "hands.jsonl"
    file.write_text("".join(json.dumps(line) + "\n" for line in [*records, record]))
    verdicts = list(check_file(file, TDA))
    assert len(verdicts) == ROUNDS + 1
    assert not any("\n" in verdict.line() for verdict in verdicts)
    assert sum(bool(verdict.failed) for verdict in verdicts) > ROUNDS / 2
    assert verdicts[-1].line() == f"{file}: {record['id']}"


@pytest.mark.parametrize("text", [HEADS_UP, ODD_CHIP, PHH_SHOWN, PHH_FIXED])
def test_poker_hand_history_cut_and_changed_anywhere(tmp_path, text):
    random = Random(text)
    tables = []
    for number in range(ROUNDS):
        at, to = sorted(random.choices(range(len(text)), k=2))
        instead = random.choice(("", "9", '"', "]", "\n", text[at:to], "-", "1e400", "p4"))
        to = random.choice((to, at + 1, at))
        tables.append(f"[{number}]\n{text[:at]}{instead}{text[to:]}\n")
    file = tmp_path / "hands.phhs"
    file.write_text("".join([*tables, f"[last]\n{text}"]))
    verdicts = list(check_file(file, TDA))
    assert len(verdicts) >= ROUNDS / 2
    assert not any("\n" in verdict.line() for verdict in verdicts)
    assert verdicts[-1].line() == f"{file}: last"


def test_runs(tmp_path):
    random = Random("runs")
    for _ in range(ROUNDS // 2):
        hands = [broken(FIRST, random), SECOND]
        runs, records = files(tmp_path, *hands, run={"id": "r1", "hands": ["folded", "second"]})
        played = list(check_runs(runs, records, TDA))
        assert 1 <= len(played) <= 2
        assert not any("\n" in hand.verdict.line() for hand in played)
