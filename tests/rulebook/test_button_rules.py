"""The rulebook's words on button and blinds: PP-NEXT and PP-DEADBUTTON with all its figures."""

import pytest
from hypothesis import given, strategies as st
from msgspec.structs import replace

from services.director.core import awaiting
from services.table.core import legal_actions
from services.table.core.positions import next_positions
from services.table.core.state import Positions
from shared.contracts.dealer import Drawn
from shared.contracts.director import DrawTaken, TableFormed
from shared.contracts.hand import BlindPosted, HandStarted
from shared.poker.cards import highest_card
from shared.poker.deck import CARDS, NUMBER_OF
from shared.poker.rule_sets import BIG_HOLDEM, PEOPLES_POKER, TDA
from tests.core.director.director_play import Play as Director, of, terms
from tests.core.table.table_play import Play, assigned as seat_given, move

SIX = (1, 2, 3, 4, 5, 6)
FIRST = Positions(button_seat=1, small_due_seat=2, big_blind_seat=3, played="ring")


def assigned(rules, last, live):
    """One hand's positions, and the next hand's memory of them."""
    positions = next_positions(rules, last, live)
    small = positions.small_blind_seat
    memory = Positions(
        button_seat=positions.button_seat,
        small_due_seat=last.big_blind_seat if small is None else small,
        big_blind_seat=positions.big_blind_seat,
        played="heads_up" if len(live) == 2 else "ring",
    )
    told = (positions.button_seat, positions.small_blind_seat, positions.big_blind_seat)
    return told, memory, positions.order


def without(*out):
    return tuple(seat for seat in SIX if seat not in out)


def test_pp_next_the_button_moves_clockwise_after_each_hand():
    last, buttons = FIRST, []
    for _ in range(6):
        (button, _, _), last, _ = assigned(BIG_HOLDEM, last, SIX)
        buttons.append(button)
    assert buttons == [2, 3, 4, 5, 6, 1]


@pytest.mark.parametrize(
    ("out", "everywhere", "pp"),
    [
        ((1,), (2, 3, 4), (2, 3, 4)),
        ((2,), (2, 3, 4), (1, 3, 4)),
        ((3,), (2, None, 4), (2, None, 4)),
        ((2, 3), (2, None, 4), (1, None, 4)),
        ((1, 2, 3), (2, None, 4), (2, None, 4)),
    ],
    ids=["1 out", "2 out", "3 out", "2 and 3 out", "1, 2 and 3 out"],
)
def test_pp_deadbutton_after_button_1_blinds_2_3(out, everywhere, pp):
    live = without(*out)
    assert assigned(BIG_HOLDEM, FIRST, live)[0] == everywhere
    assert assigned(TDA, FIRST, live)[0] == everywhere
    assert assigned(PEOPLES_POKER, FIRST, live)[0] == pp


def test_pp_deadbutton_3_out_and_the_hand_after_has_a_dead_button_on_3():
    live = without(3)
    _, last, _ = assigned(BIG_HOLDEM, FIRST, live)
    assert assigned(BIG_HOLDEM, last, live)[0] == (3, 4, 5)
    _, last, _ = assigned(PEOPLES_POKER, FIRST, live)
    assert assigned(PEOPLES_POKER, last, live)[0] == (2, 4, 5)


def test_pp_deadbutton_1_2_and_3_out_5_opens_and_4_is_first_after_the_flop():
    _, _, order = assigned(BIG_HOLDEM, FIRST, without(1, 2, 3))
    assert order == (4, 5, 6)  # The flop's order; before it, first is left of the big blind on 4.


@pytest.mark.parametrize(
    ("last", "live", "positions"),
    [
        ((1, 2, 3), (1, 2), (2, 2, 1)),
        ((1, 2, 3), (1, 3), (3, 3, 1)),
        ((1, 2, 3), (2, 3), (3, 3, 2)),
        ((1, 2, 3), (5, 6), (6, 6, 5)),
    ],
)
def test_pp_deadbutton_down_to_two(last, live, positions):
    """Big blind as always; the other has the button and posts the small blind."""
    memory = Positions(*last, played="ring")
    told, _, order = assigned(BIG_HOLDEM, memory, live)
    assert told == positions
    assert order == (told[2], told[0])


@pytest.mark.parametrize(
    ("button", "big", "live", "positions"),
    [
        (1, 2, (1, 2, 3), (1, 2, 3)),
        (1, 2, (1, 2, 6), (1, 2, 6)),
        (1, 2, (1, 2, 4, 6), (1, 2, 4)),
        (1, 2, (2, 3, 5), (5, 2, 3)),
        (1, 4, (1, 2, 4, 6), (2, 4, 6)),
        (1, 4, (1, 2, 4), (2, 4, 1)),
    ],
)
def test_pp_deadbutton_from_two_to_three_or_more(button, big, live, positions):
    """Big blind as always; small blind and button are the two live seats before it."""
    memory = Positions(button, button, big, played="heads_up")
    assert assigned(BIG_HOLDEM, memory, live)[0] == positions


@pytest.mark.parametrize(
    ("button", "live", "positions"),
    [
        (3, (1, 3, 5), (3, 5, 1)),
        (3, (1, 3), (3, 3, 1)),
        (2, (1, 3, 5), (2, 3, 5)),
        (2, (1, 3), (3, 3, 1)),
    ],
    ids=["told", "heads-up", "told, empty by now", "heads-up, empty by now"],
)
def test_the_first_button_is_the_tables(button, live, positions):
    assert assigned(BIG_HOLDEM, Positions(button_seat=button), live)[0] == positions


histories = st.lists(
    st.sets(st.integers(1, 10), min_size=2).map(lambda seats: tuple(sorted(seats))),
    min_size=2,
    max_size=12,
)


@given(histories, st.integers(1, 10))
def test_pp_deadbutton_nobody_skips_the_big_blind_or_posts_it_twice_in_a_row(rosters, button):
    last = Positions(button_seat=button)
    for before, live in zip([(), *rosters], rosters, strict=False):
        (_, _, big), memory, order = assigned(BIG_HOLDEM, last, live)
        assert sorted(order) == list(live)
        if before:
            assert big != last.big_blind_seat
            between = (big - last.big_blind_seat) % 10
            passed = [(last.big_blind_seat - 1 + k) % 10 + 1 for k in range(1, between)]
            assert not set(passed) & set(live)
        last = memory


@given(histories, st.integers(1, 10))
def test_pp_deadbutton_button_small_and_big_blind_follow_each_other(rosters, button):
    last = Positions(button_seat=button)
    for live in rosters:
        (button_seat, small, big), last, order = assigned(BIG_HOLDEM, last, live)
        assert button_seat != big
        assert button_seat not in live or order[-1] == button_seat
        if small is not None and len(live) > 2:
            assert order.index(small) < order.index(big)


def test_pp_deadbutton_newcomers_between_the_blinds_leave_the_button_behind_the_small_blind():
    """Button 1, blinds 2/4; seat 1 is out and seat 3 new: the big blind comes round to 2."""
    memory = Positions(button_seat=1, small_due_seat=2, big_blind_seat=4, played="ring")
    assert assigned(BIG_HOLDEM, memory, (2, 3, 4))[0] == (3, 4, 2)
    assert assigned(BIG_HOLDEM, memory, (2, 3, 10))[0] == (2, None, 10)


@given(histories, st.integers(1, 10))
def test_pp_deadbutton_the_marker_of_pp_changes_neither_deal_nor_blinds(rosters, button):
    ours = theirs = Positions(button_seat=button)
    for live in rosters:
        (_, *blinds), ours, order = assigned(BIG_HOLDEM, ours, live)
        (_, *pp_blinds), theirs, pp_order = assigned(PEOPLES_POKER, theirs, live)
        assert (blinds, order) == (pp_blinds, pp_order)


def test_pp_deadbutton_at_a_table_from_three_to_two():
    """Seat 3 busts as the big blind: no small blind, no dead button, heads-up at once."""
    play = Play({1: 500, 2: 500, 3: 10}, button=1)
    play.deck = ("Ks", "2c", "As", "Kh", "7d", "Ah", "Qc", "Jd", "9h", "3s", "4c")
    play.start()
    play.play("call", "fold")
    assert play.stacks == {1: 515, 2: 495}
    play.start()
    starts = [event for event in play.log if isinstance(event, HandStarted)]
    told = [(e.button_seat, e.small_blind_seat, e.big_blind_seat) for e in starts]
    assert told == [(1, 2, 3), (2, 2, 1)]


# --- late entrants and moved players --------------------------------------------------------


def positions_of(play):
    """Button, small and big blind of every hand so far."""
    starts = [event for event in play.log if isinstance(event, HandStarted)]
    return [(e.button_seat, e.small_blind_seat, e.big_blind_seat) for e in starts]


def folded_round(play):
    """One more hand that everybody gives to the big blind."""
    play.start()
    while play.table.hand is not None:
        play.act("fold")


def test_pp_deadbutton_a_late_entrant_makes_three_of_two():
    play = Play({1: 500, 2: 500}, button=1)
    folded_round(play)
    play.tell(seat_given("ply_4", 4, 500))
    folded_round(play)
    folded_round(play)
    assert positions_of(play) == [(1, 1, 2), (1, 2, 4), (2, 4, 1)]


def test_pp_deadbutton_who_sits_down_where_the_big_blind_is_due_pays_it():
    play = Play({1: 500, 2: 500, 3: 500, 5: 500}, button=1)
    folded_round(play)
    play.tell(seat_given("ply_4", 4, 500))
    folded_round(play)
    folded_round(play)
    assert positions_of(play) == [(1, 2, 3), (2, 3, 4), (3, 4, 5)]


@pytest.mark.parametrize(
    ("moved", "then"),
    [
        ("ply_1", [(1, 2, 3), (2, 3, 4), (3, 4, 5)]),
        ("ply_2", [(1, 2, 3), (2, 3, 4), (3, 4, 5)]),
        ("ply_3", [(1, 2, 3), (2, None, 4), (3, 4, 5)]),
        ("ply_4", [(1, 2, 3), (2, 3, 5), (3, 5, 1)]),
    ],
)
def test_pp_deadbutton_who_was_moved_away_leaves_the_seat_as_one_who_is_out(moved, then):
    play = Play(dict.fromkeys(range(1, 6), 500), button=1)
    folded_round(play)
    play.tell(move(moved))
    folded_round(play)
    folded_round(play)
    assert positions_of(play) == then


@pytest.mark.parametrize("limit", ["no_limit", "pot_limit", "fixed_limit"])
def test_pp_deadbutton_no_small_blind_is_posted_for_an_empty_seat_in_any_limit(limit):
    rules = replace(BIG_HOLDEM, limit=limit)
    play = Play(dict.fromkeys(range(1, 6), 500), button=1, rules=rules)
    folded_round(play)
    play.tell(move("ply_3"))
    events = play.start()
    assert [e.seat for e in events if isinstance(e, BlindPosted)] == [4]
    legal = legal_actions(play.table)
    least = {"no_limit": (20, 500), "pot_limit": (20, 25), "fixed_limit": (20, 20)}[limit]
    assert (legal.seat, legal.call_chips) == (5, 10)
    assert (legal.min_raise_to, legal.max_raise_to) == least


# --- the first button -----------------------------------------------------------------------


@pytest.mark.parametrize(
    ("cards", "wins"),
    [
        ("2c 9d Kh Qs", 2),
        ("Ks Ah 2h", 1),
        ("Kc Kh Kd Ks", 1),
        ("Ks Kc Kd", 2),
        ("Ks Kc", 1),
        ("Th 9h Ts Td", 0),
        ("3h 2h", 0),
    ],
)
def test_pp_highcard_ace_high_then_hearts_diamonds_clubs_spades(cards, wins):
    assert highest_card(cards.split()) == wins


def drawn(*cards):
    """An order of the deck with these cards on top."""
    top = [NUMBER_OF[card] for card in cards]
    return (*top, *(number for number in range(52) if number not in top))


def high_card_director():
    """Four players at two tables, seats drawn; the first button is to come."""
    play = Director(terms(entries=4, seats=2))
    play.state = replace(play.state, rules=replace(BIG_HOLDEM, first_button="high_card"))
    play.enter()
    play.answer_draw()
    return play


def test_pp_highcard_one_card_each_from_a_recorded_draw_of_the_deck():
    play = high_card_director()
    question = awaiting(play.state)
    assert question.purpose == "high card tbl_0001_1"
    assert question.candidates == CARDS
    events = play.answer_draw(drawn("Ks", "Kh", "Ac"))
    assert of(DrawTaken, events)[0].order[:3] == tuple(NUMBER_OF[c] for c in ("Ks", "Kh", "Ac"))
    assert awaiting(play.state).purpose == "high card tbl_0001_2"
    play.answer_draw(drawn("9d", "8h"))
    assert [formed.button_seat for formed in of(TableFormed, play.events)] == [2, 1]


def test_pp_highcard_an_order_of_the_deck_that_is_none_is_refused():
    play = high_card_director()
    refused = play.tell(Drawn(draw="drw", order=drawn("Ks")[:51]))
    assert refused.reason == "not_an_order"


def test_pp_highcard_is_the_first_button_of_pp_only():
    assert [preset.first_button for preset in (TDA, BIG_HOLDEM, PEOPLES_POKER)] == [
        "draw",
        "draw",
        "high_card",
    ]
