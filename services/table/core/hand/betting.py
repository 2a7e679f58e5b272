"""The four things a seat can do in a round, and what is done for one that does not decide.

Every function here decides and folds at once. Checks stand in order of precedence: the turn
first, then what is wrong with the action.
"""

from services.table.core.hand.choice import mucked
from services.table.core.hand.closing import Stepped, closed
from services.table.core.hand.evolve import EVOLVE, HandEvent
from services.table.core.hand.legal import actor, call_chips, may_raise
from services.table.core.hand.limits import all_in_to, full_raise_to, max_raise_to, min_raise_to
from services.table.core.hand.state import Hand
from shared.contracts.hand import Auto, PlayerCalled, PlayerChecked, PlayerFolded, PlayerRaised
from shared.kernel.decider import Refused

NOT_YOUR_TURN = Refused("not_your_turn")
NOT_ENOUGH = "not_enough_chips"
ABOVE_MAXIMUM = "raise_above_maximum"
AMOUNT_MUST_BE_POSITIVE = Refused("amount_must_be_positive")


def fold(hand: Hand, seat: int, auto: Auto = "") -> Stepped | Refused:
    """Give up the hand, also when checking would be free."""
    if actor(hand) != seat:
        return NOT_YOUR_TURN
    return acted(hand, PlayerFolded(seat=seat, auto=auto))


def check(hand: Hand, seat: int, auto: Auto = "") -> Stepped | Refused:
    """Pass while there is nothing to call."""
    if actor(hand) != seat:
        return NOT_YOUR_TURN
    owed = call_chips(hand, seat)
    if owed:
        return Refused("cannot_check", f"{owed} to call")
    return acted(hand, PlayerChecked(seat=seat, auto=auto))


def call(hand: Hand, seat: int) -> Stepped | Refused:
    """Match the bet, or go all-in below it (BH-ALLIN)."""
    if actor(hand) != seat:
        return NOT_YOUR_TURN
    owed = call_chips(hand, seat)
    if not owed:
        return Refused("nothing_to_call")
    return acted(hand, PlayerCalled(seat=seat, by_chips=owed))


def raise_to(hand: Hand, seat: int, to_chips: int) -> Stepped | Refused:
    """Bet or raise to a whole amount of this street, blinds included."""
    if actor(hand) != seat:
        return NOT_YOUR_TURN
    if to_chips <= 0:
        return AMOUNT_MUST_BE_POSITIVE
    if not may_raise(hand, seat):
        return Refused("raise_not_allowed")
    most = max_raise_to(hand, seat)
    if to_chips > most:
        short = to_chips > all_in_to(hand, seat)
        return Refused(NOT_ENOUGH if short else ABOVE_MAXIMUM, f"at most {most}")
    if to_chips < most and to_chips < full_raise_to(hand):
        return Refused("raise_below_minimum", f"at least {min_raise_to(hand, seat)}")
    return acted(hand, PlayerRaised(seat=seat, to_chips=to_chips))


def default_action(hand: Hand, seat: int, auto: Auto) -> Stepped:
    """Act for the seat that decides, and is late or Out (PP-CLOCK, BH-CLOCK, PP-OUT).

    It checks if that is free, else it folds; a beaten hand is mucked.
    """
    if hand.choosing is not None:
        return mucked(hand, seat, auto)
    if call_chips(hand, seat):
        return acted(hand, PlayerFolded(seat=seat, auto=auto))
    return acted(hand, PlayerChecked(seat=seat, auto=auto))


def acted(hand: Hand, event: HandEvent) -> Stepped:
    """The action, and what follows from it at once."""
    after = EVOLVE[type(event)](hand, event)
    if len(hand.to_act) > 2 or actor(after) is not None:
        return (event,), after
    more, after = closed(after)
    return (event, *more), after
