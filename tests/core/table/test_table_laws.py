"""Whole random hands through the table: what must hold whatever players do, in every limit."""

import msgspec
import pytest
from hypothesis import given, settings

from services.table.core import DECIDER, legal_actions, show_or_muck
from shared.contracts.hand import (
    ChoiceStarted,
    HandEnded,
    HandMucked,
    HandShown,
    PlayerFolded,
    PotAwarded,
    TimeBankUsed,
    UncalledReturned,
)
from shared.contracts.table import Call, Check, Fold, Muck, RaiseTo, Show
from shared.kernel.decider import Refused
from tests.core.table.random_play import play_hands, random_play, seeds


def accepted(play, command):
    return not isinstance(DECIDER.decide(play.table, command, play.at_ms), Refused)


def check_legal(play):
    """Exactly what `legal_actions`, or else `show_or_muck`, names is accepted."""
    legal = legal_actions(play.table)
    low, high = (legal.min_raise_to, legal.max_raise_to) if legal else (0, 0)
    assert low <= high
    assert accepted(play, play.action(Show)) == accepted(play, play.action(Muck)) == (not legal)
    assert accepted(play, play.action(Fold)) == bool(legal)
    assert accepted(play, play.action(Check)) == bool(legal and not legal.call_chips)
    assert accepted(play, play.action(Call)) == bool(legal and legal.call_chips)
    for to in {-1, 0, 1, low - 1, low, (low + high) // 2, high, high + 1, 10**9}:
        raised = accepted(play, play.action(RaiseTo, to=to))
        assert raised == (0 < low <= to <= high), to


@given(seeds)
@settings(max_examples=60, deadline=None)
def test_chips_are_conserved_pots_are_paid_and_hands_end(seed):
    """The laws of `Play` hold at every event; here: pots paid = contributed, no card twice."""
    play, random = random_play(seed)
    play_hands(play, random, hands=6, absent=True)
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
    play_hands(play, random, hands=2, absent=True)
    whole = DECIDER.fold(play.log)
    cut = random.randint(0, len(play.log))
    state = DECIDER.fold(play.log[:cut])
    for event in play.log[cut:]:
        state = DECIDER.evolve(state, event)
    assert state == whole == play.table


@given(seeds)
@settings(max_examples=40, deadline=None)
def test_a_mucked_hand_leaves_no_card_behind(seed):
    """PP-SHOWDOWN, BH-SHOWDOWN: who loses to what is shown mucks; nothing of it is kept."""
    play, random = random_play(seed)
    mucked = []

    def remember(play):
        holes.update({seat: play.holes(seat) for seat in play.table.hand.order})
        choice = show_or_muck(play.table)
        if choice is not None:
            kept = msgspec.json.encode(play.table).decode()
            assert not [card for card in holes[choice.seat] if f'"{card}"' in kept]

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
        play_hands(play, random, hands=4, absent=seed % 2 == 1)
        seen |= {type(event) for event in play.log}
        seen |= {event.auto for event in play.log if isinstance(event, HandMucked | PlayerFolded)}
        seen |= {
            "split" for event in play.log if isinstance(event, PotAwarded) and len(event.shares) > 1
        }
        seen |= {"side" for event in play.log if isinstance(event, PotAwarded) and event.pot}
    assert {HandMucked, HandShown, UncalledReturned, "split", "side"} <= seen
    assert {ChoiceStarted, TimeBankUsed, "", "clock", "out"} <= seen


@pytest.mark.parametrize("seed", range(5))
def test_the_same_commands_give_the_same_log(seed):
    logs = []
    for _ in range(2):
        play, random = random_play(seed)
        play_hands(play, random, hands=3, absent=True)
        logs.append(play.log)
    assert logs[0] == logs[1]
