"""Rules of tournaments, rulebook §5, with the rulebook's own examples."""

from collections import Counter

import pytest
from hypothesis import given, strategies as st

from services.director.core import DECIDER, awaiting, reasons
from services.director.core.balancing import seat_to_fill, shortness
from services.director.core.positions import mover_in_same_position
from services.director.core.prizes import prizes_in_cents, split, standard_shares
from services.director.core.seating import table_sizes
from services.director.core.state import Positions, Table, Vacancy
from shared.contracts.director import (
    CreateTournament,
    EntryRequested,
    HandCleared,
    HandForHandBegan,
    MoveDecided,
    PlayerEliminated,
    PlayerRegistered,
    PlayerUnregistered,
    PrizeDue,
    Register,
    StandardPrizes,
    TableBroken,
    TournamentCreated,
    TournamentFinished,
    TournamentStarted,
    Unregister,
)
from shared.contracts.table import SeatStack
from shared.kernel.decider import Refused
from shared.poker.rule_sets import BIG_HOLDEM
from tests.core.director.director_play import (
    START_MS,
    TOURNAMENT,
    Play,
    equal_winners,
    held,
    players_named,
    terms,
    winners,
)

ONE_PRIZE = winners(10_000)


def of(kind, events):
    return [event for event in events if isinstance(event, kind)]


def sizes(play):
    return sorted((table.size for table in play.state.open_tables), reverse=True)


def places(events):
    return {event.player: event.place for event in of(PlayerEliminated, events)}


def moved(events):
    return [(move.player, move.to_table[-1], move.to_seat) for move in of(MoveDecided, events)]


def cleared(events):
    return [event.table[-1] for event in of(HandCleared, events)]


# --- entries --------------------------------------------------------------------------------


def test_pp_lobby_all_terms_stand_before_anyone_pays():
    play = Play(terms())
    assert play.events == [
        TournamentCreated(tournament=TOURNAMENT, terms=terms(), rule_set=BIG_HOLDEM)
    ]
    refused = DECIDER.decide(
        DECIDER.initial,
        CreateTournament(tournament=TOURNAMENT, terms=terms(seats=1, entries=1)),
        START_MS,
    )
    assert refused == Refused("terms_invalid", "entries is from 2 to 10000; seats is from 2 to 10")


def test_pp_entry_price_is_fee_and_commission_and_comes_back_on_leaving():
    play = Play(terms(fee_cents=1_000, commission_cents=100))
    (asked,) = of(EntryRequested, play.must(Register(player="ply_a")))
    assert (asked.fee_cents, asked.commission_cents) == (1_000, 100)
    (entered,) = of(PlayerRegistered, play.must(held(asked)))
    assert (entered.fee_cents, entered.commission_cents) == (1_000, 100)
    (left,) = of(PlayerUnregistered, play.must(Unregister(player="ply_a")))
    assert left.refund_cents == 1_100


def test_bh_sng_starts_when_its_entries_are_sold_and_leaving_ends_then():
    play = Play(terms(entries=3, seats=3)).enter("ply_a", "ply_b")
    play.must(Unregister(player="ply_b"))
    play.enter("ply_c")
    assert not of(TournamentStarted, play.events)
    play.enter("ply_b")
    (started,) = of(TournamentStarted, play.events)
    assert started.players == ("ply_a", "ply_b", "ply_c")
    assert started.pool_cents == 3 * play.terms.fee_cents
    assert play.tell(Unregister(player="ply_a")) == Refused("already_started")


# --- seats ----------------------------------------------------------------------------------


def test_pp_seat_124_at_10_are_13_tables():
    assert table_sizes(124, 10) == (10,) * 7 + (9,) * 6
    play = Play(terms(entries=124, seats=10)).begin()
    assert sizes(play) == [10] * 7 + [9] * 6


@given(st.integers(2, 10_000), st.integers(2, 10))
def test_pp_seat_fewest_tables_as_even_as_possible(players, seats):
    spread = table_sizes(players, seats)
    assert sum(spread) == players
    assert len(spread) == (players + seats - 1) // seats
    assert max(spread) <= seats
    assert max(spread) - min(spread) <= 1


def test_pp_seat_tables_and_seats_follow_the_draw():
    play = Play(terms(entries=5, seats=3)).enter()
    play.answer_draw((4, 2, 0, 1, 3))
    play.answer_all_draws()
    seated = [[(s.seat, s.player[-1]) for s in t.seats] for t in play.state.open_tables]
    assert seated == [[(1, "5"), (2, "3"), (3, "1")], [(1, "2"), (2, "4")]]


def test_bh_freezeout_equal_stacks_fewest_tables_one_winner():
    play = Play(terms(entries=6, seats=3, prizes=ONE_PRIZE)).begin()
    stacks = {seat.stack_chips for table in play.state.open_tables for seat in table.seats}
    assert stacks == {play.terms.starting_chips}
    assert sizes(play) == [3, 3]
    play.end_hand(1, ply_002=0, ply_003=0)
    play.end_hand(2, ply_005=0)
    play.answer_draw()
    play.arrive()
    assert sizes(play) == [3]
    (last,) = play.state.open_tables
    final = {seat.player: 0 for seat in last.seats if seat.player != "ply_001"}
    (finished,) = of(TournamentFinished, play.end_hand(last.number, **final))
    assert finished.places[0].player == "ply_001"
    assert finished.places[0].prize_cents == 6 * play.terms.fee_cents


# --- moves ----------------------------------------------------------------------------------


def thirty():
    """Three tables of ten; in every first hand the button is 10 and the blinds are 1 and 2."""
    return Play(terms(entries=30, seats=10, prizes=ONE_PRIZE)).begin()


def test_bh_balance_two_out_of_ten_make_nine_and_nine():
    play = thirty()
    events = play.end_hand(1, ply_002=0, ply_007=0)
    assert sizes(play) == [10, 10, 8]
    assert cleared(events) == ["1"], "the short table plays on meanwhile"
    events = play.end_hand(3)
    assert moved(events) == [("ply_027", "1", 7)], "the first full table to end its hand gives"
    assert cleared(events) == ["3"]
    assert sizes(play) == [10, 9, 9]
    assert not of(MoveDecided, play.end_hand(2))
    assert "ply_027" not in [seat.player for seat in play.tables["tbl_0001_1"].hand.roster]
    play.arrive()
    (again,) = of(HandCleared, play.end_hand(1))
    assert (7, "ply_027") in [(seat.seat, seat.player) for seat in again.roster]


@pytest.mark.parametrize(
    ("case", "out", "mover", "seat"),
    [
        ("the lowest place goes first", ("ply_004", "ply_005"), "ply_015", 5),
        ("big blind for big blind", ("ply_002", "ply_010"), "ply_012", 2),
        ("small blind for small blind", ("ply_001", "ply_010"), "ply_011", 1),
        ("eighth left of the big blind", ("ply_010",), None, None),
    ],
)
def test_bh_balance_the_mover_stands_as_the_eliminated_did(case, out, mover, seat):
    play = thirty()
    play.end_hand(1, **dict.fromkeys(out, 0))
    expected = [] if mover is None else [(mover, "1", seat)]
    assert moved(play.end_hand(2)) == expected


def test_bh_balance_positions_are_those_of_each_tables_last_hand():
    play = thirty()
    play.end_hand(1, ply_002=0, ply_007=0)
    play.end_hand(1)
    assert moved(play.end_hand(2)) == [("ply_016", "1", 7)], "now the fourth left of seat 3"


def test_bh_balance_several_out_one_move_each():
    play = thirty()
    play.end_hand(1, ply_002=0, ply_004=0, ply_007=0)
    assert moved(play.end_hand(2)) == [("ply_017", "1", 7)]
    assert sizes(play) == [10, 9, 8]
    assert moved(play.end_hand(3)) == [("ply_024", "1", 4)]
    assert sizes(play) == [9, 9, 9]


def table_of(button, small, big, seats, *, seated=None, number=1, outs=(), vacancies=()):
    return Table(
        table=f"tbl_0001_{number}",
        number=number,
        seats_max=6,
        seats=tuple(SeatStack(seat, f"ply_{seat}", 100) for seat in seated or seats),
        outs=outs,
        vacancies=vacancies,
        last_place=9,
        last=Positions(button, small, big, tuple(seats)),
    )


@pytest.mark.parametrize(
    ("case", "donor", "vacated", "mover"),
    [
        ("same ring", table_of(1, 2, 3, range(1, 7)), 5, 5),
        ("other blinds", table_of(5, 6, 1, range(1, 7)), 5, 3),
        ("small blind", table_of(5, 6, 1, range(1, 7)), 2, 6),
        ("dead small blind: next clockwise", table_of(4, None, 1, range(1, 7)), 2, 1),
        ("gone meanwhile", table_of(1, 2, 3, range(1, 7), seated=(1, 2, 3, 6)), 5, 6),
        ("nobody so far left", table_of(4, 5, 6, (4, 5, 6)), 1, 6),
    ],
)
def test_bh_balance_where_nobody_is_the_next_clockwise_moves(case, donor, vacated, mover):
    short = table_of(1, 2, 3, range(1, 7))
    assert mover_in_same_position(donor, short, vacated).seat == mover


def test_bh_balance_without_a_vacated_seat_the_next_free_one_is_filled():
    vacated = (Vacancy(seat=4, place=8), Vacancy(seat=5, place=9))
    assert seat_to_fill(table_of(1, 2, 3, (1, 2, 3), vacancies=vacated)) == 5
    assert seat_to_fill(table_of(1, 2, 3, (1, 2, 3, 4))) == 5


def test_moves_ties_between_tables_fewest_not_out_then_lowest_number():
    more_out = table_of(1, 2, 3, (1, 2, 3), number=3, outs=("ply_1",))
    tables = [table_of(1, 2, 3, (1, 2, 3), number=number) for number in (2, 1)]
    shorter = table_of(1, 2, 3, (1, 2), number=4)
    ordered = sorted([*tables, more_out, shorter], key=shortness)
    assert [table.number for table in ordered] == [4, 3, 1, 2]


def test_moves_a_table_with_one_player_is_never_cleared():
    play = Play(terms(entries=5, seats=2, prizes=ONE_PRIZE)).begin()
    assert reasons(play.state) == (("tbl_0001_3", "too_few_players"),)
    play.end_hand(1, ply_001=0)
    assert reasons(play.state) == (
        ("tbl_0001_1", "closing"),
        ("tbl_0001_3", "too_few_players"),
    )
    assert moved(play.answer_draw()) == [("ply_002", "3", 2)]
    assert cleared(play.arrive()) == ["3"]
    assert not reasons(play.state)


def test_bh_close_171_on_18_tables_and_the_171st_out_make_17_of_10():
    play = Play(terms(entries=180, seats=10)).begin()
    assert sizes(play) == [10] * 18
    for table in range(1, 10):
        play.end_hand(table, **{f"ply_{table * 10 - 3:03}": 0})
    assert sizes(play) == [10] * 9 + [9] * 9
    assert play.state.left == 171
    play.end_hand(4, ply_031=0)
    assert awaiting(play.state).purpose == "movers tbl_0001_4"
    events = play.answer_draw((3, 1, 0, 2, 7, 6, 5, 4))
    targets = Counter(move.to_table for move in of(MoveDecided, events))
    assert targets == Counter(f"tbl_0001_{n}" for n in (1, 2, 3, 5, 6, 7, 8, 9))
    assert {move.reason for move in of(MoveDecided, events)} == {"close"}
    assert of(TableBroken, play.arrive())[0].table == "tbl_0001_4"
    assert sizes(play) == [10] * 17


def eleven():
    """Tables of six and five of ten seats; the first hand's big blind is seat 2 at both."""
    play = Play(terms(entries=11, seats=10, prizes=ONE_PRIZE)).begin()
    assert sizes(play) == [6, 5]
    return play


@pytest.mark.parametrize("order", [(0, 1, 2, 3, 4), (4, 2, 0, 3, 1)])
def test_bh_close_the_eleventh_out_makes_the_final_table_in_the_order_of_the_blinds(order):
    play = eleven()
    play.end_hand(1, ply_004=0)
    assert sorted(moved(play.answer_draw(order)), key=lambda move: move[2]) == [
        ("ply_003", "2", 6),
        ("ply_005", "2", 7),
        ("ply_006", "2", 8),
        ("ply_001", "2", 9),
        ("ply_002", "2", 10),
    ]
    assert sizes(play) == [10]
    assert not cleared(play.arrive()), "table 2 still plays its hand"
    (hand,) = of(HandCleared, play.end_hand(2))
    assert len(hand.roster) == 10


def test_bh_close_the_table_of_the_last_eliminated_closes():
    play = eleven()
    play.end_hand(2, ply_009=0)
    assert {move.from_table for move in of(MoveDecided, play.answer_draw())} == {"tbl_0001_2"}


def test_bh_close_the_draw_says_who_goes_to_which_table():
    play = Play(terms(entries=9, seats=4, prizes=ONE_PRIZE)).begin()
    assert sizes(play) == [3, 3, 3]
    play.end_hand(2, ply_004=0)
    events = play.answer_draw((1, 0))
    assert sorted((player, table) for player, table, _ in moved(events)) == [
        ("ply_005", "3"),
        ("ply_006", "1"),
    ]


def test_bh_close_a_round_may_close_two_tables():
    play = Play(terms(entries=13, seats=3, prizes=equal_winners(12))).begin()
    assert sizes(play) == [3, 3, 3, 2, 2]
    play.end_hand(1, ply_001=100, ply_002=700)
    play.end_hand(2, ply_004=200)
    play.end_hand(3, ply_007=300)
    play.end_hand(4)
    play.end_hand(5)
    play.end_hand(1, ply_001=0, ply_002=0)
    play.end_hand(2, ply_004=0)
    play.end_hand(3, ply_007=0)
    play.end_hand(4)
    events = play.end_hand(5)
    assert places(events) == {"ply_001": 13, "ply_004": 12, "ply_007": 11, "ply_002": 10}
    assert play.state.closing == ("tbl_0001_1", "tbl_0001_3")
    play.answer_all_draws()
    play.arrive()
    assert sizes(play) == [3, 3, 3]


# --- places ---------------------------------------------------------------------------------


def test_pp_ties_within_a_hand_by_chips_at_its_start():
    play = Play(terms(entries=4, seats=4)).begin()
    play.end_hand(1, ply_001=400, ply_002=900, ply_003=600)
    events = play.end_hand(1, ply_001=0, ply_002=0, ply_003=0)
    assert places(events) == {"ply_001": 4, "ply_003": 3, "ply_002": 2}


def test_pp_ties_equal_chips_nearest_to_the_dealer_the_dealer_first():
    play = Play(terms(entries=4, seats=4)).begin()
    events = play.end_hand(1, ply_001=0, ply_002=0, ply_004=0)
    assert (play.state.places[1].player, places(events)) == (
        "ply_003",
        {"ply_004": 2, "ply_001": 3, "ply_002": 4},
    )


SIXTY_ONE = terms(
    entries=61, seats=10, fee_cents=997, starting_chips=4_000, prizes=equal_winners(60)
)


def play_round(play, **stacks):
    """End the hand of every table, the ones with stacks of their own last or first."""
    events = []
    for table in sorted(play.state.tables.values(), key=lambda table: table.number):
        named = {s.player: stacks[s.player] for s in table.seats if s.player in stacks}
        events += play.end_hand(table.number, **named)
    return events


@pytest.mark.parametrize(("a", "b"), [("ply_001", "ply_061"), ("ply_061", "ply_001")])
def test_pp_ties_61_left_60_paid_the_bigger_stack_is_paid(a, b):
    play = Play(SIXTY_ONE).begin()
    assert of(HandForHandBegan, play.events)[0].players_left == 61
    play_round(play, **{a: 5_000, b: 3_000})
    events = play_round(play, **{a: 0, b: 0})
    assert places(events) == {a: 60, b: 61}
    assert [(due.player, due.place) for due in of(PrizeDue, events)] == [(a, 60)]


@pytest.mark.parametrize(("order", "first", "second"), [((0, 1), "1", "2"), ((1, 0), "2", "1")])
def test_pp_ties_equal_chips_at_two_tables_share_the_prizes(order, first, second):
    play = Play(SIXTY_ONE).begin()
    events = play_round(play, ply_001=0, ply_061=0)
    assert not of(PlayerEliminated, events)
    assert awaiting(play.state).purpose == "tie 60"
    events = play.answer_draw(order)
    drawn = {"1": "ply_001", "2": "ply_061"}
    assert places(events) == {drawn[first]: 60, drawn[second]: 61}
    prize = play.state.prizes_cents[-1]
    assert prize % 2 == 1
    assert {due.player: due.amount_cents for due in of(PrizeDue, events)} == {
        drawn[first]: prize // 2 + 1,
        drawn[second]: prize // 2,
    }


def test_pp_ties_hand_for_hand_from_paid_places_and_one():
    play = Play(terms(entries=8, seats=4, prizes=equal_winners(5))).begin()
    assert cleared(play.end_hand(1, ply_001=0)) == ["1"]
    events = play.end_hand(2, ply_005=0)
    (began,) = of(HandForHandBegan, events)
    assert began.players_left == 6
    assert cleared(events) == []
    assert reasons(play.state) == (("tbl_0001_2", "hand_for_hand: others play"),)
    assert sorted(cleared(play.end_hand(1))) == ["1", "2"]
    assert cleared(play.end_hand(2, ply_006=0)) == []
    assert play.state.left == 6, "places wait for the end of the round"
    events = play.end_hand(1)
    assert places(events) == {"ply_006": 6}
    assert sorted(cleared(events)) == ["1", "2"]


def test_bh_ranking_is_the_reverse_order_of_elimination():
    play = Play(terms(entries=3, seats=3, prizes=winners(5_000, 3_000, 2_000))).begin()
    play.end_hand(1, ply_002=0)
    (finished,) = of(TournamentFinished, play.end_hand(1, ply_001=0))
    assert [(p.player, p.prize_cents) for p in finished.places] == [
        ("ply_003", 1_500),
        ("ply_001", 900),
        ("ply_002", 600),
    ]


# --- prizes ---------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("pool", "shares", "prizes"),
    [
        (2_700, (5_000, 3_000, 2_000), (1_350, 810, 540)),
        (1_001, (5_000, 3_000, 2_000), (501, 300, 200)),
        (2, (3_400, 3_300, 3_300), (1, 1, 0)),
        (0, (6_000, 4_000), (0, 0)),
    ],
)
def test_bh_winners_odd_cents_go_to_better_places_first(pool, shares, prizes):
    assert split(pool, shares) == prizes


@given(st.integers(0, 10**12), st.integers(1, 200))
def test_bh_winners_prizes_sum_to_the_pool_and_never_rise(pool, places):
    prizes = split(pool, equal_winners(places).shares)
    assert sum(prizes) == pool
    assert list(prizes) == sorted(prizes, reverse=True)


def test_bh_standard_the_table_holds_for_every_number_of_entries():
    paid_before = 1
    for entries in range(2, 10_001):
        shares = standard_shares(entries)
        assert sum(shares) == 10_000
        assert list(shares) == sorted(shares, reverse=True)
        assert shares[-1] > 0
        assert paid_before <= len(shares) <= entries
        paid_before = len(shares)


def test_bh_standard_prizes_depend_on_entries():
    assert prizes_in_cents(StandardPrizes(), 3, 3_000) == (3_000,)
    assert prizes_in_cents(StandardPrizes(), 9, 9_000) == (4_275, 2_700, 2_025)
    assert players_named(3) == ("ply_001", "ply_002", "ply_003")
