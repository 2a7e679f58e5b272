"""Logs replayed: the same state and the same sheet from any copy of the log, in any process."""

import os
import subprocess
import sys

import msgspec
import pytest

from services.cli.replay import replay
from services.cli.replay.folding import steps
from services.cli.replay.rows import Until, until
from services.cli.tournament.interrupted import sheet
from shared.contracts.commit import decode, encode, hash_of
from shared.runtime.settings import SettingsError
from tests.core.cli.tournament_world import TOURNAMENT, copies_of
from tests.core.director.interrupted_world import Cut

AFTER = 220
MAIN = "from services.cli.main import main; main()"


@pytest.fixture(scope="module")
def world():
    world = Cut(3, AFTER).play()
    assert world.tournament.cancelling.sheet_hash
    return world


@pytest.fixture(scope="module")
def export(world, tmp_path_factory):
    """Every commit of every line, as another machine may have it."""
    path = tmp_path_factory.mktemp("export") / "log"
    copies = copies_of(world.commits).values()
    path.write_bytes(b"".join(row.data + b"\n" for copy in copies for row in copy.rows))
    return path


def told(capsys):
    return [msgspec.json.decode(line) for line in capsys.readouterr().out.splitlines()]


def test_every_stream_of_a_log_is_folded_to_what_its_owner_had(world, export, capsys):
    assert replay(export) == 0
    shown = {one["stream"]: one for one in told(capsys)}
    assert {stream for _, stream in world.states} == shown.keys()
    assert shown[TOURNAMENT]["state"]["left"] == world.tournament.left
    assert shown[TOURNAMENT]["state"]["cancelling"]["author"] == "ops_1"
    assert shown["journal"]["n"] == world.n["wallet", "journal"]
    assert any(stream.startswith("tbl_") for stream in shown)


@pytest.mark.parametrize(
    ("at", "n"), [("5", 5), ("seq:{line}", 7), ("2100-01-01T00:00:00Z", 0), ("", 0)]
)
def test_the_state_is_that_of_any_version_number_or_moment(world, export, capsys, at, n):
    rows = export.read_bytes().splitlines()
    places = [i for i, row in enumerate(rows, 1) if decode(row).stream == TOURNAMENT]
    wanted = n or len(places)
    assert replay(export, stream=TOURNAMENT, at=at.format(line=places[n - 1])) == 0
    (shown,) = told(capsys)
    assert shown["n"] == wanted
    assert shown["commit_hash"] == hash_of(rows[places[wanted - 1] - 1]).hex()


def test_a_moment_between_two_commits_is_the_state_after_the_first(world, export, capsys):
    commits = [decode(row) for row in export.read_bytes().splitlines()]
    moments = sorted({commit.at for commit in commits if commit.stream == TOURNAMENT})
    last = max(c.n for c in commits if c.stream == TOURNAMENT and c.at <= moments[1])
    assert replay(export, stream=TOURNAMENT, at=moments[1]) == 0
    assert told(capsys)[0]["n"] == last


def test_another_process_with_another_hash_seed_folds_the_same_state_and_sheet(world, export):
    found = []
    for seed in ("1", "2"):
        environ = {**os.environ, "PYTHONHASHSEED": seed}
        found.append(
            [
                subprocess.run(
                    [sys.executable, "-c", MAIN, *words],
                    env=environ,
                    check=True,
                    capture_output=True,
                ).stdout
                for words in (
                    ("replay", str(export), "--hashes"),
                    ("tournament", "sheet", TOURNAMENT, "--from-file", str(export), "-o", "json"),
                )
            ]
        )
    assert found[0] == found[1]
    hashes, document = found[0]
    assert len(hashes.splitlines()) == len(world.commits)
    read = msgspec.json.decode(document)
    assert read["sheet_hash"] == world.tournament.cancelling.sheet_hash
    assert read["stage"] == "final"


def test_two_builds_are_compared_up_to_the_first_commit_where_they_differ(export, tmp_path, capsys):
    assert replay(export, hashes=True) == 0
    lines = capsys.readouterr().out.splitlines()
    other = tmp_path / "hashes"
    other.write_text("\n".join(lines))
    assert replay(export, compare=other) == 0
    assert capsys.readouterr().out == "the same state after every commit\n"
    for place in (40, 20):
        stream, n, commit, _ = lines[place].split(" ")
        lines[place] = f"{stream} {n} {commit} {'0' * 64}"
    other.write_text("\n".join(lines))
    assert replay(export, compare=other) == 1
    where = " ".join(lines[20].split(" ")[:2])
    assert capsys.readouterr().out.startswith(f"{where}: the states differ")


def test_what_is_saved_is_the_stream_byte_for_byte(world, export, tmp_path, capsys):
    copy = tmp_path / "one"
    assert replay(export, stream=TOURNAMENT, save=copy) == 0
    capsys.readouterr()
    assert sheet(TOURNAMENT, output="csv", from_file=copy) == 0
    rows = capsys.readouterr().out.split("\r\n")
    assert rows[0].startswith("player,table,seat,chips,")
    assert len([row for row in rows if row]) == 1 + world.tournament.left


def test_a_stream_with_a_hole_or_a_changed_commit_is_not_folded(export, tmp_path, capsys):
    rows = [row for row in export.read_bytes().splitlines() if decode(row).stream == TOURNAMENT]
    broken = tmp_path / "broken"
    for lines, why in (
        (rows[1:], "begins with 2"),
        (rows[:3] + rows[4:], "goes on from 3 to 5"),
        ([rows[0], encode(msgspec.structs.replace(decode(rows[1]), at="x")), rows[2]], "after"),
    ):
        broken.write_bytes(b"\n".join(lines))
        assert replay(broken) == 1
        assert why in capsys.readouterr().err
    assert replay(export, stream=TOURNAMENT, at="9999") == 1
    assert "ends with" in capsys.readouterr().err


@pytest.mark.parametrize("text", ["x", "-1", "seq:", "seq:x", "2026-11-30T09:00:00", "99:99"])
def test_a_place_that_cannot_be_read_is_named(text):
    with pytest.raises(SettingsError, match="--at"):
        until(text)
    assert until("seq:12") == Until(number=12)


def test_what_is_no_log_is_said(tmp_path):
    nothing = tmp_path / "nothing"
    with pytest.raises(SettingsError, match="No such file"):
        replay(nothing)
    nothing.write_text("{}\n")
    with pytest.raises(SettingsError, match="line 1"):
        replay(nothing)
    with pytest.raises(SettingsError, match="name a file"):
        replay()


def test_steps_carry_the_state_after_each_commit(world):
    (rows,) = [
        copy.rows for line, copy in copies_of(world.commits).items() if line.service == "director"
    ]
    states = [step.state for step in steps(TOURNAMENT, rows)]
    assert states[-1] == world.tournament
    assert states[0].phase == "registering"
