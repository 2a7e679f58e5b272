"""Terms as files: every fault is named, and a start is one moment (BH-MTT)."""

import json
import tomllib
from zoneinfo import ZoneInfo

import msgspec
import pytest

from services.cli.tournament.command import check, create
from services.cli.tournament.desk import Desk
from services.cli.tournament.faults import Fault, faults_in
from services.cli.tournament.file import Wrong, read, understood
from shared.contracts.director import Terms
from shared.runtime.settings import SettingsError
from tests.core.cli.tournament_files import GOOD, XMAS_MS, json_file, terms_of, written


def faults_of(said) -> dict[str, str]:
    with pytest.raises(Wrong) as caught:
        understood(said)
    found = {fault.where: fault.why for fault in caught.value.faults}
    assert len(found) == len(caught.value.faults)
    return found


# --- starts: BH-MTT -------------------------------------------------------------------------------

STARTS = [
    # case, what the file says, the moment
    ("an offset", "start = 2026-12-24T21:00:00+01:00", XMAS_MS),
    ("utc", "start = 2026-12-24T20:00:00Z", XMAS_MS),
    ("as text", 'start = "2026-12-24T21:00+01:00"', XMAS_MS),
    ("a zone", 'start = 2026-12-24T21:00:00\nzone = "Europe/Rome"', XMAS_MS),
    ("a zone and a space", 'start = 2026-12-24 15:00:00\nzone = "America/New_York"', XMAS_MS),
    ("both, in accord", 'start = 2026-12-24T21:00:00+01:00\nzone = "Europe/Rome"', XMAS_MS),
    ("in summer", 'start = 2026-07-01T21:00:00\nzone = "Europe/Rome"', 1_782_932_400_000),
    ("milliseconds", "start = 2026-12-24T20:00:00.250Z", XMAS_MS + 250),
    ("as the terms say it", f"start_at_ms = {XMAS_MS}", XMAS_MS),
    ("twice, told apart", "start = 2026-10-25T02:30:00+01:00", 1_792_891_800_000),
    ("none", "", 0),
]


@pytest.mark.parametrize(("said", "at_ms"), [row[1:] for row in STARTS], ids=[s[0] for s in STARTS])
def test_bh_mtt_a_start_is_one_moment_however_it_is_written(said, at_ms):
    """BH-MTT: a scheduled date and time."""
    assert terms_of(**tomllib.loads(said)).start_at_ms == at_ms


NO_STARTS = [
    # what the file says, where it is wrong, why
    ("start = 2026-12-24T21:00:00", "$.start", "no offset"),
    ("start = 2026-12-24", "$.start", "no date with a time"),
    ("start = 21:00:00", "$.start", "no date with a time"),
    ("start = 1800000000000", "$.start", "no date with a time"),
    ('start = "2026-12-24"', "$.start", "no date with a time"),
    ('start = "tomorrow at nine o\'clock"', "$.start", "no date with a time"),
    ("start = 1970-01-01T00:00:00Z", "$.start", "before 1970"),
    ("start = 9999-12-31T23:59:59-12:00\nzone = 'Europe/Rome'", "$.start", "out of the calendar"),
    ("start = 2026-07-01T21:00:00+01:00\nzone = 'Europe/Rome'", "$.start", "has +02:00 then"),
    ("start = 2026-03-29T02:30:00\nzone = 'Europe/Rome'", "$.start", "leave 2026-03-29 02:30"),
    ("start = 2026-10-25T02:30:00\nzone = 'Europe/Rome'", "$.start", "+02:00 or +01:00"),
    ("start = 2026-12-24T21:00:00\nzone = 'Rome'", "$.zone", "'Rome' is no time zone"),
    ("start = 2026-12-24T21:00:00\nzone = 'Europe'", "$.zone", "no time zone"),
    ("start = 2026-12-24T21:00:00\nzone = '../../etc/passwd'", "$.zone", "no time zone"),
    ("start = 2026-12-24T21:00:00\nzone = 1", "$.zone", "no time zone"),
    ("zone = 'Europe/Rome'", "$.zone", "nothing without a start"),
    ("start = 2026-12-24T21:00:00Z\nstart_at_ms = 5", "$.start", "the start again"),
]


@pytest.mark.parametrize(("said", "where", "why"), NO_STARTS)
def test_bh_mtt_what_is_no_clear_moment_is_refused(said, where, why):
    """BH-MTT: nothing is guessed, not even the zone."""
    found = faults_of({**GOOD, **tomllib.loads(said)})
    assert list(found) == [where]
    assert why in found[where]


def test_a_wrong_start_hides_nothing_else_about_the_schedule():
    found = faults_of({**GOOD, "start": "soon", "entries_min": 41})
    assert set(found) == {"$.start", "terms"}
    assert found["terms"] == "entries_min is from 0 to 40"


# --- faults ---------------------------------------------------------------------------------------

FAULTS = [
    # what is changed, where it is wrong, why
    ({"naem": "x"}, "$.naem", "is not known; the nearest name is name"),
    ({"anything": 1}, "$.anything", "is not known"),
    ({"name": 7}, "$.name", "Expected `str`, got `int`"),
    ({"entries": "40"}, "$.entries", "Expected `int`, got `str`"),
    ({"entries": True}, "$.entries", "Expected `int`, got `bool`"),
    ({"fee_cents": 10.0}, "$.fee_cents", "Expected `int`, got `float`"),
    ({"fee_cents": None}, "$.fee_cents", "Expected `int`, got `null`"),
    ({"regulated": 1}, "$.regulated", "Expected `bool`, got `int`"),
    ({"limit": "none"}, "$.limit", "is one of no_limit, pot_limit, fixed_limit, not 'none'"),
    ({"limit": []}, "$.limit", "is one of no_limit, pot_limit, fixed_limit, not []"),
    ({"levels": {}}, "$.levels", "Expected `array`, got `object`"),
    ({"levels": [7]}, "$.levels[0]", "Expected `object`, got `int`"),
    ({"breaks": [{"after_level": 1}]}, "$.breaks[0].ms", "is missing"),
    ({"breaks": [{"after_level": 1, "ms": 1, "n": 2}]}, "$.breaks[0].n", "is not known"),
    ({"prizes": 7}, "$.prizes", "Expected `object`, got `int`"),
    (
        {"prizes": {}},
        "$.prizes.type",
        "is missing; it is one of winners, standard, satellite, qualifying",
    ),
    (
        {"prizes": {"type": "all"}},
        "$.prizes.type",
        "is one of winners, standard, satellite, qualifying, not 'all'",
    ),
    (
        {"prizes": {"type": []}},
        "$.prizes.type",
        "is one of winners, standard, satellite, qualifying, not []",
    ),
    ({"prizes": {"type": "winners"}}, "$.prizes.shares", "is missing"),
    (
        {"prizes": {"type": "winners", "shares": [10_000, "x"]}},
        "$.prizes.shares[1]",
        "Expected `int`, got `str`",
    ),
    (
        {"prizes": {"type": "standard", "shares": [10_000]}},
        "$.prizes.shares",
        "is not known",
    ),
]


@pytest.mark.parametrize(("changes", "where", "why"), FAULTS)
def test_a_fault_is_named_with_its_path(changes, where, why):
    assert faults_of({**GOOD, **changes}) == {where: why}


class Inner(msgspec.Struct):
    number: int


class Outer(msgspec.Struct):
    one: Inner | None = None
    several: tuple[Inner, ...] | None = None
    text: str | None = None


OPTIONAL = [
    # a value of Outer, where it is wrong, why
    ({"one": None, "several": None, "text": None}, "", ""),
    ({"one": {"number": 1}, "several": [{"number": 2}], "text": "x"}, "", ""),
    ({"one": {}}, "$.one.number", "is missing"),
    ({"one": [1]}, "$.one", "Expected `object | null`, got `array`"),
    ({"several": [{"number": "x"}]}, "$.several[0].number", "Expected `int`, got `str`"),
    ({"several": {}}, "$.several", "Expected `array | null`, got `object`"),
    ({"text": {}}, "$.text", "Expected `str | null`, got `object`"),
]


@pytest.mark.parametrize(("value", "where", "why"), OPTIONAL)
def test_what_may_be_left_out_is_judged_where_it_is_there(value, where, why):
    assert list(faults_in(value, Outer)) == ([Fault(where, why)] if where else [])


def test_every_field_that_has_no_default_must_be_there():
    needed = {f"$.{field.name}" for field in msgspec.structs.fields(Terms) if field.required}
    assert faults_of({}) == dict.fromkeys(needed, "is missing")
    assert "$" in faults_of([GOOD])


def test_all_faults_are_named_at_once_and_that_more_may_come():
    changes = {name: change for row, _, _ in FAULTS for name, change in row.items()}
    with pytest.raises(Wrong) as caught:
        understood({**GOOD, **changes, "levels": [{}, 7], "start": 1})
    found = {fault.where for fault in caught.value.faults}
    assert {f"$.{name}" for name in ("naem", "name", "limit", "start", "regulated")} <= found
    assert {"$.levels[0].small_blind_chips", "$.levels[0].big_blind_chips", "$.levels[1]"} <= found
    assert not caught.value.judged_whole


def test_what_nobody_knows_hides_nothing_of_the_terms_as_a_whole():
    with pytest.raises(Wrong) as caught:
        understood({**GOOD, "x": 1, "entries": 1, "seats": 11, "rule_set": "x", "zone": "Asia/x"})
    faults = [fault.why for fault in caught.value.faults if fault.where == "terms"]
    assert [why.split()[0] for why in faults] == ["entries", "seats", "rule_set:"]
    assert caught.value.judged_whole


# --- files and exit codes -------------------------------------------------------------------------


def test_json_says_the_same_as_toml(tmp_path):
    said = {**GOOD, "start": "2026-12-24T21:00:00", "zone": "Europe/Rome"}
    found = read(written(tmp_path, json.dumps(said), "terms.JSON"))
    assert found == (terms_of(start_at_ms=XMAS_MS), ZoneInfo("Europe/Rome"))


def test_wrong_terms_are_1_each_fault_in_a_line_of_its_own(tmp_path, capsys):
    path = json_file(tmp_path, **{"a\nb": 1, "seats": 11})
    assert check(path) == create(path, desk=Desk()) == 1
    told = capsys.readouterr()
    assert told.out == ""
    lines = [f"{path}: $.a?b: is not known", f"{path}: terms: seats is from 2 to 10"]
    assert told.err.splitlines() == lines * 2


UNREADABLE = [
    # name, content
    ("terms.toml", "name = "),
    ("terms.toml", "name = 1\nname = 2"),
    ("terms.json", "{"),
    ("terms.json", '{"name": "a", "name": "b"}'),
    ("terms.json", "[" * 100_000),
    ("terms.yaml", "name: x"),
    ("terms", "{}"),
]


@pytest.mark.parametrize(("name", "content"), UNREADABLE)
def test_what_cannot_be_read_is_2(tmp_path, name, content):
    """The main command line makes 2 of it, and one line that names the file."""
    path = written(tmp_path, content, name)
    with pytest.raises(SettingsError, match=f"^{path}: "):
        check(path)


def test_bytes_that_are_no_text_and_files_that_are_not_there_are_2(tmp_path):
    path = written(tmp_path, "")
    path.write_bytes(b"\xff")
    for missing in (path, path.with_name("nowhere.toml"), path.parent / "x.toml" / "y.toml"):
        with pytest.raises(SettingsError):
            read(missing)


def test_a_zone_that_there_is_not_is_2(tmp_path):
    with pytest.raises(SettingsError, match="--zone: 'Rome' is no time zone"):
        check(json_file(tmp_path), zone="Rome")
