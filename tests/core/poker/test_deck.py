"""The deck and the order of dealing (rulebook §3)."""

from itertools import chain

import pytest

from shared.poker.deck import CARDS, board_positions, hole_positions, is_card, seat_positions


def test_the_deck_has_every_card_once():
    assert len(set(CARDS)) == len(CARDS) == 52
    assert all(is_card(card) for card in CARDS)


@pytest.mark.parametrize("text", ["", "A", "1h", "Ax", "AhKd", "ah", "10h"])
def test_what_is_no_card(text):
    assert not is_card(text)


def test_cards_go_round_one_at_a_time():
    assert [hole_positions(place, 3) for place in range(3)] == [(0, 3), (1, 4), (2, 5)]


def test_a_seat_has_the_positions_of_its_place_in_dealing_order():
    assert [seat_positions((4, 9, 2), seat) for seat in (2, 4, 9)] == [(2, 5), (0, 3), (1, 4)]
    with pytest.raises(ValueError, match="not in"):
        seat_positions((4, 9, 2), 1)


@pytest.mark.parametrize("players", range(2, 11))
def test_every_position_has_one_owner_and_none_is_burnt(players):
    holes = chain.from_iterable(hole_positions(place, players) for place in range(players))
    board = [p for street in ("flop", "turn", "river") for p in board_positions(street, players)]
    assert sorted(chain(holes, board)) == list(range(2 * players + 5))
    assert board == list(range(2 * players, 2 * players + 5))
