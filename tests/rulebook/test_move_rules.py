"""Rules of moving players between tables: moves in general, BH-BALANCE and BH-CLOSE."""

from collections import Counter

import pytest

from services.director.core import awaiting, reasons
from services.director.core.hall import Hall, Positions, Table, Vacancy
from services.director.core.moves.big_holdem import seat_to_fill
from services.director.core.positions import mover_in_same_position
from services.director.core.seating import positions_before_first_hand
from shared.contracts.director import HandCleared, MoveDecided, TableBroken
from shared.contracts.hand import SeatStack
from tests.core.director.director_play import (
    Play,
    cleared,
    equal_winners,
    moved,
    of,
    places,
    sizes,
    terms,
    winners,
)

ONE_PRIZE = winners(10_000)


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
    assert not of(HandCleared, play.end_hand(1))
    assert reasons(play.state) == (("tbl_0001_1", "players_on_the_way"),)
    (again,) = of(HandCleared, play.arrive())
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


def test_bh_balance_between_equally_full_tables_the_first_to_end_its_hand_gives():
    play = Play(terms(entries=12, seats=4, prizes=equal_winners(11))).begin()
    assert sizes(play) == [4, 4, 4]
    play.end_hand(3)
    play.end_hand(1, ply_002=0, ply_003=0)
    assert moved(play.end_hand(2)) == [("ply_011", "1", 3)]


def test_bh_close_before_its_first_hand_a_table_counts_from_its_button():
    def seated(*seats):
        return tuple(SeatStack(seat, f"ply_{seat}", 100) for seat in seats)

    assert positions_before_first_hand(seated(1, 2, 3), 2).big_blind_seat == 3
    assert positions_before_first_hand(seated(1, 2, 3), 3).big_blind_seat == 1
    assert positions_before_first_hand(seated(1, 2), 2).big_blind_seat == 2


def table_of(button, small, big, seats, *, seated=None, number=1, outs=(), vacancies=()):
    return Table(
        table=f"tbl_0001_{number}",
        number=number,
        seats_max=6,
        seats=tuple(SeatStack(seat, f"ply_{seat}", 100) for seat in seated or seats),
        outs=outs,
        vacancies=vacancies,
        last=Positions(button, small, big, tuple(seats)),
    )


@pytest.mark.parametrize(
    ("case", "donor", "vacated", "mover"),
    [
        ("same ring", table_of(1, 2, 3, range(1, 7)), 5, 5),
        ("other blinds", table_of(5, 6, 1, range(1, 7)), 5, 3),
        ("small blind", table_of(5, 6, 1, range(1, 7)), 2, 6),
        ("dead small blind: next clockwise", table_of(4, None, 6, range(1, 7)), 2, 6),
        ("gone meanwhile", table_of(1, 2, 3, range(1, 7), seated=(1, 2, 3, 6)), 5, 6),
        ("nobody so far left", table_of(4, 5, 6, (4, 5, 6)), 1, 6),
    ],
)
def test_bh_balance_where_nobody_is_the_next_clockwise_moves(case, donor, vacated, mover):
    short = table_of(1, 2, 3, range(1, 7))
    assert mover_in_same_position(donor, short, vacated).seat == mover


def test_bh_balance_without_a_vacated_seat_the_next_free_one_is_filled():
    vacated = (Vacancy(seat=4, nth=2), Vacancy(seat=5, nth=1))
    assert seat_to_fill(table_of(1, 2, 3, (1, 2, 3), vacancies=vacated)) == 5
    assert seat_to_fill(table_of(1, 2, 3, (1, 2, 3, 4))) == 5


def test_moves_ties_between_tables_fewest_not_out_then_lowest_number():
    more_out = table_of(1, 2, 3, (1, 2, 3), number=3, outs=("ply_1",))
    tables = [table_of(1, 2, 3, (1, 2, 3), number=number) for number in (2, 1)]
    shorter = table_of(1, 2, 3, (1, 2), number=4)
    ordered = Hall.of([*tables, more_out, shorter]).by_shortness()
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
    assert play.state.tables.closing == ("tbl_0001_1", "tbl_0001_3")
    play.answer_all_draws()
    play.arrive()
    assert sizes(play) == [3, 3, 3]
