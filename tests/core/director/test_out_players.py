"""Players who are Out (PP-OUT): they keep seat and chips, also on the way to another table."""

from msgspec.structs import replace

from services.director.core import HandReported
from shared.contracts.director import HandCleared, SeatAssigned
from tests.core.director.director_play import Play, of, terms

PAUSE_WHERE_ALL_ARE_OUT_MS = 1_000


def test_pp_out_a_table_of_nobody_present_plays_a_hand_a_second_at_most():
    play = Play(terms(entries=3, seats=3, pause_ms=0)).begin()
    (cleared,) = of(HandCleared, play.end_hand(1, out=("ply_001", "ply_002", "ply_003")))
    assert cleared.not_before_ms == play.now_ms + PAUSE_WHERE_ALL_ARE_OUT_MS
    (cleared,) = of(HandCleared, play.end_hand(1, out=("ply_001", "ply_002")))
    assert cleared.not_before_ms == play.now_ms


def test_pp_out_a_moved_player_stays_out():
    play = Play(terms(entries=4, seats=2, pause_ms=0)).begin()
    play.end_hand(1, ply_001=0)
    play.end_hand(2, ply_003=0)
    play.answer_all_draws()
    (vacated,) = play.vacated
    play.vacated = [replace(vacated, out=True)]
    events = play.arrive()
    (assigned,) = of(SeatAssigned, events)
    assert (assigned.player, assigned.out) == (vacated.player, True)
    assert vacated.player in play.state.tables[assigned.table].outs
    (table,) = play.tables.values()
    stacks = dict(table.stacks)
    report = HandReported(table.end_hand(stacks, tuple(stacks)), "table-1", 99)
    (cleared,) = of(HandCleared, play.must(report))
    assert cleared.not_before_ms == play.now_ms + PAUSE_WHERE_ALL_ARE_OUT_MS
