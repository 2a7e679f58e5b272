"""BH-SATELLITE with BH-REBUY and late entries: the close fixes how many win, and may end it."""

from msgspec.structs import replace

from services.director.core.rollforward.cutting import sheet_now
from shared.contracts.director import (
    AddOn,
    CancelTournament,
    DeclineRebuy,
    EntriesClosed,
    HandForHandBegan,
    PlayerEliminated,
    PrizeDue,
    Rebuy,
    Register,
    SatellitePrizes,
    TournamentFinished,
)
from tests.core.director.director_play import of, places
from tests.rulebook.buying import ADD_ON, REBUY, A, B, C, buys, late, rebuys, to_level

TARGET = "trn_grand_final"
HALF = SatellitePrizes(winners=5_000, target=TARGET)


def won(events):
    return {
        due.place: (due.player, due.amount_cents, due.ticket_for) for due in of(PrizeDue, events)
    }


def closed_of(play):
    (closed,) = of(EntriesClosed, play.events)
    return closed


def test_bh_satellite_while_anything_is_sold_nobody_has_won_and_nothing_stops():
    """BH-SATELLITE: two are left of four, half of whom win, and it goes on until the close."""
    play = late(4, prizes=HALF)
    play.end_hand(1, ply_001=0)
    events = play.end_hand(1, ply_002=0)
    assert play.state.left == 2
    assert not of((PrizeDue, PlayerEliminated, HandForHandBegan, TournamentFinished), play.events)
    assert play.tables["tbl_0001_1"].hand in events
    to_level(play, 3)
    assert closed_of(play).prizes_cents == (2_000, 2_000)
    assert not of(TournamentFinished, play.events), "the hand is played to its end"
    play.end_hand(1)
    assert won(play.events) == {1: ("ply_003", 2_000, TARGET), 2: ("ply_004", 2_000, TARGET)}
    assert places(play.events) == {"ply_001": 4, "ply_002": 3}
    assert play.state.phase == "finished"


def test_bh_satellite_at_rest_the_close_ends_it_at_once():
    """BH-SATELLITE: the last hand of the period leaves no more than there are prizes."""
    play = late(4, prizes=HALF, level_ms=0, level_hands=1, late_levels=1, reentries=0)
    events = play.end_hand(1, ply_001=0, ply_002=0)
    assert of((EntriesClosed, TournamentFinished), events) == [closed_of(play), events[-1]]
    assert len(won(events)) == 2


def test_bh_satellite_a_fixed_prize_counts_the_whole_pool_rebuys_and_add_ons_included():
    """BH-SATELLITE: n = floor(pool / prize), rebuys included: 40 + 8 + 5 euros are two of 25."""
    play = rebuys(prizes=SatellitePrizes(prize_cents=2_500, target=TARGET))
    play.end_hand(1, ply_001=0)
    buys(play, Rebuy(player=A))
    play.end_hand(1)
    buys(play, AddOn(player=B))
    to_level(play, 3)
    play.end_hand(1)
    assert closed_of(play).prizes_cents == (2_500, 2_500, 300)
    play.end_hand(1, ply_001=0)
    play.end_hand(1, ply_002=0)
    assert won(play.events) == {
        1: ("ply_003", 2_500, TARGET),
        2: ("ply_004", 2_500, TARGET),
        3: ("ply_002", 300, ""),
    }


def test_bh_satellite_rebuys_do_not_raise_the_number_of_winners_by_percentage():
    """BH-REBUY: they raise the pool, not the number of paid places."""
    play = rebuys(prizes=HALF, add_on=None)
    play.end_hand(1, ply_001=0)
    buys(play, Rebuy(player=A))
    to_level(play, 2)
    play.end_hand(1)
    assert closed_of(play).prizes_cents == (2_400, 2_400)


def test_bh_satellite_re_entries_raise_it():
    """BH-SATELLITE: n = floor(p × entries), of which the third is a re-entry."""
    play = late(3, prizes=SatellitePrizes(winners=6_000), late_levels=1)
    play.end_hand(1, ply_001=0)
    buys(play, Register(player=A))
    play.answer_all_draws()
    to_level(play, 2)
    assert (closed_of(play).entries, closed_of(play).players) == (4, 3)
    assert closed_of(play).prizes_cents == (2_000, 2_000)
    assert sorted(won(play.end_hand(1, ply_002=0))) == [1, 2]
    assert play.state.phase == "finished"


def test_bh_satellite_never_wins_everybody_whatever_is_bought():
    """BH-SATELLITE: 28 euros would be two prizes of 14 for two players; one wins both."""
    prizes = SatellitePrizes(prize_cents=1_400)
    play = rebuys(entries=2, seats=2, prizes=prizes, add_on=None)
    play.end_hand(1, ply_001=0)
    buys(play, Rebuy(player=A))
    to_level(play, 2)
    play.end_hand(1)
    assert closed_of(play).prizes_cents == (2_800,)
    assert play.state.phase == "running"
    assert won(play.end_hand(1, ply_001=0)) == {1: ("ply_002", 2_800, "")}


def test_bh_satellite_who_is_out_by_the_close_has_won_if_the_place_has_a_prize():
    """BH-SATELLITE: purchases make it two prizes when one is left; the last one out wins one."""
    play = rebuys(prizes=SatellitePrizes(prize_cents=2_000, target=TARGET), add_on=None)
    for player in (A, B, C):
        play.end_hand(1, **{player: 0})
    for player in (A, B, C):
        play.must(DeclineRebuy(player=player))
    assert closed_of(play).prizes_cents == (2_000, 2_000)
    assert won(play.events) == {1: ("ply_004", 2_000, TARGET), 2: ("ply_003", 2_000, TARGET)}
    assert places(play.events) == {"ply_001": 4, "ply_002": 3, "ply_003": 2}
    assert play.state.phase == "finished"


def test_bh_satellite_is_hand_for_hand_from_the_close_with_one_too_many():
    """PP-TIES: five are left at two tables for four prizes."""
    play = late(5, prizes=SatellitePrizes(prize_cents=1_250), late_levels=1, reentries=0)
    assert not of(HandForHandBegan, play.events)
    to_level(play, 2)
    (began,) = of(HandForHandBegan, play.events)
    assert began.players_left == 5
    assert play.state.prizes_cents == (1_250,) * 4


def test_bh_satellite_cancelled_while_it_sells_is_rf1_too():
    """BH-RF1: the price of an entry each; the rebuy is shared with the rest of the pool."""
    play = rebuys(prizes=HALF)
    play.end_hand(1, ply_001=0)
    buys(play, Rebuy(player=A))
    play.must(CancelTournament(author="ops", reason="fire"))
    sheet = sheet_now(play.state)
    assert (sheet.policy, sheet.certain, sheet.pool_cents) == ("big_holdem", "entry", 4_800)
    assert {line.certain_cents for line in sheet.players} == {1_100}
    assert sum(line.total_cents for line in sheet.players) == 4_800


def test_bh_satellite_nothing_is_held_against_terms_that_sell():
    """PP-LOBBY: all of it may be on sale."""
    play = late(4, prizes=HALF, rebuy=REBUY, add_on=replace(ADD_ON, until_level=1))
    assert play.state.selling
