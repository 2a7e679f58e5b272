"""The calculator as its users see it: in rows, and whatever the file says in its names."""

import csv
import json
from io import StringIO

import pytest

from services.cli.payouts.command import calculate

THREE = {"policy": "peoples_poker", "pool_cents": 10_000, "commission_cents": 100}


@pytest.fixture
def computed(tmp_path, capsys):
    def compute(output, *players, **changes):
        survivors = [
            {"player": name, "chips": chips, "seat": seat}
            for seat, (name, chips) in enumerate(players, 1)
        ]
        file = tmp_path / "case.json"
        file.write_text(json.dumps({**THREE, "survivors": survivors, **changes}))
        code = calculate(file, output=output)
        return code, capsys.readouterr()

    return compute


def test_pp_rollforward_in_rows_for_a_spreadsheet(computed):
    """PP-ROLLFORWARD."""
    code, shown = computed("csv", ("anna", 9_000), ("ben", 4_500), ("carl", 1_500))
    rows = list(csv.DictReader(StringIO(shown.out)))
    assert code == 0
    assert [(row["player"], row["total_cents"]) for row in rows] == [
        ("anna", "4767"),
        ("ben", "3267"),
        ("carl", "2266"),
    ]
    assert (rows[2]["certain_exact"], rows[2]["chips_exact"]) == ("5000/3", "500")


@pytest.mark.parametrize("name", ["[/x]", "[bold]x[/bold]", "\x1b[31mred", "two\nlines"])
def test_a_name_is_shown_as_it_is_and_writes_no_colours_of_its_own(computed, name):
    money = {"prizes_cents": [5_000, 3_000, 2_000], "prizes_won": 1, "paid_cents": 2_000}
    code, shown = computed("table", ("anna", 9), (name, 1), **money)
    assert code == 0
    told = "".join(character if character.isprintable() else "?" for character in name)
    assert shown.out.count(told) == 2, "in its line, and in the warning"


def test_long_names_are_read_to_their_end(computed):
    names = [f"ply_01m8psnk1jyty7djy3dxkwfap{end}" for end in "ab"]
    _, shown = computed("table", *[(name, 1) for name in names])
    assert "…" not in shown.out


def test_a_policy_that_nobody_knows_is_refused(computed):
    code, shown = computed("json", ("anna", 1), policy="icm")
    assert (code, shown.out) == (1, "")
    known = "peoples_poker, big_holdem, tda, refund_all"
    assert shown.err == f"refused: unknown_policy (one of {known})\n"


def test_what_is_refused_names_its_reason_and_prints_nothing_else(computed):
    code, shown = computed("csv", ("anna", 0))
    assert (code, shown.out) == (1, "")
    assert shown.err.startswith("refused: no_chips")
