"""`hands check` from outside: lines, order and exit codes."""

import subprocess
import sys

import pytest

from services.cli.hands import app
from services.cli.hands.source_errors import SOURCE_ERRORS
from tests.hands.records import FIXED, FOLDED, POT, SHOWN, SITTING_OUT, neutral_file

WRONG = SHOWN | {"final_stacks": [99, 200, 1]}


def check(capsys, *arguments):
    code = app(["check", *map(str, arguments)], result_action="return_value")
    said = capsys.readouterr()
    return code, said.out.splitlines(), said.err.splitlines()


def test_all_right_exits_0(tmp_path, capsys):
    file = neutral_file(tmp_path, FOLDED, SITTING_OUT, FIXED, POT)
    code, lines, _ = check(capsys, file)
    assert code == 0
    assert lines == [
        "skipped: 1 quirk all_in_player_folded",
        "4 hands: 3 ok, 0 failed, 1 skipped",
    ]


def test_one_failure_exits_1(tmp_path, capsys):
    file = neutral_file(tmp_path, FOLDED, WRONG)
    code, lines, _ = check(capsys, file)
    assert code == 1
    assert lines == [
        f"{file}: shown: final stacks: expected [99, 200, 1], got [99, 201, 0]",
        "2 hands: 1 ok, 1 failed, 0 skipped",
    ]


@pytest.mark.parametrize("line", ["", SITTING_OUT])
def test_nothing_tested_exits_1(tmp_path, capsys, line):
    file = neutral_file(tmp_path, line)
    code, lines, _ = check(capsys, file)
    assert code == 1
    assert lines[-1].endswith("hands: 0 ok, 0 failed, 1 skipped" if line else "0 skipped")


def test_files_that_cannot_be_read_are_failures_and_the_rest_runs(tmp_path, capsys):
    file = neutral_file(tmp_path, FOLDED)
    missing, folder, other = tmp_path / "no.phh", tmp_path / "f.phh", tmp_path / "hands.csv"
    latin = tmp_path / "latin.phh"
    folder.mkdir()
    other.write_text("1,2")
    latin.write_bytes(b'variant = "\xe9"')
    code, lines, _ = check(capsys, missing, folder, other, latin, file)
    assert code == 1
    assert lines == [
        f"{missing}: no such file or directory",
        f"{folder}: is a directory",
        f"{other}: not a .jsonl, .phh or .phhs file",
        f"{latin}: not UTF-8: invalid continuation byte at byte 11",
        "5 hands: 1 ok, 4 failed, 0 skipped",
    ]


def test_rules_are_a_preset(tmp_path, capsys):
    file = neutral_file(tmp_path, FOLDED, SHOWN)
    for preset in ("tda", "big_holdem", "peoples_poker"):
        assert check(capsys, file, "--rules", preset)[0] == 0
    code, lines, errors = check(capsys, file, "--rules", "wsop")
    assert (code, lines) == (2, [])
    assert errors == ["unknown rule set 'wsop'; known: big_holdem, peoples_poker, tda"]


def test_a_source_error_is_a_category_of_its_own(tmp_path, capsys):
    (name, reason), *_ = SOURCE_ERRORS.items()
    file = neutral_file(tmp_path, WRONG | {"id": name}, FOLDED)
    code, lines, _ = check(capsys, file)
    assert code == 0
    differs = "final stacks: expected [99, 200, 1], got [99, 201, 0]"
    assert lines == [
        f"{file}: {name}: source error: {reason} ({differs})",
        "2 hands: 1 ok, 0 failed, 0 skipped, 1 source errors",
    ]


def test_a_source_error_that_does_not_show_is_a_failure(tmp_path, capsys):
    (name, reason), *_ = SOURCE_ERRORS.items()
    file = neutral_file(tmp_path, SHOWN | {"id": name}, FOLDED)
    code, lines, _ = check(capsys, file)
    assert code == 1
    assert lines == [
        f"{file}: {name}: listed as a source error: {reason}",
        "2 hands: 1 ok, 1 failed, 0 skipped",
    ]


@pytest.mark.parametrize(("record", "code"), [(SHOWN, 0), (WRONG, 1)])
def test_the_exit_code_reaches_the_shell(tmp_path, record, code):
    file = neutral_file(tmp_path, record)
    run = [sys.executable, "-c", "from services.cli.hands import app; app()", "check", str(file)]
    assert subprocess.run(run, check=False, capture_output=True).returncode == code
