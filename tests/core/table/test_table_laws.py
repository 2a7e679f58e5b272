"""Whole random hands through the table: what must hold whatever players do."""

from random import Random

import msgspec
import pytest
from hypothesis import given, settings, strategies as st
from msgspec.structs import replace

from services.table.core import DECIDER, legal_actions
from shared.contracts.table import (
    Call,
    Check,
    Fold,
    HandEnded,
    HandMucked,
    HandShown,
    PotAwarded,
    RaiseTo,
    UncalledReturned,
)
from shared.kernel.decider import Refused
from shared.poker.rule_sets import BIG_HOLDEM, TDA
from tests.core.table.table_play import Play, player_of, shuffled

SEATS_MAX = 10
RULES = (
    BIG_HOLDEM,
    replace(TDA, ante="big_blind"),
    replace(TDA, min_raise="double_to", min_bet="doubles_on_turn", showdown="last_aggressor"),
    replace(BIG_HOLDEM, raise_nobody_can_pay="accepted", dead_button_marker="previous_dealer"),
)
seeds = st.integers(0, 2**32 - 1)


def accepted(play, command):
    return not isinstance(DECIDER.decide(play.table, command, play.at_ms), Refused)


def check_legal(play):
    """Exactly what `legal_actions` names is accepted."""
    legal = legal_actions(play.table)
    low, high = legal.min_raise_to, legal.max_raise_to
    assert accepted(play, play.action(Fold))
    assert accepted(play, play.action(Check)) == (legal.call_chips == 0)
    assert accepted(play, play.action(Call)) == (legal.call_chips > 0)
    for to in {-1, 0, 1, low - 1, low, (low + high) // 2, high, high + 1, 10**9}:
        raised = accepted(play, play.action(RaiseTo, to=to))
        assert raised == (0 < low <= to <= high), to


def chosen(play, random):
    """Some legal move, not too often the end of the hand."""
    legal = legal_actions(play.table)
    dice = random.random()
    if legal.max_raise_to and dice < 0.35:
        most = random.choice([legal.min_raise_to, legal.max_raise_to])
        return random.randint(legal.min_raise_to, most)
    if not legal.call_chips:
        return "check" if dice < 0.97 else "fold"
    return "call" if dice < 0.8 else "fold"


def play_hands(play, random, *, hands, look=lambda play: None):
    """Play hands until one player has everything, with decks from this seed."""
    for number in range(hands):
        if len(play.table.seats) < 2:
            break
        play.deck = shuffled(random.random())
        play.start(ante=(0, 0, 2, 10)[number % 4])
        while legal_actions(play.table) is not None:
            look(play)
            play.act(chosen(play, random))


def random_play(seed, *, turn=0):
    """A table of 2 to 10 players with stacks short and deep, its seats turned around by `turn`."""
    random = Random(seed)
    players = random.randint(2, SEATS_MAX)
    seats = sorted(random.sample(range(1, SEATS_MAX + 1), players))
    stacks = {seat: random.choice([3, 7, 12, 25, 60, 200, 1_000]) for seat in seats}
    turned = {turned_by(seat, turn): chips for seat, chips in stacks.items()}
    play = Play(
        dict(sorted(turned.items())),
        button=turned_by(random.choice(seats), turn),
        rules=random.choice(RULES),
    )
    return play, random


def turned_by(seat, turn):
    return (seat - 1 + turn) % SEATS_MAX + 1


@given(seeds)
@settings(max_examples=60, deadline=None)
def test_chips_are_conserved_pots_are_paid_and_hands_end(seed):
    """The laws of `Play` hold at every event; here: pots paid = contributed, no card twice."""
    play, random = random_play(seed)
    play_hands(play, random, hands=6)
    ends = [event for event in play.log if isinstance(event, HandEnded)]
    assert ends
    assert play.table.hand is None
    assert sum(play.stacks.values()) == play.total
    for end in ends:
        assert min(seat.stack_chips for seat in end.seats) >= 0


@given(seeds)
@settings(max_examples=25, deadline=None)
def test_exactly_the_legal_actions_are_accepted(seed):
    play, random = random_play(seed)
    play_hands(play, random, hands=3, look=check_legal)


@given(seeds)
@settings(max_examples=25, deadline=None)
def test_a_split_log_folds_to_the_same_state(seed):
    play, random = random_play(seed)
    play_hands(play, random, hands=2)
    whole = DECIDER.fold(play.log)
    cut = random.randint(0, len(play.log))
    state = DECIDER.fold(play.log[:cut])
    for event in play.log[cut:]:
        state = DECIDER.evolve(state, event)
    assert state == whole == play.table


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
        if key.endswith("seat") or key == "seats":
            return value and turned_by(value, turn)
        if key == "player":
            return player_of(turned_by(int(value.removeprefix("ply_")), turn))
        return value

    return back(msgspec.to_builtins(event))


@given(seeds)
@settings(max_examples=40, deadline=None)
def test_a_mucked_hand_leaves_no_card_behind(seed):
    """PP-SHOWDOWN, BH-SHOWDOWN: who loses to what is shown mucks; nothing of it is kept."""
    play, random = random_play(seed)
    mucked = []

    def remember(play):
        holes.update({seat: play.holes(seat) for seat in play.table.hand.order})

    for _ in range(3):
        if len(play.table.seats) < 2:
            break
        holes = {}
        play_hands(play, random, hands=1, look=remember)
        hand = play.log[-1].hand
        mucked += [
            (hand, card)
            for event in events_of_last_hand(play)
            if isinstance(event, HandMucked)
            for card in holes[event.seat]
        ]
        text = msgspec.json.encode(events_of_last_hand(play)).decode()
        assert not [card for name, card in mucked if name == hand and f'"{card}"' in text]
    assert play.table.hand is None


def events_of_last_hand(play):
    ends = [place for place, event in enumerate(play.log) if isinstance(event, HandEnded)]
    begin = ends[-2] + 1 if len(ends) > 1 else 0
    return play.log[begin : ends[-1] + 1]


def test_random_hands_reach_every_kind_of_end():
    """The laws above would be empty if random play never got there."""
    seen = set()
    for seed in range(40):
        play, random = random_play(seed)
        play_hands(play, random, hands=4)
        seen |= {type(event) for event in play.log}
        seen |= {
            "split" for event in play.log if isinstance(event, PotAwarded) and len(event.shares) > 1
        }
        seen |= {"side" for event in play.log if isinstance(event, PotAwarded) and event.pot}
    assert {HandMucked, HandShown, UncalledReturned, "split", "side"} <= seen


@pytest.mark.parametrize("seed", range(5))
def test_the_same_commands_give_the_same_log(seed):
    logs = []
    for _ in range(2):
        play, random = random_play(seed)
        play_hands(play, random, hands=3)
        logs.append(play.log)
    assert logs[0] == logs[1]
