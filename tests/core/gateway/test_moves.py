"""What a player says, written as the table's request: who says it comes from the token alone."""

import msgspec
import pytest

from services.gateway.shell.moves import AnyMove, AnyWord, command_of
from shared.contracts.table import Call, Check, Fold, GiveSeed, Muck, RaiseTo, Show

SAID = {"hand": "hnd_1_1_1", "decision": 3}
MEANT = {**SAID, "player": "ply_a"}

ROWS = [
    # what is said, what is meant
    ({"do": "fold"}, Fold(**MEANT)),
    ({"do": "check"}, Check(**MEANT)),
    ({"do": "call"}, Call(**MEANT)),
    ({"do": "raise", "to_chips": 60}, RaiseTo(**MEANT, to_chips=60)),
    ({"do": "show"}, Show(**MEANT)),
    ({"do": "muck"}, Muck(**MEANT)),
]


@pytest.mark.parametrize(("said", "meant"), ROWS, ids=[row[0]["do"] for row in ROWS])
def test_a_move_becomes_the_players_own_request(said, meant):
    move = msgspec.convert({**SAID, **said}, AnyMove)
    assert command_of(move, "ply_a") == meant


def test_a_seed_travels_as_base64():
    said = msgspec.convert({"do": "seed", "hand": "hnd_1_1_1", "seed": "AAEC"}, AnyWord)
    assert command_of(said, "ply_a") == GiveSeed(
        hand="hnd_1_1_1", player="ply_a", seed=b"\x00\x01\x02"
    )


@pytest.mark.parametrize("said", [{"do": "allin"}, {"do": "fold", "player": "ply_b"}, {}])
def test_what_nobody_may_say_is_malformed(said):
    with pytest.raises(msgspec.ValidationError):
        msgspec.convert({**SAID, **said}, AnyMove)
