"""Late entries and re-entries: PP-ENTRY, BH-STANDARD, the guarantee."""

import pytest

from services.director.core import chips_in_play, reasons
from services.director.core.prizes import standard_shares
from shared.contracts.director import (
    DrawAwaited,
    EntriesClosed,
    EntryAdmitted,
    EntryDeclined,
    EntryFunded,
    EntryRequested,
    GuaranteeDue,
    HandForHandBegan,
    PlayerEliminated,
    PlayerRegistered,
    PriceHeld,
    Register,
    TableFormed,
)
from shared.contracts.message import TimerFired
from shared.contracts.ranking import EntryRated
from shared.kernel.decider import Refused
from tests.core.director.director_play import (
    TOURNAMENT,
    Play,
    held,
    of,
    places,
    players_named,
    refusal,
    terms,
)
from tests.rulebook.buying import AT, A, buys, late, to_level


def test_pp_entry_late_ones_draw_a_chair_of_the_shortest_table():
    """PP-ENTRY: entering stays possible as the terms say, and chips come with the price."""
    play = late(6)
    play.end_hand(2, ply_006=0)
    held_, asked = buys(play, Register(player="ply_007"))
    assert isinstance(held_, PriceHeld)
    assert isinstance(asked, DrawAwaited)
    assert asked.purpose == "late ply_007"
    assert asked.candidates == ("tbl_0001_2/3", "tbl_0001_2/4")
    assert not of(PlayerRegistered, play.commits[-1])
    _, entered, seated = play.answer_draw((1, 0))[:3]
    assert isinstance(entered, PlayerRegistered)
    assert (seated.table, seated.seat, seated.stack_chips) == ("tbl_0001_2", 4, 1_000)
    assert chips_in_play(play.state) == 7_000
    assert play.state.left == 6


def test_pp_entry_when_no_chair_is_free_another_table_opens_and_is_filled_up():
    """PP-ENTRY, BH-BALANCE: then the rule set's moves even the tables out."""
    play = late(4)
    _, entered, formed = buys(play, Register(player="ply_005"))[:3]
    assert isinstance(entered, PlayerRegistered)
    assert isinstance(formed, TableFormed)
    assert (formed.number, [seat.player for seat in formed.seats]) == (2, ["ply_005"])
    assert dict(reasons(play.state))["tbl_0001_2"] == "too_few_players"
    play.end_hand(1)
    play.arrive()
    assert [table.size for table in play.state.tables.open] == [3, 2]


def test_pp_entry_is_possible_until_the_level_is_over_and_as_long_as_entries_are_left():
    """PP-ENTRY."""
    play = late(7, reentries=0)
    assert play.tell(Register(player=A)) == Refused("already_registered")
    (asked,) = play.must(Register(player="ply_008"))
    assert play.tell(Register(player="ply_009")) == Refused("tournament_full")
    play.must(refusal(asked))
    to_level(play, 2)
    play.now_ms = play.state.level_ends_ms - 1
    assert isinstance(play.must(Register(player="ply_009"))[0], EntryRequested)
    play.now_ms += 1
    assert play.tell(Register(player="ply_010")) == Refused("not_registering")


def test_pp_entry_prizes_follow_from_the_entries_at_the_close():
    """BH-STANDARD: number and shares depend on entries, late ones included."""
    play = late(6)
    play.end_hand(2, ply_006=0)
    buys(play, Register(player="ply_007"))
    play.answer_all_draws()
    play.end_hand(2, ply_005=0)
    assert not of(PlayerEliminated, play.events)
    assert not of(HandForHandBegan, play.events)
    to_level(play, 3)
    (closed,) = of(EntriesClosed, play.events)
    assert (closed.entries, closed.players, closed.pool_cents) == (7, 7, 7_000)
    assert closed.prizes_cents == (3_325, 2_100, 1_575)
    assert places(play.events) == {"ply_006": 7, "ply_005": 6}


def test_pp_entry_what_lacks_of_the_guarantee_is_due_at_the_close():
    """Guarantee: the pool is what was collected, or more."""
    play = late(6, guarantee_cents=9_000)
    assert not of(GuaranteeDue, play.events)
    buys(play, Register(player="ply_007"))
    play.answer_all_draws()
    to_level(play, 3)
    (due,) = of(GuaranteeDue, play.events)
    assert due.amount_cents == 2_000


def test_pp_entry_who_is_out_enters_again_as_often_as_the_terms_say():
    """PP-ENTRY: a re-entry is an entry; the player has one place, that of the last time out."""
    play = late(6)
    play.end_hand(2, ply_006=0)
    buys(play, Register(player="ply_006"))
    play.answer_all_draws()
    play.end_hand(1, ply_001=0)
    play.end_hand(2)
    play.arrive()
    play.end_hand(2, ply_006=0)
    assert play.tell(Register(player="ply_006")) == Refused("reentry_limit_reached", "1 a player")
    to_level(play, 3)
    play.answer_all_draws()
    (closed,) = of(EntriesClosed, play.events)
    assert (closed.entries, closed.players) == (7, 6)
    assert places(play.events) == {"ply_001": 6, "ply_006": 5}


@pytest.mark.parametrize("money_first", [True, False])
def test_pp_levelgate_a_late_entry_comes_with_money_and_rating_only(money_first):
    """PP-LEVELGATE: the chair is drawn once both are there, in any order."""
    play = gated()
    (asked,) = play.must(Register(player="ply_007"))
    assert (asked.rating_min, asked.rating_max) == (251, 500)
    facts = [held(asked), rated(asked, 300)]
    first, then = play.must(facts[not money_first]), play.must(facts[money_first])
    assert [type(one) for one in first] == [EntryFunded if money_first else EntryAdmitted]
    assert isinstance(then[-1], DrawAwaited)
    play.answer_draw()
    assert play.state.left == 4
    assert "ply_007" in play.state.registered


@pytest.mark.parametrize("money_first", [True, False])
def test_pp_levelgate_a_late_entry_outside_the_range_is_declined(money_first):
    """PP-LEVELGATE: the price is released, and the player may not come."""
    play = gated()
    (asked,) = play.must(Register(player="ply_007"))
    if money_first:
        play.must(held(asked))
    (declined,) = play.must(rated(asked, 250))
    assert isinstance(declined, EntryDeclined)
    assert declined.reason == "rating_too_low"
    assert play.must(held(asked)) == ()
    assert not play.state.pending


def gated():
    """Three of the range at a table for four, and it has begun."""
    gate = {"rating_min": 251, "rating_max": 500}
    play = Play(terms(entries=8, seats=4, start_at_ms=AT, late_levels=2, **gate))
    for player in players_named(3):
        (asked,) = play.must(Register(player=player))
        play.must(rated(asked, 300))
        play.must(held(asked))
    play.now_ms = AT
    play.must(TimerFired(name="start"))
    return play.answer_all_draws()


def rated(asked, rating):
    return EntryRated(tournament=TOURNAMENT, entry=asked.entry, player=asked.player, rating=rating)


def test_bh_standard_no_more_places_are_paid_than_there_are_players():
    """BH-STANDARD: two players with nine entries are paid one place, not three."""
    assert len(standard_shares(9)) == 3
    assert standard_shares(9, 2) == standard_shares(6)
    assert standard_shares(9, 3) == standard_shares(9)


def test_pp_entry_the_final_table_of_tda_waits_until_entries_are_closed():
    """Tda: before that, `seats` is what counts."""
    play = late(5, rule_set="tda")
    assert len(play.state.tables.open) == 2
    to_level(play, 3)
    play.end_hand(1)
    play.end_hand(2)
    play.answer_all_draws()
    play.arrive()
    assert [table.size for table in play.state.tables.open] == [5]
