"""Players of two tables are out together, and a disaster comes before their tie is drawn."""

import asyncio
from hashlib import sha256

import msgspec
import pytest

from services.cli.database.command import migrate
from services.cli.tournament import interrupted
from services.cli.tournament.command import cancel
from services.cli.tournament.desk import Desk
from services.dealer.shell.vault import write_new_key
from shared.runtime.adapters.reading import patient_stores
from shared.runtime.ports import Line, NewCommit
from tests.bench.cancelling import rows_of
from tests.core.director.director_play import TOURNAMENT, Play, equal_winners, terms

LINE = Line("director", 0)
WHY = "the machine hall is gone"


def tied():
    """A round of hand for hand in which one is out at either table."""
    chosen = terms(entries=6, seats=3, rule_set="tda", prizes=equal_winners(5))
    play = Play(chosen).begin()
    play.end_hand(1, ply_001=0)
    play.end_hand(2, ply_004=0)
    assert play.state.question.purpose.startswith("tie")
    return play


@pytest.fixture
def operators(dsn, tmp_path, monkeypatch):
    """Two of them, the database, and nothing else."""
    pairs = []
    for name in ("anna", "ben"):
        (tmp_path / name).write_text(f"{name}-0123456789abcdef")
        pairs.append(f"{name}=sha256:{sha256((tmp_path / name).read_bytes()).hexdigest()}")
    monkeypatch.setenv("ROLLFORWARD_GATEWAY_OPERATORS", ",".join(pairs))
    monkeypatch.setenv("DATABASE_URL", dsn)
    assert migrate() == 0
    commits = [
        NewCommit(TOURNAMENT, row.n, "m", row.data) for row in rows_of(TOURNAMENT, tied().commits)
    ]

    async def write():
        with patient_stores(dsn, [LINE]) as stores:
            await stores[LINE].append(commits)

    asyncio.run(write())
    return [Desk(token_file=tmp_path / name) for name in ("anna", "ben")]


def sheet(capsys):
    capsys.readouterr()
    assert interrupted.sheet(TOURNAMENT, output="json", from_log=True) == 0
    return msgspec.json.decode(capsys.readouterr().out)


def test_the_tie_is_drawn_where_the_vault_key_is(operators, tmp_path, monkeypatch, capsys):
    anna, ben = operators
    write_new_key(tmp_path / "vault.key")
    monkeypatch.setenv("ROLLFORWARD_DEALER_VAULT_KEY_FILE", str(tmp_path / "vault.key"))
    assert cancel(TOURNAMENT, reason=WHY, on_log=True, desk=anna) == 0
    left = interrupted.leave_out(TOURNAMENT, reason=WHY, all_waiting=True, on_log=True, desk=anna)
    assert left == 0
    found = sheet(capsys)
    assert (found["stage"], len(found["players"])) == ("final", 4)
    sheet_hash = found["sheet_hash"]
    assert interrupted.approve(TOURNAMENT, sheet_hash, on_log=True, desk=anna) == 1
    assert interrupted.approve(TOURNAMENT, sheet_hash, on_log=True, desk=ben) == 0
    assert sheet(capsys)["stage"] == "approved"


def test_without_it_the_sheet_waits(operators, capsys):
    anna, ben = operators
    assert cancel(TOURNAMENT, reason=WHY, on_log=True, desk=anna) == 0
    left = interrupted.leave_out(TOURNAMENT, reason=WHY, all_waiting=True, on_log=True, desk=anna)
    assert left == 0
    found = sheet(capsys)
    assert (found["stage"], found["waiting"]) == ("halting", [])
    assert interrupted.approve(TOURNAMENT, found["sheet_hash"], on_log=True, desk=ben) == 1
    assert "sheet_not_final" in capsys.readouterr().err
