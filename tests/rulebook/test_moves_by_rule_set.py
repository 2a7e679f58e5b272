"""Moves under `peoples_poker` and `tda`: PP-CLOSE, PP-BALANCE, and today's practice; PP-TIES."""

import pytest

from services.director.core import awaiting, reasons
from services.director.core.hall import Hall, Positions, Table
from services.director.core.moves.newcomers import waits_for_the_button
from services.director.core.moves.peoples_poker import balance, closes, closing_moves
from services.director.core.moves.tables import chairs_of
from services.director.core.state import Tournament
from shared.contracts.director import (
    DrawTaken,
    HandCleared,
    MoveDecided,
    PrizeDue,
    TableClosing,
    TableFormed,
)
from shared.contracts.hand import SeatStack
from shared.poker.rule_sets import PEOPLES_POKER
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


def pp_table(number, seated, present, *, seats=10, playing=False):
    players = tuple(f"ply_{number}_{seat}" for seat in range(1, seated + 1))
    return Table(
        table=f"tbl_{number}",
        number=number,
        seats_max=seats,
        seats=tuple(SeatStack(seat, player, 100) for seat, player in enumerate(players, 1)),
        outs=players[present:],
        last=Positions(1, 2, 3, tuple(range(1, seated + 1))),
        playing=playing,
    )


def pp_tournament(*tables, seats=10):
    return Tournament(
        tournament="trn_1",
        phase="running",
        terms=terms(rule_set="peoples_poker", entries=40, seats=seats),
        rules=PEOPLES_POKER,
        tables=Hall.of(tables),
        left=sum(table.size for table in tables),
    )


EXAMPLE = ((1, 7, 6), (2, 8, 2), (3, 7, 5), (4, 8, 8))


def test_pp_close_the_fewest_not_out_move_in_turn_past_full_tables():
    """PP-CLOSE: the original's example, T3 T1 T4 T3 T1 T4 T3 T1."""
    tournament = pp_tournament(*[pp_table(*row) for row in EXAMPLE])
    closing = closes(tournament)
    assert closing is not None
    assert closing.table == "tbl_2"
    others = [table for table in tournament.tables.values() if table is not closing]
    candidates = (*[held.player for held in closing.seats], *chairs_of(others))
    marked = pp_tournament(*others)
    order = tuple(range(len(candidates)))
    taken = DrawTaken(purpose="movers tbl_2", candidates=candidates, order=order)
    moves = of(MoveDecided, closing_moves(marked, closing, taken))
    assert [move.to_table for move in moves] == [f"tbl_{n}" for n in (3, 1, 4, 3, 1, 4, 3, 1)]
    assert [move.player for move in moves] == [held.player for held in closing.seats]
    assert len({(move.to_table, move.to_seat) for move in moves}) == 8


def test_pp_close_the_drawn_order_says_who_goes_first_and_to_which_chair():
    """PP-CLOSE: movers and chairs come out of one draw."""
    source, target = pp_table(1, 2, 1), pp_table(2, 7, 7)
    candidates = ("ply_1_1", "ply_1_2", "tbl_2/8", "tbl_2/9", "tbl_2/10")
    taken = DrawTaken(purpose="movers tbl_1", candidates=candidates, order=(4, 1, 2, 0, 3))
    moves = of(MoveDecided, closing_moves(pp_tournament(target), source, taken))
    assert [(move.player, move.to_seat) for move in moves] == [("ply_1_2", 10), ("ply_1_1", 8)]


@pytest.mark.parametrize(
    ("case", "tables", "closing"),
    [
        ("5 + 5 with all present wait for the ninth", [(1, 5, 5), (2, 5, 5)], None),
        ("nine fit", [(1, 5, 5), (2, 4, 4)], "tbl_2"),
        ("more free than present, and all fit", [(1, 5, 5), (2, 5, 4)], "tbl_2"),
        ("the active ones would fit, but not all", [(1, 6, 6), (2, 5, 1)], None),
        ("one player alone closes whenever there is a seat", [(1, 9, 9), (2, 1, 1)], "tbl_2"),
        ("nobody fits anywhere", [(1, 10, 10), (2, 1, 1)], None),
        ("ties: fewest seated", [(1, 6, 3), (2, 4, 3)], "tbl_2"),
        ("ties: lowest number", [(1, 4, 3), (2, 4, 3)], "tbl_1"),
    ],
)
def test_pp_close_when_the_free_seats_elsewhere_suffice(case, tables, closing):
    """PP-CLOSE."""
    found = closes(pp_tournament(*[pp_table(*row) for row in tables]))
    assert (found and found.table) == closing, case


def test_pp_close_is_decided_at_the_end_of_the_tables_own_hand():
    """PP-CLOSE."""
    waits = pp_tournament(pp_table(1, 6, 6), pp_table(2, 3, 3, playing=True))
    assert closes(waits) is None


@pytest.mark.parametrize(
    ("case", "tables", "seats", "purpose"),
    [
        ("six of ten are fewer than seven", [(1, 9, 9), (2, 6, 6)], 10, "balance tbl_1 tbl_2"),
        ("seven of ten are not", [(1, 10, 10), (2, 7, 7)], 10, None),
        ("6/7/7 stays: it would not bring them closer", [(1, 7, 7), (2, 6, 6)], 10, None),
        ("two of five are fewer than three", [(1, 5, 5), (2, 2, 2)], 5, "balance tbl_1 tbl_2"),
        ("three of five are not", [(1, 5, 5), (2, 3, 3)], 5, None),
        (
            "the fullest gives: first to end its hand, then by number",
            [(1, 9, 9), (2, 9, 9), (3, 6, 6)],
            10,
            "balance tbl_1 tbl_3",
        ),
    ],
)
def test_pp_balance_below_seventy_percent_of_the_seats(case, tables, seats, purpose):
    """PP-BALANCE."""
    rows = [pp_table(*row, seats=seats) for row in tables]
    asked = balance(pp_tournament(*rows, seats=seats))
    assert [draw.purpose for draw in asked] == ([purpose] if purpose else []), case


def test_pp_balance_draws_an_out_player_too_and_a_random_free_seat():
    """PP-BALANCE."""
    (asked,) = balance(pp_tournament(pp_table(1, 9, 2), pp_table(2, 6, 6)))
    assert asked.candidates[:9] == tuple(f"ply_1_{seat}" for seat in range(1, 10))
    assert asked.candidates[9:] == tuple(f"tbl_2/{seat}" for seat in (7, 8, 9, 10))


def test_pp_balance_plays_out_in_a_tournament():
    """PP-BALANCE: the drawn player, to the drawn chair."""
    play = Play(
        terms(rule_set="peoples_poker", entries=16, seats=8, prizes=equal_winners(1))
    ).begin()
    play.end_hand(1, **{f"ply_00{n}": 0 for n in range(1, 5)})
    events = play.end_hand(2)
    question = awaiting(play.state)
    assert question is not None
    assert question.purpose == "balance tbl_0001_2 tbl_0001_1"
    assert not of(MoveDecided, events)
    chair = question.candidates.index("tbl_0001_1/3")
    others = [n for n in range(len(question.candidates)) if n not in (6, chair)]
    assert moved(play.answer_draw((chair, 6, *others))) == [("ply_015", "1", 3)]
    assert sizes(play) == [7, 5]


@pytest.mark.parametrize(
    ("seat", "waits"),
    [(3, True), (4, True), (2, False), (5, False), (6, False), (8, False), (9, False)],
)
def test_pp_balance_nobody_is_dealt_in_between_button_and_small_blind(seat, waits):
    """PP-BALANCE: after blinds on 2 and 5 the button comes to 2 and the small blind to 5."""
    table = Table(
        table="tbl_1",
        number=1,
        seats_max=9,
        seats=(),
        last=Positions(1, 2, 5, (1, 2, 5, 6, 8)),
    )
    assert waits_for_the_button(table, seat) is waits


# --- tda ---------------------------------------------------------------------------------------


def tda(**changes):
    return Play(terms(rule_set="tda", prizes=ONE_PRIZE, **changes))


def test_tda_who_is_due_for_the_big_blind_moves_to_the_worst_seat():
    """tda: tables within one player."""
    play = tda(entries=18, seats=6).begin()
    assert sizes(play) == [6, 6, 6]
    play.end_hand(1, ply_003=0, ply_005=0)
    assert moved(play.end_hand(2)) == [("ply_009", "1", 3)]
    assert {play.state.tables[f"tbl_0001_{n}"].last.big_blind_seat for n in (1, 2)} == {2}
    assert sizes(play) == [6, 5, 5]


def test_tda_a_table_three_short_stops_until_it_is_balanced():
    """Tda."""
    play = tda(entries=18, seats=6).begin()
    assert not cleared(play.end_hand(1, ply_003=0, ply_005=0, ply_006=0))
    assert reasons(play.state) == (("tbl_0001_1", "three_short"),)
    assert [table for _, table, _ in moved(play.end_hand(2))] == ["1"]
    assert cleared(play.arrive()) == ["1"]


def test_tda_the_highest_table_breaks_and_its_players_draw_seats():
    """tda: seats are drawn, blinds and button among them."""
    play = tda(entries=12, seats=4, final_table_players=4).begin()
    play.end_hand(1, ply_001=0, ply_002=0)
    play.end_hand(2, ply_005=0)
    (closing,) = of(TableClosing, play.end_hand(2, ply_006=0))
    assert closing.table == "tbl_0001_3"
    play.end_hand(3)
    question = awaiting(play.state)
    assert question is not None
    assert question.candidates[:4] == ("ply_009", "ply_010", "ply_011", "ply_012")
    moves = moved(play.answer_draw())
    assert sorted(table for _, table, _ in moves) == ["1", "1", "2", "2"]
    assert [player for player, _, _ in moves] == list(question.candidates[:4])


def test_tda_the_final_table_has_one_more_player_than_seats():
    """tda: final_table_players, default seats + 1."""
    play = tda(entries=8, seats=4).begin()
    assert {formed.seats_max for formed in of(TableFormed, play.events)} == {5}
    play.end_hand(1, ply_001=0, ply_002=0)
    assert not play.state.tables.closing
    (closing,) = of(TableClosing, play.end_hand(1, ply_003=0))
    assert closing.table == "tbl_0001_2"
    play.end_hand(2)
    play.answer_draw()
    play.arrive()
    assert sizes(play) == [5]


def test_tda_players_of_several_tables_out_in_one_round_share_whatever_their_chips():
    """PP-TIES: A, 5,000 and B, 3,000 out with 61 left and 60 paid share the last prize."""
    play = Play(
        terms(rule_set="tda", entries=8, seats=4, fee_cents=1_000, prizes=equal_winners(7))
    ).begin()
    play.end_hand(1, ply_002=1_500, ply_001=500)
    play.end_hand(2)
    assert play.state.hand_for_hand
    play.end_hand(1, ply_002=0)
    play.end_hand(2, ply_006=0)
    events = play.answer_draw((1, 0))
    assert places(events) == {"ply_006": 7, "ply_002": 8}
    prize = play.state.prizes_cents[6]
    assert sum(due.amount_cents for due in of(PrizeDue, events)) == prize
    assert {due.amount_cents for due in of(PrizeDue, events)} <= {prize // 2, prize - prize // 2}


def test_tda_in_one_hand_at_one_table_chips_still_rank():
    """PP-TIES."""
    play = tda(entries=5, seats=5).begin()
    play.end_hand(1, ply_001=500)
    assert places(play.end_hand(1, ply_001=0, ply_002=0)) == {"ply_001": 5, "ply_002": 4}


def test_pp_balance_a_newcomer_who_waits_is_seated_and_dealt_in_a_hand_later():
    """PP-BALANCE: the cleared roster leaves them out until the button has passed."""
    play = Play(
        terms(rule_set="peoples_poker", entries=16, seats=8, prizes=equal_winners(1))
    ).begin()
    play.end_hand(1, ply_003=0, ply_005=0, ply_007=0)
    while play.state.tables["tbl_0001_1"].last.big_blind_seat != 2:
        play.end_hand(1)
    play.end_hand(1, ply_006=0)
    play.end_hand(2)
    question, table = awaiting(play.state), play.state.tables["tbl_0001_1"]
    assert question is not None
    assert (table.last.small_blind_seat, table.last.big_blind_seat) == (2, 4)
    chair = question.candidates.index("tbl_0001_1/5")
    others = [n for n in range(len(question.candidates)) if n not in (0, chair)]
    mover = question.candidates[0]
    play.answer_draw((0, chair, *others))
    play.end_hand(1)
    table = play.state.tables["tbl_0001_1"]
    assert (table.last.small_blind_seat, table.last.big_blind_seat) == (4, 8)
    (waiting,) = of(HandCleared, play.arrive())
    assert mover in [held.player for held in play.state.tables["tbl_0001_1"].seats]
    assert mover not in [dealt.player for dealt in waiting.roster]
    (dealt_in,) = of(HandCleared, play.end_hand(1))
    assert mover in [dealt.player for dealt in dealt_in.roster]
