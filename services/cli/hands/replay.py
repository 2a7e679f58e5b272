"""A recorded hand through the production core: who got what, or where the record breaks a rule.

Players sit on the seats of their numbers. The record answers what the core asks of the dealer.
"""

from collections.abc import Callable

import msgspec

from services.cli.hands.recorded import (
    Broken,
    Cards,
    Dealt,
    Move,
    Moved,
    Pot,
    RecordedHand,
    Skipped,
)
from services.table.core import hand as core
from shared.contracts.dealer import SealedCards
from shared.contracts.hand import (
    AntePosted,
    BoardAwaited,
    HandStarted,
    OpeningAwaited,
    PlayerCalled,
    PotAwarded,
    SeatStack,
    UncalledReturned,
    ViewAwaited,
)
from shared.kernel.decider import Refused
from shared.poker.rule_sets import RuleSet

ROOT = b"recorded"


class Outcome(msgspec.Struct, frozen=True):
    """What the core made of a hand; pots and uncalled chips by player."""

    pots: tuple[Pot, ...]
    uncalled: Pot
    final_stacks: tuple[int, ...]


def recorded_rules(rules: RuleSet, recorded: RecordedHand) -> RuleSet:
    """Sites accept a raise that nobody can pay (Re-opening); a record says its limit and antes."""
    return msgspec.structs.replace(
        rules,
        limit=recorded.limit,
        raise_nobody_can_pay="accepted",
        ante="big_blind" if recorded.antes == "big_blind" else "each",
    )


def replay(recorded: RecordedHand, rules: RuleSet) -> Outcome:
    """Play the record to its end."""
    log, hand = played(recorded, recorded_rules(rules, recorded))
    if hand.asked is not None or core.actor(hand) is not None:
        if recorded.may_stop_early:
            raise Skipped("partial hand")
        raise Broken(f"the record ends, {due(hand)}")
    return outcome(log, hand)


def played(recorded: RecordedHand, rules: RuleSet) -> tuple[list[core.HandEvent], core.Hand]:
    """Take step by step what was decided or dealt."""
    events, hand = begun(recorded, rules)
    log = [*events]
    for step in recorded.steps:
        stepped = dealt(hand, step) if type(step) is Dealt else MOVES[step.move](hand, step)
        if isinstance(stepped, Refused):
            raise broken(hand, step, stepped)
        events, hand = stepped
        log += events
        if hand.asked is not None:
            hand = turned_up(recorded, hand, log)
    return log, hand


def begun(recorded: RecordedHand, rules: RuleSet) -> core.Stepped:
    """Posts and cards; the dealer's sealing is no part of a record."""
    players = len(recorded.stacks)
    seats = [SeatStack(seat, f"p{seat}", chips) for seat, chips in enumerate(recorded.stacks, 1)]
    button_ante = recorded.antes == "button"
    started = HandStarted(
        hand=recorded.name,
        number=1,
        small_blind_chips=recorded.small_blind_chips,
        big_blind_chips=recorded.big_blind_chips,
        ante_chips=0 if button_ante else recorded.ante_chips,
        button_seat=players + recorded.dead_button,
        small_blind_seat=recorded.small_blind,
        big_blind_seat=recorded.big_blind,
        seats=tuple(seats),
    )
    events, hand = core.start_hand(rules, started)
    if button_ante:
        hand = core.evolve(hand, ante_of_the_button(recorded))
    sealed = tuple([SealedCards(seat, b"") for seat in range(1, players + 1)])
    more, hand = accepted(core.deal_hands(hand, ROOT, sealed))
    return events + more, hand


def ante_of_the_button(recorded: RecordedHand) -> AntePosted:
    """No rule set of ours has one, but a record may: dead chips, as a big-blind ante."""
    by_chips = min(recorded.ante_chips, recorded.stacks[-1])
    return AntePosted(seat=len(recorded.stacks), by_chips=by_chips, dead=True)


def dealt(hand: core.Hand, step: Dealt) -> core.Stepped | Refused:
    return core.deal_board(hand, step.street, step.cards)


def fold(hand: core.Hand, step: Moved) -> core.Stepped | Refused:
    return core.fold(hand, step.player)


def check(hand: core.Hand, step: Moved) -> core.Stepped | Refused:
    return core.check(hand, step.player)


def call(hand: core.Hand, step: Moved) -> core.Stepped | Refused:
    """A recorded call must be the call that was due."""
    stepped = core.call(hand, step.player)
    if not isinstance(stepped, Refused):
        called = stepped[0][0]
        if isinstance(called, PlayerCalled) and called.by_chips != step.chips:
            raise Broken(f"{told(step)}, by the rules {called.by_chips}", step.number)
    return stepped


def check_or_call(hand: core.Hand, step: Moved) -> core.Stepped | Refused:
    options = core.options(hand)
    if options is not None and options.call_chips:
        return core.call(hand, step.player)
    return core.check(hand, step.player)


def raise_to(hand: core.Hand, step: Moved) -> core.Stepped | Refused:
    return core.raise_to(hand, step.player, step.chips or 0)


MOVES: dict[Move, Callable[[core.Hand, Moved], core.Stepped | Refused]] = {
    "fold": fold,
    "check": check,
    "call": call,
    "check_or_call": check_or_call,
    "raise_to": raise_to,
}


def turned_up(recorded: RecordedHand, hand: core.Hand, log: list[core.HandEvent]) -> core.Hand:
    """Answer with the recorded cards whatever is asked about hands."""
    while True:
        asked = hand.asked
        if isinstance(asked, OpeningAwaited):
            opened = tuple([(seat, hole_of(recorded, seat)) for seat in asked.seats])
            events, hand = accepted(core.open_hands(hand, opened))
        elif isinstance(asked, ViewAwaited):
            hole = hole_of(recorded, asked.seat)
            events, hand = accepted(core.view_hand(hand, asked.seat, hole))
        else:
            return hand
        log += events


def hole_of(recorded: RecordedHand, seat: int) -> Cards:
    hole = recorded.holes[seat - 1]
    if hole is None:
        raise Skipped("cards unknown at showdown")
    return hole


def accepted(stepped: core.Stepped | Refused) -> core.Stepped:
    """Return an answer that the core took; it refuses one only when the record is unsound."""
    if isinstance(stepped, Refused):
        raise Broken(f"cards are refused: {stepped.reason}")
    return stepped


def outcome(log: list[core.HandEvent], hand: core.Hand) -> Outcome:
    """Read the result off the events, and the stacks off the state they led to."""
    pots = []
    uncalled = []
    for event in log:
        if isinstance(event, PotAwarded):
            pots.append(tuple([(share.seat, share.chips) for share in event.shares]))
        elif isinstance(event, UncalledReturned):
            uncalled.append((event.seat, event.by_chips))
    return Outcome(tuple(pots), tuple(sorted(uncalled)), hand.stacks[1 : len(hand.order) + 1])


def broken(hand: core.Hand, step: Moved | Dealt, refused: Refused) -> Broken:
    """Say which step the core refuses, why, and what was due instead."""
    detail = f" ({refused.detail})" if refused.detail else ""
    text = f"{told(step)} is refused: {refused.reason}{detail}, {due(hand)}"
    return Broken(text, step.number)


def told(step: Moved | Dealt) -> str:
    """The step as a report names it."""
    if isinstance(step, Dealt):
        return f"the {step.street}"
    amount = "" if step.chips is None else f" {step.chips}"
    return f"{step.move.replace('_', ' ')}{amount} by p{step.player}"


def due(hand: core.Hand) -> str:
    """What the hand waits for."""
    if isinstance(hand.asked, BoardAwaited):
        return f"the {hand.asked.street} is due"
    actor = core.actor(hand)
    return "the hand is over" if actor is None else f"p{actor} is to act"
