"""What changes nothing else: where seats lie, how large a chip is, in which order pots are cut."""

from collections import Counter

import msgspec
from hypothesis import given, settings, strategies as st
from msgspec.structs import replace

from services.table.core.hand.evolve import new_hand
from services.table.core.hand.pots import pots_of, shares
from services.table.core.hand.state import from_seat_after
from shared.contracts.hand import HandStarted, SeatStack
from shared.poker.rule_sets import PRESETS
from tests.core.table.random_play import (
    SEATS_MAX,
    chosen,
    play_hands,
    random_play,
    seeds,
    turned_by,
)
from tests.core.table.table_play import player_of, shuffled


@given(seeds, st.integers(1, SEATS_MAX - 1))
@settings(max_examples=25, deadline=None)
def test_turning_the_seats_around_changes_nothing_else(seed, turn):
    straight, random = random_play(seed)
    play_hands(straight, random, hands=4)
    turned, random = random_play(seed, turn=turn)
    play_hands(turned, random, hands=4)
    expected = [turned_back(event, 0) for event in straight.log]
    assert [turned_back(event, -turn) for event in turned.log] == expected


def turned_back(event, turn):
    """The event with its seats turned, players named by them, and lists of seats in one order."""

    def back(value, key=""):
        if isinstance(value, dict):
            return {name: back(inner, name) for name, inner in value.items()}
        if isinstance(value, list | tuple):
            return sorted((back(inner, key) for inner in value), key=repr)
        if key.endswith("seat") or key in {"seats", "by"}:
            return value and turned_by(value, turn)
        if key == "player":
            return player_of(turned_by(int(value.removeprefix("ply_")), turn))
        return value

    return back(msgspec.to_builtins(event))


UNIT = 2_520  # Whatever number of winners up to 10 splits a pot of these, nothing is left over.


def one_hand(seed, factor, moves=None):
    """One hand whose chips come in units; the moves of another run are made larger with them."""
    play, random = random_play(seed, unit=UNIT * factor)
    played = []
    play.deck = shuffled(random.random())
    play.start(
        small=5 * UNIT * factor,
        big=10 * UNIT * factor,
        ante=random.choice([0, 2, 10]) * UNIT * factor,
    )
    while play.table.hand is not None:
        move = chosen(play, random, unit=UNIT) if moves is None else moves[len(played)]
        played.append(move)
        play.act(move * factor if isinstance(move, int) else move)
    return play.log, played


def scaled(event, factor):
    """The event with every amount of chips made larger."""

    def large(value, key=""):
        if isinstance(value, dict):
            return {name: large(inner, name) for name, inner in value.items()}
        if isinstance(value, list | tuple):
            return [large(inner, key) for inner in value]
        is_amount = key.endswith(("chips", "raise_to")) and isinstance(value, int)
        return value * factor if is_amount else value

    return large(msgspec.to_builtins(event))


@given(seeds, st.integers(2, 7))
@settings(max_examples=40, deadline=None)
def test_larger_chips_change_nothing_else(seed, factor):
    """In units, so that no odd chip is left over in the one run and not in the other."""
    log, moves = one_hand(seed, 1)
    larger, _ = one_hand(seed, factor, moves)
    assert [scaled(event, 1) for event in larger] == [scaled(event, factor) for event in log]


# --- pots -----------------------------------------------------------------------------------


@st.composite
def contested(draw):
    """A hand about to be paid: contributions, live seats in order, ranks, dead chips, rules."""
    players = draw(st.integers(2, 8))
    order = tuple(range(1, players + 1))
    live = tuple(draw(st.lists(st.sampled_from(order), min_size=2, unique=True).map(sorted)))
    return (
        order,
        (0, *draw(st.lists(st.integers(1, 40), min_size=players, max_size=players))),
        live,
        {seat: draw(st.integers(1, 3)) for seat in live},
        draw(st.integers(0, 9)),
        draw(st.sampled_from(sorted(PRESETS))),
        draw(st.sampled_from(order)),
    )


def hand_of(order, paid, live, dead, preset, big):
    seats = tuple(SeatStack(seat, player_of(seat), paid[seat]) for seat in order)
    started = HandStarted(
        hand="hnd_1",
        number=1,
        small_blind_chips=1,
        big_blind_chips=2,
        ante_chips=0,
        button_seat=order[-1],
        small_blind_seat=None,
        big_blind_seat=big,
        seats=seats,
    )
    hand = new_hand(PRESETS[preset], started)
    return replace(hand, paid=paid, dead=dead, all_in=live)


def chip_by_chip(order, paid, live, dead):
    """Cut the pots another way: the n-th chip of everybody goes to those live with n chips in."""
    pots = Counter({live: dead})
    last = live
    for number in range(1, max(paid) + 1):
        last = tuple(seat for seat in live if paid[seat] >= number) or last
        pots[last] += sum(paid[seat] >= number for seat in order)
    return pots


@given(contested(), st.randoms(use_true_random=False))
def test_splitting_the_same_pot_in_another_order_changes_nothing(given_hand, random):
    order, paid, live, ranks, dead, preset, big = given_hand
    hand = hand_of(order, paid, live, dead, preset, big)
    pots = pots_of(hand, live)
    assert Counter({pot.eligible: pot.chips for pot in pots}) == chip_by_chip(
        order, paid, live, dead
    )
    expected = total(shares(hand, pot, ranks) for pot in pots)
    shuffled_pots = random.sample(pots, len(pots))
    other_ranks = dict(random.sample(sorted(ranks.items()), len(ranks)))
    assert total(shares(hand, pot, other_ranks) for pot in shuffled_pots) == expected
    assert sum(expected.values()) == sum(paid) + dead


def total(shares_of_pots):
    """Seat → chips of all pots."""
    won = Counter()
    for pot in shares_of_pots:
        for share in pot:
            won[share.seat] += share.chips
    return won


@given(contested())
def test_a_pot_goes_to_the_best_and_only_odd_chips_part_those_who_tie(given_hand):
    order, paid, live, ranks, dead, preset, big = given_hand
    hand = hand_of(order, paid, live, dead, preset, big)
    for pot in pots_of(hand, live):
        parts = {share.seat: share.chips for share in shares(hand, pot, ranks)}
        best = max(ranks[seat] for seat in pot.eligible)
        assert set(parts) == {seat for seat in pot.eligible if ranks[seat] == best}
        each, odd = divmod(pot.chips, len(parts))
        extra = {seat: chips - each for seat, chips in parts.items() if chips > each}
        assert sum(parts.values()) == pot.chips
        if preset == "big_holdem":
            line = [seat for seat in from_seat_after(order, big) if seat in parts]
            assert extra == ({line[0]: odd} if odd else {})
        else:
            line = [seat for seat in order if seat in parts]
            assert extra == dict.fromkeys(line[:odd], 1)
