"""Rule sets: every difference between the rulebooks is a field, every preset is data."""

from typing import Annotated, Literal

import msgspec

Limit = Literal["no_limit", "pot_limit", "fixed_limit"]
RollForward = Literal["peoples_poker", "big_holdem", "tda", "refund_all"]


class RuleSet(msgspec.Struct, frozen=True, kw_only=True):
    """How one tournament is played; part of its first event, so that replays never drift."""

    name: str
    version: int = 1
    limit: Limit = "no_limit"
    min_bet: Literal["big_blind", "doubles_on_turn"] = "big_blind"
    min_raise: Literal["double_raise", "double_to"] = "double_raise"
    raise_nobody_can_pay: Literal["refused", "accepted"] = "refused"
    fixed_limit_reopens: Literal["full_bet", "half_bet"] = "full_bet"
    pot_limit_counts_call: bool = False
    ante: Literal["each", "big_blind"] = "each"
    odd_chips: Literal["one_each_left_of_button", "all_to_next_big_blind"]
    showdown: Literal["last_aggressor", "last_round_aggressor"]
    show_or_muck_ms: Annotated[int, msgspec.Meta(ge=0)] = 0
    timeout_sets_out: bool
    first_button: Literal["draw", "high_card"]
    dead_button_marker: Literal["empty_seat", "previous_dealer"] = "empty_seat"
    moves: Literal["big_holdem", "peoples_poker", "tda"]
    hand_for_hand: bool = True
    ties_across_tables: Literal["chips", "share"]
    roll_forward: RollForward = "tda"
    in_the_money: Literal["literal", "next_prize"] = "literal"
    rf1_refunds: Literal["entry", "all_rights"] = "entry"


TDA = RuleSet(
    name="tda",
    fixed_limit_reopens="half_bet",
    pot_limit_counts_call=True,
    odd_chips="one_each_left_of_button",
    showdown="last_round_aggressor",
    timeout_sets_out=False,
    first_button="draw",
    moves="tda",
    ties_across_tables="share",
)
BIG_HOLDEM = RuleSet(
    name="big_holdem",
    odd_chips="all_to_next_big_blind",
    showdown="last_round_aggressor",
    timeout_sets_out=False,
    first_button="draw",
    moves="big_holdem",
    ties_across_tables="chips",
    roll_forward="big_holdem",
)
PEOPLES_POKER = RuleSet(
    name="peoples_poker",
    min_bet="doubles_on_turn",
    odd_chips="one_each_left_of_button",
    showdown="last_aggressor",
    show_or_muck_ms=5_000,
    timeout_sets_out=True,
    first_button="high_card",
    dead_button_marker="previous_dealer",
    moves="peoples_poker",
    ties_across_tables="chips",
    roll_forward="peoples_poker",
)
PRESETS = {preset.name: preset for preset in (TDA, BIG_HOLDEM, PEOPLES_POKER)}
