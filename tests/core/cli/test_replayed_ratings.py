"""The ratings replayed: the stream is told by its name, and folds to what its owner had."""

import msgspec
import pytest

from services.cli.replay import replay
from services.cli.replay.kinds import kind_of
from services.ranking.core import Ranking
from shared.contracts.commit import Actor, Cause, Commit, encode, hash_of, moment, raw
from shared.runtime.settings import SettingsError
from tests.core.ranking.finishing import AT_MS, answered, finished, rating, stepped


def test_ratings_are_folded_to_what_their_owner_had(tmp_path, capsys):
    asked, ranking = stepped(Ranking(), finished(("ply_ann", "ply_bea")))
    rated, ranking = answered(ranking)
    file = tmp_path / "log"
    first = commit(1, asked)
    file.write_bytes(first + b"\n" + commit(2, rated, hash_of(first).hex()) + b"\n")
    assert replay(file, stream="ratings") == 0
    (shown,) = [msgspec.json.decode(line) for line in capsys.readouterr().out.splitlines()]
    standings = shown["state"]["standings"]
    assert {player: one["rating"] for player, one in standings.items()} == {
        player: rating(ranking, player) for player in ("ply_ann", "ply_bea")
    }


def commit(n, events, prev="") -> bytes:
    return encode(
        Commit(
            stream="ratings",
            n=n,
            at=moment(AT_MS),
            by=Actor("service", "ranking"),
            cause=Cause(timer="test"),
            saga=None,
            build="test",
            prev=prev,
            events=tuple(map(raw, events)),
        )
    )


def test_streams_are_told_by_their_names():
    assert kind_of("ratings").service == "ranking"
    assert kind_of("journal").service == "wallet"
    for name in ("ratings_2", "journals", "rati", ""):
        with pytest.raises(SettingsError, match="journal or ratings"):
            kind_of(name)
