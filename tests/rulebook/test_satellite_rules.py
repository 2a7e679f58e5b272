"""BH-SATELLITE: equal prizes, tickets in kind, the end when only winners are left; its RF1."""

import pytest
from hypothesis import given, strategies as st
from msgspec.structs import replace

from services.director.core import HaltReported, reasons
from services.director.core.prizes import full_prizes, prizes_in_cents
from services.director.core.rollforward.cutting import sheet_now
from services.director.core.terms import problems
from shared.contracts.director import (
    ApproveSheet,
    CancelTournament,
    EntryRequested,
    HandForHandBegan,
    PayoutDue,
    PrizeDue,
    Register,
    SatellitePrizes,
    SheetFinal,
    TournamentFinished,
)
from shared.contracts.table import TableHalted
from tests.core.director.director_play import TOURNAMENT, Play, of, places, terms

TARGET = "trn_grand_final"


def satellite(entries=6, seats=6, fee_cents=1_000, **prizes):
    return terms(
        entries=entries,
        seats=seats,
        fee_cents=fee_cents,
        prizes=SatellitePrizes(**prizes),
    )


def won(events):
    return [
        (due.place, due.player, due.amount_cents, due.ticket_for) for due in of(PrizeDue, events)
    ]


@pytest.mark.parametrize(
    ("case", "winners", "entries", "pool", "expected"),
    [
        ("floor of ten percent", 1_000, 29, 2_900, (1_450, 1_450)),
        ("at least one", 1_000, 9, 900, (900,)),
        ("the rest to the first without one", 3_000, 10, 1_000, (333, 333, 333, 1)),
        ("not a cent to win", 5_000, 4, 0, (0, 0)),
        ("a rest of more than a prize is prizes", 5_715, 7, 8, (2, 2, 2, 2)),
        ("and what is left of it", 5_715, 7, 7, (1, 1, 1, 1, 1, 1, 1)),
        ("a cent each at least", 9_000, 10, 3, (1, 1, 1)),
    ],
)
def test_bh_satellite_a_percentage_of_winners_shares_the_pool(
    case, winners, entries, pool, expected
):
    """BH-SATELLITE: n = floor(p × entries), at least 1; prize = floor(pool / n)."""
    assert prizes_in_cents(SatellitePrizes(winners=winners), entries, pool) == expected, case


forms = st.one_of(
    st.builds(SatellitePrizes, winners=st.integers(1, 9_999)),
    st.builds(SatellitePrizes, prize_cents=st.integers(1, 5_000)),
)
pools = st.one_of(st.integers(0, 100), st.integers(0, 100_000))


@given(forms, st.integers(2, 300), st.integers(0, 300), pools)
def test_bh_satellite_whatever_is_bought_every_cent_is_won(form, players, again, pool):
    """BH-SATELLITE, BH-WINNERS: by no more places than players, a better one never for less."""
    entries = players + again
    prizes = prizes_in_cents(form, entries, pool, players)
    assert sum(prizes) == pool
    assert list(prizes) == sorted(prizes, reverse=True)
    assert len(prizes) <= players
    winners = max(full_prizes(form, entries, pool, players), 1)
    assert winners < players
    assert prizes[0] - prizes[winners - 1] <= 1


def test_bh_satellite_cents_for_which_no_place_is_left_are_won_by_the_first():
    """BH-SATELLITE: of 29 cents for 7 players 6 win 4 and one 4; the last cent is the first's."""
    form = SatellitePrizes(winners=8_572)
    assert prizes_in_cents(form, 7, 28) == (4,) * 7
    assert prizes_in_cents(form, 7, 29) == (5,) * 5 + (4,)
    chosen = satellite(entries=7, seats=7, fee_cents=1, winners=8_572, target=TARGET)
    play = Play(replace(chosen, guarantee_cents=29)).begin()
    events = play.end_hand(1, ply_001=0)
    assert play.state.phase == "finished"
    assert [(cents, target) for _, _, cents, target in won(events)] == [
        *[(5, TARGET)] * 5,
        (4, TARGET),
    ]


@pytest.mark.parametrize(
    ("case", "prize", "entries", "pool", "expected"),
    [
        ("the original's: a euro for a seat of 100", 10_000, 250, 25_000, (10_000, 10_000, 5_000)),
        ("nothing is left over", 10_000, 200, 20_000, (10_000, 10_000)),
        ("too small for one: all to the first", 10_000, 60, 6_000, (6_000,)),
        ("somebody always gets none", 1_000, 3, 10_000, (5_000, 5_000)),
    ],
)
def test_bh_satellite_a_fixed_prize_as_often_as_the_pool_pays_it(
    case, prize, entries, pool, expected
):
    """BH-SATELLITE: n = floor(pool / prize), the rest to place n + 1."""
    assert prizes_in_cents(SatellitePrizes(prize_cents=prize), entries, pool) == expected, case


def test_bh_satellite_stops_when_the_last_without_a_prize_is_out_and_all_others_win():
    """BH-SATELLITE: six for two tickets of 25 euros, the rest of 10 euros to place 3."""
    play = Play(satellite(prize_cents=2_500, target=TARGET)).begin()
    play.end_hand(1, ply_001=0)
    play.end_hand(1, ply_002=0)
    play.end_hand(1, ply_003=0)
    assert play.state.phase == "running"
    events = play.end_hand(1, ply_004=0, ply_005=2_500)
    assert won(events) == [
        (3, "ply_004", 1_000, ""),
        (1, "ply_006", 2_500, TARGET),
        (2, "ply_005", 2_500, TARGET),
    ]
    (finished,) = of(TournamentFinished, events)
    assert [placing.place for placing in finished.places] == [1, 2, 3, 4, 5, 6]
    assert sum(placing.prize_cents for placing in finished.places) == 6_000
    assert {placing.place: placing for placing in finished.places} == dict(
        play.state.places.items()
    )


def test_bh_satellite_without_a_target_pays_in_money():
    """BH-SATELLITE."""
    play = Play(satellite(entries=2, seats=2, winners=5_000)).begin()
    events = play.end_hand(1, ply_001=0)
    assert won(events) == [(1, "ply_002", 2_000, "")]


def test_bh_satellite_a_pool_too_small_for_a_ticket_is_won_as_money_by_one():
    """BH-SATELLITE: nobody has a whole prize, so it is played to the end."""
    play = Play(satellite(entries=3, seats=3, prize_cents=9_000, target=TARGET)).begin()
    play.end_hand(1, ply_001=0)
    assert play.state.phase == "running"
    assert won(play.end_hand(1, ply_002=0)) == [(1, "ply_003", 3_000, "")]


def test_bh_satellite_more_busts_than_needed_are_ranked_by_pp_ties():
    """BH-SATELLITE, PP-TIES: three out at once with four left for two prizes; one of them wins."""
    play = Play(satellite(entries=4, seats=4, winners=5_000)).begin()
    play.end_hand(1, ply_001=900, ply_002=950, ply_003=800)
    events = play.end_hand(1, ply_001=0, ply_002=0, ply_003=0)
    assert places(events) == {"ply_003": 4, "ply_001": 3, "ply_002": 2}
    assert won(events) == [(2, "ply_002", 2_000, ""), (1, "ply_004", 2_000, "")]


def two_tables(entries=8, commission_cents=100, **prizes):
    """Eight at two tables; tables are left alone while sizes allow it."""
    chosen = satellite(entries=entries, seats=4, **prizes)
    return Play(replace(chosen, commission_cents=commission_cents)).begin()


def test_bh_satellite_is_hand_for_hand_from_prizes_and_one_left():
    """PP-TIES: six prizes; with seven left, the rest of the pool notwithstanding."""
    play = two_tables(prize_cents=1_300)
    assert play.state.prizes_cents == (1_300,) * 6 + (200,)
    assert of(HandForHandBegan, play.end_hand(1, ply_001=500)) == []
    (began,) = of(HandForHandBegan, play.end_hand(1, ply_001=0))
    assert began.players_left == 7
    play.end_hand(2)
    play.arrive()
    play.end_hand(1, ply_002=0)
    assert play.state.left == 7, "the round is not over"
    events = play.end_hand(2, ply_005=0)
    assert sorted(places(events).values()) == [6, 7]
    assert isinstance(events[-1], TournamentFinished)
    assert len(of(PrizeDue, events)) == 7


def test_bh_satellite_ties_across_tables_share_in_money():
    """BH-SATELLITE, PP-TIES: half a ticket and half the rest are no ticket."""
    play = two_tables(prize_cents=1_300, target=TARGET)
    play.end_hand(1, ply_001=0)
    play.end_hand(2)
    play.end_hand(1, ply_003=0)
    play.end_hand(2, ply_005=0)
    events = play.answer_draw()
    shared = [due for due in won(events) if due[0] in (6, 7)]
    assert sorted((place, cents, target) for place, _, cents, target in shared) == [
        (6, 750, ""),
        (7, 750, ""),
    ]
    assert all(target == TARGET for place, _, _, target in won(events) if place < 6)


def test_bh_satellite_waits_for_hands_that_are_still_played_when_it_is_decided():
    """BH-SATELLITE: two out at once leave six for six prizes, while the other table plays."""
    play = two_tables(winners=7_500)
    events = play.end_hand(1, ply_001=0, ply_002=0)
    assert play.state.left == 6
    assert not of(TournamentFinished, events)
    assert reasons(play.state) == (("tbl_0001_1", "over: others_play"),)
    ended = play.end_hand(2, ply_005=0)
    assert places(ended) == {"ply_005": 6}
    assert isinstance(ended[-1], TournamentFinished)
    assert {due.amount_cents for due in of(PrizeDue, ended)} == {1_333}


def test_bh_satellite_cancelled_is_always_rf1_and_no_tickets():
    """BH-RF1: the price of the entry, and the residual by chips, whatever the rule set."""
    play = Play(
        terms(
            rule_set="tda",
            entries=3,
            seats=3,
            prizes=SatellitePrizes(prize_cents=1_500, target=TARGET),
        )
    ).begin()
    play.end_hand(1, ply_001=500)
    play.must(CancelTournament(author="ope_1", reason="broken"))
    sheet = sheet_now(play.state)
    assert (sheet.policy, sheet.certain, sheet.operator_top_up_cents) == (
        "big_holdem",
        "entry",
        300,
    )
    assert [line.total_cents for line in sheet.players] == [1_100, 1_100, 1_100]


def test_bh_satellite_cancelled_with_a_prize_paid_takes_from_the_pool_what_is_left():
    """BH-RF1: 8,000 cents less prizes of 1,333 and 2; the operator pays what five prices lack."""
    play = two_tables(winners=7_500, commission_cents=1_000)
    play.end_hand(1, ply_001=0, ply_002=0)
    play.must(CancelTournament(author="ope_1", reason="broken"))
    play.end_hand(2, ply_005=0)
    for table in tuple(play.state.tables.values()):
        halted = TableHalted(tournament=TOURNAMENT, table=table.table, hand="", seats=table.seats)
        play.must(HaltReported(halted, "table-1", len(play.events)))
    (final,) = of(SheetFinal, play.events)
    due = of(PayoutDue, play.must(ApproveSheet(author="ope_2", sheet_hash=final.sheet_hash)))
    assert sum(line.pool_cents for line in due) == 8_000 - 1_333 - 2
    assert sum(line.pool_cents + line.top_up_cents for line in due) == 5 * 2_000


@pytest.mark.parametrize(
    ("prizes", "problem"),
    [
        ({}, "exactly one of winners and prize_cents is given"),
        ({"winners": 1_000, "prize_cents": 5_000}, "exactly one of winners and prize_cents"),
        ({"winners": 10_000}, "winners is from 0 to 9999"),
        ({"prize_cents": -1}, "prize_cents is from 0"),
        ({"prize_cents": 1_000}, "a fixed prize is more than the fee"),
        ({"prize_cents": 1_500}, "the guarantee alone would pay one to everybody"),
        ({"winners": 1_000, "target": "grand final"}, "target is the id of a tournament"),
    ],
)
def test_bh_satellite_terms_that_contradict_themselves_are_refused(prizes, problem):
    """PP-LOBBY."""
    chosen = terms(guarantee_cents=6_000, prizes=SatellitePrizes(**prizes))
    assert any(problem in found for found in problems(chosen))


def test_bh_satellite_an_entry_may_be_asked_for_by_ticket():
    """BH-SATELLITE: which one it is, and what it is worth, the wallet knows."""
    play = Play(terms())
    (asked,) = of(EntryRequested, play.must(Register(player="ply_a", ticket="trn_s/1")))
    assert asked.ticket == "trn_s/1"
