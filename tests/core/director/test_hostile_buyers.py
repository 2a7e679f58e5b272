"""Who buys, busts or cancels at the worst moment gets nothing that is not paid for (BH-REBUY)."""

from msgspec.structs import replace

from services.director.core import awaiting
from shared.contracts.dealer import Drawn
from shared.contracts.director import (
    AddOn,
    BountyDue,
    CancelTournament,
    ChipsAssigned,
    DrawAwaited,
    EntriesClosed,
    EntryDeclined,
    PlayerBusted,
    PlayerRegistered,
    PrizeDue,
    Rebuy,
    RebuyGranted,
    RebuyLapsed,
    Register,
    SatellitePrizes,
    TournamentFinished,
)
from shared.contracts.message import OutageOver
from shared.kernel.decider import Refused
from tests.core.director.director_play import held, of, places, refusal
from tests.rulebook.buying import ADD_ON, A, B, C, D, buys, late, rebuys, to_level


def asks(play, request):
    """Ask for something whose price the wallet is slow to hold."""
    (asked,) = play.must(request)
    play.asked.remove(asked)
    return asked


def test_an_add_on_without_money_saves_nobody_and_no_outage_makes_a_rebuy_of_it():
    """BH-REBUY: out of the rebuys' period the chair is kept for the add-on alone."""
    play = rebuys(bounty_cents=300)
    to_level(play, 2)
    play.end_hand(1)
    asked = asks(play, AddOn(player=A))
    assert of(BountyDue, play.end_hand(1, by=(B,), ply_001=0))
    play.now_ms += 8_000
    play.must(OutageOver(down_from_ms=play.now_ms - 8_000, up_at_ms=play.now_ms))
    assert play.tell(Rebuy(player=A)) == Refused("purchase_pending")
    events = play.must(refusal(asked))
    assert [type(event) for event in events] == [RebuyLapsed, PlayerBusted]
    assert play.tell(Rebuy(player=A)) == Refused("rebuys_over", "they end with level 1")
    assert len(of(BountyDue, play.events)) == 1


def test_of_two_purchases_that_race_the_close_each_is_waited_for():
    """BH-REBUY: asked for in time is in time, whatever else ends first; later is too late."""
    play = rebuys(add_on=replace(ADD_ON, until_level=1))
    play.end_hand(1, ply_001=0)
    first, second = asks(play, AddOn(player=B)), asks(play, Rebuy(player=A))
    to_level(play, 2)
    assert play.tell(AddOn(player=C)) == Refused("add_ons_over", "they end with level 1")
    play.must(held(first))
    assert not of(EntriesClosed, play.end_hand(1))
    assert play.state.pending.get(A) is not None
    (granted, *_, closed) = of((RebuyGranted, EntriesClosed), play.must(held(second)))
    assert (granted.player, closed.pool_cents) == (A, 4_000 + 800 + 500)


def test_who_busts_on_purpose_before_the_close_gains_no_place_by_it():
    """BH-SATELLITE: the later out has the better place, on either side of the close."""
    play = late(5, seats=5, prizes=SatellitePrizes(prize_cents=1_500), reentries=0)
    play.end_hand(1, ply_001=0)
    assert play.tell(Register(player=A)) == Refused("reentry_limit_reached", "0 a player")
    to_level(play, 3)
    assert places(play.events) == {A: 5}
    play.end_hand(1, ply_002=0)
    assert places(play.events) == {A: 5, B: 4}
    won = {due.player: due.amount_cents for due in of(PrizeDue, play.events)}
    assert won == {B: 500, C: 1_500, D: 1_500, "ply_005": 1_500}
    assert isinstance(play.events[-1], TournamentFinished)


def test_cancelling_drops_a_chair_that_is_being_drawn_for_a_held_price():
    """The cut: nothing that is held becomes chips any more, not by a late answer either."""
    play = late(6)
    asked = asks(play, Register(player="ply_007"))
    (drawing,) = of(DrawAwaited, play.must(held(asked)))
    (declined,) = of(EntryDeclined, play.must(CancelTournament(author="ops", reason="fire")))
    assert declined.entry == asked.entry
    assert awaiting(play.state) is None
    assert play.tell(Drawn(draw="drw", order=tuple(range(len(drawing.candidates))))) == ()
    assert play.tell(held(asked)) == ()
    assert "ply_007" not in play.state.registered


def test_cancelling_releases_an_add_on_that_waits_for_the_end_of_a_hand():
    play = rebuys()
    asked = asks(play, AddOn(player=A))
    play.must(held(asked))
    (lapsed,) = of(RebuyLapsed, play.must(CancelTournament(author="ops", reason="fire")))
    assert lapsed.entry == asked.entry
    play.end_hand(1)
    assert not of((ChipsAssigned, RebuyGranted), play.events)


def test_who_asks_for_the_last_entry_twice_at_once_keeps_nobody_else_out_for_long():
    """PP-ENTRY: an entry asked for counts as sold until the wallet has spoken."""
    play = late(4, entries=5)
    asked = asks(play, Register(player="ply_005"))
    assert play.tell(Register(player="ply_005")) == Refused("already_registered")
    assert play.tell(Register(player="ply_006")) == Refused("tournament_full")
    play.must(refusal(asked))
    buys(play, Register(player="ply_006"))
    play.answer_all_draws()
    assert [one.player for one in of(PlayerRegistered, play.events)][-1] == "ply_006"
