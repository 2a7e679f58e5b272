"""What the seat to act may do; the decisions on calls and raises stand on the same functions."""

import msgspec

from services.table.core.hand.limits import (
    RAISES_MAX,
    all_in_to,
    has_cap,
    max_raise_to,
    min_raise_to,
    reopening_size,
)
from services.table.core.hand.state import Hand


class Options(msgspec.Struct, frozen=True):
    """The choices of the seat to act: to fold is always one, to check when nothing is to call.

    Every whole amount from `min_raise_to` to `max_raise_to` is a legal raise; both are 0 when
    raising is not. In fixed limit they are one amount.
    """

    seat: int
    call_chips: int
    min_raise_to: int
    max_raise_to: int


def actor(hand: Hand) -> int | None:
    """Return the seat to act; None when the betting of the street is closed (PP-ORDER)."""
    waiting = hand.to_act
    if not waiting:
        return None
    seat = waiting[0]
    if len(waiting) > 1 or hand.acted:
        return seat
    mine = hand.bets[seat]
    for other in hand.all_in:
        if hand.bets[other] > mine:
            return seat
    return None


def options(hand: Hand) -> Options | None:
    """Return exactly what would be accepted now."""
    seat = actor(hand)
    if seat is None:
        return None
    call = call_chips(hand, seat)
    if not may_raise(hand, seat):
        return Options(seat, call, 0, 0)
    return Options(seat, call, min_raise_to(hand, seat), max_raise_to(hand, seat))


def call_chips(hand: Hand, seat: int) -> int:
    """Return what a call adds: the whole bet, or all there is (BH-ALLIN)."""
    owed, stack = hand.to_match - hand.bets[seat], hand.stacks[seat]
    return owed if owed < stack else stack


def may_raise(hand: Hand, seat: int) -> bool:
    """Who has acted may raise when as much as the last full raise is owed (Re-opening)."""
    owed = hand.to_match - hand.bets[seat]
    if owed >= hand.stacks[seat] or (hand.raises >= RAISES_MAX and has_cap(hand)):
        return False
    if seat in hand.again and owed < reopening_size(hand):
        return False
    return hand.rules.raise_nobody_can_pay == "accepted" or somebody_can_pay(hand)


def somebody_can_pay(hand: Hand) -> bool:
    """Tell whether an opponent of the seat to act has chips beyond the bet to match.

    Who has acted and is not all-in has matched it and still has chips.
    """
    others = hand.to_act[1:]
    return bool(hand.acted) or any(all_in_to(hand, seat) > hand.to_match for seat in others)
