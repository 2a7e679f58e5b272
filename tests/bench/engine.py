"""Recorded hands through our core and through PokerKit, turn about in one run."""

import time
from collections.abc import Callable
from importlib.metadata import version
from statistics import median

from pokerkit import Automation, Mode, NoLimitTexasHoldem

from services.cli.hands.neutral import read_neutral
from services.cli.hands.recorded import Dealt, Moved, RecordedHand
from services.cli.hands.replay import played, recorded_rules
from shared.poker.rule_sets import TDA
from tests.data import data_file

HANDS = 800
PLAYERS = 6
ROUNDS = 5
AUTOMATIC = (
    Automation.ANTE_POSTING,
    Automation.BET_COLLECTION,
    Automation.BLIND_OR_STRADDLE_POSTING,
    Automation.HOLE_CARDS_SHOWING_OR_MUCKING,
    Automation.HAND_KILLING,
    Automation.CHIPS_PUSHING,
    Automation.CHIPS_PULLING,
    Automation.RUNOUT_COUNT_SELECTION,
)


def run() -> dict[str, dict[str, object]]:
    """Return hands and actions a second, ours and theirs."""
    hands = six_player_hands()
    actions = sum(isinstance(step, Moved) for hand in hands for step in hand.steps)
    ours, theirs = [], []
    for _ in range(ROUNDS):
        ours.append(seconds(play_ours, hands))
        theirs.append(seconds(play_theirs, hands))
    peer = f"PokerKit {version('pokerkit')}"
    return {
        f"recorded hold'em, {unit} through the engine": {
            "value": round(count / median(ours)),
            "unit": f"{unit}/s",
            "peer": peer,
            "peer_value": round(count / median(theirs)),
            "ratio": round(median(theirs) / median(ours), 1),
        }
        for unit, count in (("hands", len(hands)), ("actions", actions))
    }


def six_player_hands() -> list[RecordedHand]:
    """The first hands at full tables of six, in the order of the file."""
    lines = data_file("hands_phh.jsonl").read_bytes().splitlines()
    hands = (read.hand for read in read_neutral(lines))
    full = [
        hand for hand in hands if isinstance(hand, RecordedHand) and len(hand.stacks) == PLAYERS
    ]
    return full[:HANDS]


def seconds(play: Callable[[RecordedHand], tuple[int, ...]], hands: list[RecordedHand]) -> float:
    """Time all hands; an engine that settles one differently has not played it."""
    began = time.perf_counter()
    stacks = [play(hand) for hand in hands]
    took = time.perf_counter() - began
    assert stacks == [hand.result.final_stacks for hand in hands if hand.result]
    return took


def play_ours(hand: RecordedHand) -> tuple[int, ...]:
    _, settled = played(hand, recorded_rules(TDA, hand))
    return settled.stacks[1:]


def play_theirs(hand: RecordedHand) -> tuple[int, ...]:
    """The same steps as PokerKit's operations."""
    state = NoLimitTexasHoldem.create_state(
        AUTOMATIC,
        True,
        0,
        (hand.small_blind_chips, hand.big_blind_chips),
        hand.big_blind_chips,
        hand.stacks,
        len(hand.stacks),
        mode=Mode.TOURNAMENT,
    )
    for hole in hand.holes:
        state.deal_hole("".join(hole) if hole else "????")
    for step in hand.steps:
        if isinstance(step, Dealt):
            state.burn_card("??")
            state.deal_board("".join(step.cards))
        elif step.move == "fold":
            state.fold()
        elif step.move == "raise_to":
            state.complete_bet_or_raise_to(step.chips)
        else:
            state.check_or_call()
    return tuple(state.stacks)
