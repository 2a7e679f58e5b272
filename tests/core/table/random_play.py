"""Whole random hands under every preset and limit, the same ones again for the same seed."""

from random import Random

from hypothesis import strategies as st
from msgspec.structs import replace

from services.table.core import legal_actions, show_or_muck, timers
from shared.contracts.message import TimerFired
from shared.contracts.table import ComeBack, GoOut
from shared.poker.rule_sets import BIG_HOLDEM, PRESETS, TDA
from tests.core.table.table_play import ACTION_MS, Play, player_of, shuffled

SEATS_MAX = 10
LIMITS = ("no_limit", "pot_limit", "fixed_limit")
RULES = (
    *(replace(preset, limit=limit) for preset in PRESETS.values() for limit in LIMITS),
    replace(TDA, ante="big_blind"),
    replace(TDA, min_raise="double_to", min_bet="doubles_on_turn", showdown="last_aggressor"),
    replace(BIG_HOLDEM, raise_nobody_can_pay="accepted", dead_button_marker="previous_dealer"),
)
seeds = st.integers(0, 2**32 - 1)


def chosen(play, random, unit=1):
    """Some legal move in whole units of chips, not too often the end of the hand."""
    legal = legal_actions(play.table)
    dice = random.random()
    if legal is None:
        return "muck" if dice < 0.6 else "show"
    if legal.max_raise_to and dice < 0.35:
        most = random.choice([legal.min_raise_to, legal.max_raise_to])
        return random.randint(legal.min_raise_to // unit, most // unit) * unit
    if not legal.call_chips:
        return "check" if dice < 0.97 else "fold"
    return "call" if dice < 0.8 else "fold"


def play_hands(play, random, *, hands, look=lambda play: None, absent=False):
    """Play hands until one player has everything, with decks from this seed.

    Where players may be `absent`, clocks run down, and players go Out and come back.
    """
    for number in range(hands):
        if len(play.table.seats) < 2:
            break
        play.deck = shuffled(random.random())
        play.start(ante=(0, 0, 2, 10)[number % 4])
        while legal_actions(play.table) or show_or_muck(play.table):
            look(play)
            if absent and random.random() < 0.3:
                be_absent(play, random)
            else:
                play.act(chosen(play, random))


def be_absent(play, random):
    """Let a clock run down, a player go Out or come back, or only time pass."""
    dice, player = random.random(), player_of(random.randint(1, SEATS_MAX))
    if dice < 0.4:
        ((name, due_ms),) = timers(play.table)
        play.at_ms = due_ms
        play.tell(TimerFired(name=name))
    elif dice < 0.9 and player in [taken.player for taken in play.table.seats]:
        play.tell((GoOut if dice < 0.6 else ComeBack)(player=player))
    else:
        play.at_ms += random.choice([1, ACTION_MS])
    play.answer()


def random_play(seed, *, turn=0, unit=1):
    """A table of 2 to 10 players with stacks short and deep, its seats turned around by `turn`."""
    random = Random(seed)
    players = random.randint(2, SEATS_MAX)
    seats = sorted(random.sample(range(1, SEATS_MAX + 1), players))
    stacks = {seat: unit * random.choice([3, 7, 12, 25, 60, 200, 1_000]) for seat in seats}
    turned = {turned_by(seat, turn): chips for seat, chips in stacks.items()}
    play = Play(
        dict(sorted(turned.items())),
        button=turned_by(random.choice(seats), turn),
        rules=random.choice(RULES),
        bank=random.choice([0, 30_000]),
    )
    return play, random


def turned_by(seat, turn):
    return (seat - 1 + turn) % SEATS_MAX + 1
