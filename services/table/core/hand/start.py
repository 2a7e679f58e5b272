"""From explicit positions to the first question: antes, blinds, and the cards that are due."""

from services.table.core.hand.closing import Stepped
from services.table.core.hand.evolve import HandEvent, evolve, new_hand
from services.table.core.hand.state import Hand, Queue
from shared.contracts.dealer import DealtIn
from shared.contracts.table import AntePosted, BlindPosted, DealAwaited, HandStarted
from shared.poker.rule_sets import RuleSet


def start_hand(rules: RuleSet, started: HandStarted) -> Stepped:
    """Post antes, then blinds (PP-BLINDS), and ask for the cards.

    The events are those after `HandStarted` itself. Positions are taken as given: no small
    blind where `small_blind_seat` is None, a dead ante of the big blind where the rule set says.
    """
    hand = new_hand(rules, started)
    events: list[HandEvent] = []
    for seat in ante_seats(rules, started, hand.order):
        hand = posted(hand, events, ante(hand, seat))
    if started.small_blind_seat is not None:
        hand = posted(hand, events, small_blind(hand, started.small_blind_seat))
    hand = posted(hand, events, big_blind(hand, started.big_blind_seat))
    roster = tuple([DealtIn(dealt.seat, dealt.player) for dealt in started.seats])
    hand = posted(hand, events, DealAwaited(hand=started.hand, roster=roster))
    return tuple(events), hand


def posted(hand: Hand, events: list[HandEvent], event: HandEvent | None) -> Hand:
    """Record and fold one event, if there is one."""
    if event is None:
        return hand
    events.append(event)
    return evolve(hand, event)


def ante_seats(rules: RuleSet, started: HandStarted, order: Queue) -> Queue:
    """Return who posts an ante: everyone, or the big blind for all."""
    if not started.ante_chips:
        return ()
    return (started.big_blind_seat,) if rules.ante == "big_blind" else order


def ante(hand: Hand, seat: int) -> AntePosted:
    """Post the ante, or all there is."""
    chips = min(hand.started.ante_chips, hand.stacks[seat])
    return AntePosted(seat=seat, by_chips=chips, dead=hand.rules.ante == "big_blind")


def small_blind(hand: Hand, seat: int) -> BlindPosted | None:
    """Post the small blind, or all that the ante left."""
    chips = min(hand.started.small_blind_chips, hand.stacks[seat])
    return BlindPosted(seat=seat, by_chips=chips, blind="small") if chips else None


def big_blind(hand: Hand, seat: int) -> BlindPosted | None:
    """Post the big blind, or all that the ante left; it counts in full all the same."""
    chips = min(hand.started.big_blind_chips, hand.stacks[seat])
    return BlindPosted(seat=seat, by_chips=chips, blind="big") if chips else None
