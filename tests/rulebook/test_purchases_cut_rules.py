"""What becomes of purchases when a tournament is given up: the cut, PP-ROLLFORWARD."""

import pytest

from services.director.core import HaltReported
from services.director.core.rollforward.cutting import sheet_now
from shared.contracts.director import (
    AddOn,
    CancelTournament,
    ChipsAssigned,
    EntryDeclined,
    PauseTournament,
    PlayerBusted,
    Rebuy,
    RebuyLapsed,
    Register,
    WithdrawCancellation,
)
from shared.contracts.table import TableHalted
from tests.core.director.director_play import (
    TOURNAMENT,
    of,
)
from tests.rulebook.buying import (
    ADD_ON,
    REBUY,
    A,
    B,
    C,
    D,
    buys,
    chips_of,
    late,
    rebuys,
)


def test_the_cut_declines_what_is_pending_and_an_open_offer_is_out():
    """The cut: paid without chips there is nothing, since chips come with the price."""
    play = late(4, rebuy=REBUY, add_on=ADD_ON, reentries=0)
    play.end_hand(1, ply_002=0)
    buys(play, AddOn(player=A))
    play.must(Register(player="ply_005"))
    opened = play.must(CancelTournament(author="ops", reason="fire"))
    assert [event.player for event in of(RebuyLapsed, opened)] == [A]
    assert [event.player for event in of(EntryDeclined, opened)] == ["ply_005"]
    assert [event.player for event in of(PlayerBusted, opened)] == [B]
    assert not play.state.pending
    assert {line.player for line in sheet_now(play.state).players} == {A, C, D}


def test_the_cut_a_halt_told_after_the_withdrawal_holds_bought_chips_back():
    """The cut: what the table has when it halts is what the director knows."""
    play = rebuys()
    play.must(PauseTournament(author="ops", reason="smoke"))
    play.end_hand(1)
    (table,) = play.state.tables.values()
    play.must(CancelTournament(author="ops", reason="fire"))
    play.must(WithdrawCancellation(author="ops", reason="a drill"))
    assert not of(ChipsAssigned, buys(play, AddOn(player=A)))
    told = TableHalted(tournament=TOURNAMENT, table=table.table, hand="", seats=table.seats)
    events = play.must(HaltReported(told, "table-1", len(play.events)))
    assert of(ChipsAssigned, events)
    assert chips_of(play, A) == 3_000


@pytest.mark.parametrize(("rule_set", "back"), [("tda", 180), ("peoples_poker", 180)])
def test_pp_rollforward_the_commission_of_all_that_a_player_bought_comes_back(rule_set, back):
    """PP-ROLLFORWARD, TDA-ROLLFORWARD: of the entry, 100, and of the rebuy, 80."""
    play = rebuys(rule_set=rule_set)
    play.end_hand(1, ply_002=0)
    buys(play, Rebuy(player=B))
    lines = {line.player: line for line in sheet_now(play.state).players}
    assert lines[B].commission_cents == back
    assert lines[A].commission_cents == 100
    assert sum(line.chips for line in lines.values()) == 5_500
