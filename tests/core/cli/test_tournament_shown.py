"""Templates, and terms as a person reads them: nothing stays unsaid (PP-LOBBY)."""

import fnmatch
import tomllib
from datetime import UTC
from pathlib import Path
from zoneinfo import ZoneInfo

import pytest
from hypothesis import given, strategies as st
from msgspec.structs import replace
from rich.console import Console

from services.cli.tournament import command
from services.cli.tournament.command import check, template, template_names, templates
from services.cli.tournament.figures import lasting, percent
from services.cli.tournament.file import read, understood
from services.cli.tournament.prize_table import bands, prizes_of, usual_entries
from services.cli.tournament.showing import show
from shared.contracts.director import (
    BigShoot,
    Break,
    Level,
    Purchase,
    QualifyingPrizes,
    SatellitePrizes,
    Stage,
    StandardPrizes,
    Terms,
    WinnersPrizes,
)
from shared.poker.rule_sets import PRESETS
from tests.core.cli.tournament_files import XMAS_MS, json_file, terms_of, written

STAGES = (
    Stage(seats=8, go_on=2),
    Stage(seats=5, stacks_chips=(900, 800), first_level=2),
    Stage(seats=2),
)
GOING_ON = QualifyingPrizes(winners=1_000, target="trn_middle", withdrawal_cents=700)
FIRST_STAGE = {"prizes": GOING_ON, "big_shoot": BigShoot(series="trn_final", stage=1)}
SECOND_STAGE = {
    "prizes": GOING_ON,
    "big_shoot": BigShoot(series="trn_final", stage=2, fed_by=8),
    "fee_cents": 0,
    "commission_cents": 0,
}
LAST_STAGE = {
    **SECOND_STAGE,
    "prizes": WinnersPrizes((7_000, 3_000)),
    "big_shoot": BigShoot(series="", stage=3, fed_by=1),
}
ROOT = Path(__file__).resolve().parents[3]

# --- templates ------------------------------------------------------------------------------------


@pytest.mark.parametrize("name", template_names())
def test_every_template_is_good_as_it_is_printed(name, tmp_path, capsys):
    assert template(name) == 0
    path = written(tmp_path, capsys.readouterr().out)
    assert check(path) == 0
    told = capsys.readouterr()
    assert told.out.startswith(read(path).terms.name)
    assert not told.err or command.PAST in told.err


def test_templates_are_listed_with_what_they_are_for(capsys):
    assert templates() == 0
    lines = capsys.readouterr().out.splitlines()
    assert [line.split()[0] for line in lines] == list(template_names())
    assert all(len(line.split()) > 5 for line in lines)


def test_there_is_a_template_for_every_rule_set_and_kind_of_start():
    found = [
        understood(tomllib.loads(one.read_text())).terms for one in command.TEMPLATES.iterdir()
    ]
    assert {terms.rule_set for terms in found} == set(PRESETS)
    assert {bool(terms.start_at_ms) for terms in found} == {True, False}
    assert {terms.seats for terms in found} >= {2, 9}
    assert any(terms.breaks for terms in found)
    assert any(terms.guarantee_cents for terms in found)


def test_templates_are_part_of_the_package():
    project = tomllib.loads((ROOT / "pyproject.toml").read_text())
    patterns = project["tool"]["setuptools"]["package-data"]["services.cli.tournament"]
    for name in template_names():
        assert any(fnmatch.fnmatch(f"templates/{name}.toml", pattern) for pattern in patterns)


def test_a_template_that_there_is_not_is_2(capsys):
    assert template("../command") == 2
    assert "sit-and-go" in capsys.readouterr().err


# --- what is shown: PP-LOBBY ----------------------------------------------------------------------


def shown(terms: Terms, zone=UTC, entries=()) -> str:
    console = Console(width=100, no_color=True)
    with console.capture() as captured:
        show(console, terms, zone, entries or usual_entries(terms))
    return captured.get()


FULL = terms_of(start="2026-12-24T21:00:00+01:00", breaks=[{"after_level": 1, "ms": 300_000}])
OTHER = {
    "name": "Morning",
    "rule_set": "big_holdem",
    "limit": "pot_limit",
    "entries": 41,
    "seats": 8,
    "fee_cents": 1_001,
    "commission_cents": 101,
    "starting_chips": 1_501,
    "levels": (*FULL.levels, Level(80, 160)),
    "level_ms": 601_000,
    "level_hands": 7,
    "action_ms": 20_001,
    "time_bank_ms": 1,
    "time_bank_refill_ms": 1,
    "pause_ms": 1,
    "player_entropy": True,
    "seed_ms": 2_001,
    "prizes": WinnersPrizes((10_000,)),
    "final_table_players": 9,
    "start_at_ms": XMAS_MS + 1_000,
    "entries_min": 3,
    "leave_before_ms": 1,
    "cancellation_charge": 1,
    "guarantee_cents": 1,
    "breaks": (Break(2, 300_000),),
    "regulated": True,
    "rating_min": 251,
    "rating_max": 500,
    "late_levels": 2,
    "reentries": 2,
    "rebuy": Purchase(fee_cents=500, commission_cents=50, chips=700, until_level=1, most=2),
    "add_on": Purchase(fee_cents=500, commission_cents=50, chips=700, until_level=1, most=2),
    "rebuy_offer_ms": 31_000,
    "big_shoot": BigShoot(series="trn_final", stage=1),
}


@pytest.mark.parametrize("field", OTHER)
def test_pp_lobby_nothing_in_the_terms_stays_unsaid(field):
    """PP-LOBBY: other terms are shown otherwise, whichever field they differ in."""
    with_it = {
        "level_hands": {"level_ms": 0, "breaks": ()},
        "seed_ms": {"player_entropy": True},
        "reentries": {"late_levels": 1},
        "rebuy_offer_ms": {"rebuy": OTHER["rebuy"]},
    }
    before = replace(FULL, **with_it.get(field, {}))
    assert shown(before) != shown(replace(before, **{field: OTHER[field]}))


@pytest.mark.parametrize(
    ("changes", "text"),
    [
        (
            {"prizes": SatellitePrizes(prize_cents=5_000, target="trn_grand")},
            "as many of €50.00 as the pool can pay, each a ticket for trn_grand",
        ),
        (
            {"prizes": SatellitePrizes(winners=1_250)},
            "equal ones for 12.5 % of the players, in money",
        ),
        (
            {"bounty_cents": 300, "progressive": True},
            "€3.00 of the fee to who knocks the player out, half of it added to the winner's own",
        ),
        (
            {"bounty_cents": 300, "rebuy": OTHER["rebuy"]},
            "€3.00 of the fee, and of each rebuy's, to who knocks the player out",
        ),
        (
            {"prizes": SatellitePrizes(winners=1_000), "late_levels": 1, "reentries": 1},
            (
                "equal ones for 10 % of the entries, re-entries included, in money, "
                "fixed once nothing is sold any more"
            ),
        ),
        (
            {"prizes": SatellitePrizes(prize_cents=5_000), "add_on": OTHER["add_on"]},
            "as many of €50.00 as the pool can pay, in money, fixed once nothing is sold any more",
        ),
        (
            {"late_levels": 1, "reentries": 1},
            f"until level 1 is over, 1 re-entry a player, each one of the {FULL.entries} entries",
        ),
        (
            {"rebuy": OTHER["rebuy"], "add_on": OTHER["add_on"]},
            "The pool is that of the entries; rebuys and add-ons raise it.",
        ),
        ({"deals": True}, "the last players may share what is left, if all agree"),
        (
            FIRST_STAGE,
            (
                "10 % of the entries go on to trn_middle, with the whole pool; "
                "who withdraws before that starts gets €7.00 of it"
            ),
        ),
        (FIRST_STAGE, "stage 1 of trn_final; who is out may buy into another one of stage 1"),
        (SECOND_STAGE, "gets €7.00 of it, or an even share where that is less"),
        (
            SECOND_STAGE,
            (
                "stage 2 of trn_final; starts once 8 of stage 1 are over, with who has qualified "
                "there and their pools; whoever may withdraw then has 1 min at least; "
                "who is out may buy into another one of stage 1"
            ),
        ),
        (SECOND_STAGE, "until the start, who has qualified withdraws for what was offered there"),
        (LAST_STAGE, "stage 3, the final; starts once 1 of stage 2 is over, with who"),
        (
            {"seats": 8, "stages": STAGES},
            (
                "1. 8 a table, up to 5, 2 of each go on; "
                "2. 5 a table, up to 2, with 900 / 800 chips, from level 2, 1 of each go on; "
                "3. 2 a table, up to 1, chips are carried over"
            ),
        ),
    ],
)
def test_pp_lobby_every_form_is_told(changes, text):
    """PP-LOBBY: BH-SATELLITE, BH-SHOOTOUT, BH-BIGSHOOT, bounties and deals."""
    assert text in shown(replace(FULL, **changes))


def test_bounties_are_told_beside_the_prizes_of_places():
    found = prizes_of(replace(FULL, bounty_cents=300), 10)
    assert (found.pool_cents, found.bounties_cents, sum(found.prizes_cents)) == (
        10_000,
        3_000,
        7_000,
    )


def test_a_field_without_a_line_of_its_own_is_told_by_its_name(monkeypatch):
    """PP-LOBBY: so nothing that terms may say some day is left out."""
    monkeypatch.setattr("services.cli.tournament.showing.lines.TOLD", set())
    assert "cancellation charge 0" in shown(FULL)


def test_bh_mtt_the_start_and_the_levels_are_told_in_the_zone_asked_for(tmp_path, capsys):
    """BH-MTT: breaks put off what comes after them."""
    start = {"start": "2026-12-24T21:00:00", "zone": "Europe/Rome"}
    path = json_file(tmp_path, breaks=[{"after_level": 1, "ms": 300_000}], **start)
    assert check(path) == 0
    in_file = capsys.readouterr().out
    assert "Thursday 24 December 2026, 21:00 CET (20:00 UTC)" in in_file
    assert check(path, zone="Asia/Tokyo") == 0
    out = capsys.readouterr().out
    assert "Friday 25 December 2026, 05:00 JST (Thursday 24 December 2026, 20:00 UTC)" in out
    rows = [[cell.strip() for cell in line.split("│")[1:-1]] for line in out.splitlines()]
    assert [row for row in rows if len(row) == 5] == [
        ["1", "10/20", "", "10 min", "at the start, 05:00"],
        ["", "break", "", "5 min", "10 min, 05:10"],
        ["2", "20/40", "", "10 min", "15 min, 05:15"],
        ["3", "40/80", "10", "to the end", "25 min, 05:25"],
    ]


@pytest.mark.parametrize("start_at_ms", [253_402_300_799_999, 10**18, 10**30])
def test_a_start_beyond_every_calendar_is_shown_all_the_same(start_at_ms):
    shown(replace(FULL, start_at_ms=start_at_ms), ZoneInfo("Asia/Tokyo"))


def test_a_name_writes_no_lines_and_no_colours_of_its_own():
    assert shown(replace(FULL, name="a\n\x1b[31m[bold]b")).startswith("a??[31m[bold]b\n")


def test_the_price_is_told_as_it_is_split():
    assert "€11.00 = €10.00 to the prizes (90.9 %) + €1.00 commission" in shown(FULL)


def test_a_start_that_is_past_is_said(tmp_path, capsys):
    path = json_file(tmp_path, start="2020-01-01T00:00:00Z")
    assert check(path) == 0
    assert "the start is past" in capsys.readouterr().err


@pytest.mark.parametrize(
    ("milliseconds", "text"),
    [(0, "0 s"), (1, "1 ms"), (90_000, "1 min 30 s"), (93_600_000, "1 d 2 h"), (61_001, None)],
)
def test_durations_are_told_exactly(milliseconds, text):
    assert lasting(milliseconds) == (text or "1 min 1 s 1 ms")


@pytest.mark.parametrize(
    ("hundredths", "text"), [(0, "0 %"), (10_000, "100 %"), (1_250, "12.5 %"), (1, "0.01 %")]
)
def test_percentages_are_told_exactly(hundredths, text):
    assert percent(hundredths) == text


# --- prizes ---------------------------------------------------------------------------------------


def test_prizes_are_shown_for_the_least_the_most_and_a_few_between():
    assert usual_entries(FULL) == (2, 11, 21, 30, 40)
    assert usual_entries(replace(FULL, entries_min=38)) == (38, 39, 40)
    assert usual_entries(replace(FULL, start_at_ms=0)) == (40,)


def test_the_guarantee_is_in_the_pool():
    """Guarantee (Decision): pool = max(collected, guarantee)."""
    terms = replace(FULL, guarantee_cents=5_001)
    few, many = prizes_of(terms, 4), prizes_of(terms, 6)
    assert (few.pool_cents, few.added_cents, sum(few.prizes_cents)) == (5_001, 1_001, 5_001)
    assert (many.pool_cents, many.added_cents) == (6_000, 0)


def test_bh_bigshoot_who_goes_on_and_what_is_carried_is_told():
    """BH-BIGSHOOT: of 25, one in ten goes on, floor; all but bounties goes along."""
    terms = replace(FULL, **FIRST_STAGE, bounty_cents=300)
    found = prizes_of(terms, 25)
    assert (found.go_on, found.pool_cents, found.bounties_cents) == (2, 25_000, 7_500)
    rows = [line.split() for line in shown(terms, entries=(25,)).splitlines()]
    assert ["│", "carried", "on", "│", "175.00", "│"] in rows
    assert ["│", "go", "on", "│", "2", "│"] in rows


def test_bh_bigshoot_a_later_stage_tells_shares_of_what_is_carried():
    """BH-BIGSHOOT: how much that is nobody knows before."""
    assert prizes_of(replace(FULL, **SECOND_STAGE), 25).go_on == 2
    found = prizes_of(replace(FULL, **LAST_STAGE), 10)
    assert (found.in_shares, found.prizes_cents) == (True, (7_000, 3_000))
    told = shown(replace(FULL, **LAST_STAGE), entries=(10,))
    assert "as carried" in told
    assert "70 %" in told


@pytest.mark.parametrize("entries", [1, 41])
def test_with_a_number_that_cannot_start_there_is_nothing_to_win(entries, tmp_path, capsys):
    assert prizes_of(FULL, entries).why_not == "it starts with 2 to 40 players"
    assert check(json_file(tmp_path), entries=[40, entries]) == 0
    out = capsys.readouterr().out
    assert f"{entries} entries: it starts with 40 players" in out
    assert "400.00" in out


@given(
    entries=st.integers(2, 2_000),
    fee_cents=st.integers(0, 100_000),
    guarantee_cents=st.integers(0, 10_000_000),
)
def test_whatever_the_number_of_entries_all_of_the_pool_is_won(entries, fee_cents, guarantee_cents):
    changes = {"fee_cents": fee_cents, "guarantee_cents": guarantee_cents}
    found = prizes_of(replace(FULL, entries=2_000, prizes=StandardPrizes(), **changes), entries)
    assert sum(found.prizes_cents) == found.pool_cents == max(entries * fee_cents, guarantee_cents)


@given(st.lists(st.lists(st.integers(1, 4), max_size=12), max_size=4))
def test_the_rows_of_prizes_hold_every_place_once_and_one_prize_each(columns):
    rows = list(bands(columns))
    places = [place for first, last in rows for place in range(first, last + 1)]
    assert places == list(range(1, max(map(len, columns), default=0) + 1))
    for first, last in rows:
        for column in columns:
            assert len(set(column[first - 1 : last])) <= 1
            assert len(column[first - 1 : last]) in (0, last - first + 1)
