"""A hand's events folded to its state: never refuses, never branches on what is legal."""

from collections.abc import Callable
from operator import add
from typing import Any

from msgspec.structs import replace

from services.table.core.hand.limits import min_bet, raise_size, reopening_size
from services.table.core.hand.state import Asked, Chips, Hand, from_seat_after
from shared.contracts.hand import (
    AntePosted,
    BlindPosted,
    BoardAwaited,
    BoardDealt,
    DealAwaited,
    HandBeaten,
    HandMucked,
    HandsDealt,
    HandShown,
    HandStarted,
    OpeningAwaited,
    PlayerCalled,
    PlayerChecked,
    PlayerFolded,
    PlayerRaised,
    PotAwarded,
    UncalledReturned,
    ViewAwaited,
)
from shared.poker.rule_sets import RuleSet

HandEvent = (
    AntePosted
    | BlindPosted
    | DealAwaited
    | HandsDealt
    | PlayerFolded
    | PlayerChecked
    | PlayerCalled
    | PlayerRaised
    | BoardAwaited
    | BoardDealt
    | UncalledReturned
    | ViewAwaited
    | OpeningAwaited
    | HandShown
    | HandBeaten
    | HandMucked
    | PotAwarded
)


def evolve(hand: Hand, event: HandEvent) -> Hand:
    """Apply one recorded fact of a hand that has started."""
    return EVOLVE[type(event)](hand, event)


def new_hand(rules: RuleSet, started: HandStarted) -> Hand:
    """Return the hand before the first chip is posted."""
    order = tuple([dealt.seat for dealt in started.seats])
    nothing = (0,) * (max(order) + 1)
    stacks = list(nothing)
    for dealt in started.seats:
        stacks[dealt.seat] = dealt.stack_chips
    blind = started.big_blind_chips
    return Hand(
        rules=rules,
        started=started,
        order=order,
        stacks=tuple(stacks),
        bets=nothing,
        paid=nothing,
        to_match=blind,
        last_raise=blind,
    )


def with_chips(chips: Chips, seat: int, value: int) -> Chips:
    """Return the same chips with one seat's changed."""
    changed = list(chips)
    changed[seat] = value
    return tuple(changed)


def ante_posted(hand: Hand, event: AntePosted) -> Hand:
    seat, chips = event.seat, event.by_chips
    stacks = with_chips(hand.stacks, seat, hand.stacks[seat] - chips)
    if event.dead:
        return replace(hand, stacks=stacks, dead=hand.dead + chips)
    return replace(hand, stacks=stacks, paid=with_chips(hand.paid, seat, chips))


def blind_posted(hand: Hand, event: BlindPosted) -> Hand:
    seat, chips = event.seat, event.by_chips
    return replace(
        hand,
        stacks=with_chips(hand.stacks, seat, hand.stacks[seat] - chips),
        bets=with_chips(hand.bets, seat, chips),
    )


def asked(hand: Hand, event: Asked) -> Hand:
    return replace(hand, asked=event)


def opening_asked(hand: Hand, event: OpeningAwaited) -> Hand:
    """Who was choosing has chosen to show."""
    return replace(hand, asked=event, choosing=None)


def hands_dealt(hand: Hand, event: HandsDealt) -> Hand:
    """Before the flop the first to act is left of the big blind (PP-ORDER)."""
    stacks = hand.stacks
    around = from_seat_after(hand.order, hand.started.big_blind_seat)
    return replace(
        hand,
        to_act=tuple([seat for seat in around if stacks[seat]]),
        all_in=tuple([seat for seat in around if not stacks[seat]]),
        root=event.root,
        asked=None,
    )


def player_folded(hand: Hand, _event: PlayerFolded) -> Hand:
    return replace(hand, to_act=hand.to_act[1:])


def player_checked(hand: Hand, event: PlayerChecked) -> Hand:
    return replace(hand, to_act=hand.to_act[1:], acted=(*hand.acted, event.seat))


def player_called(hand: Hand, event: PlayerCalled) -> Hand:
    seat = event.seat
    stack = hand.stacks[seat] - event.by_chips
    return replace(
        hand,
        stacks=with_chips(hand.stacks, seat, stack),
        bets=with_chips(hand.bets, seat, hand.bets[seat] + event.by_chips),
        to_act=hand.to_act[1:],
        acted=(*hand.acted, seat) if stack else hand.acted,
        all_in=hand.all_in if stack else (*hand.all_in, seat),
    )


def player_raised(hand: Hand, event: PlayerRaised) -> Hand:
    """An all-in below a full raise leaves the size of the last one (Re-opening)."""
    seat, to = event.seat, event.to_chips
    stack = hand.stacks[seat] + hand.bets[seat] - to
    raised_by = to - hand.to_match
    full = raised_by >= raise_size(hand)
    reopens = raised_by >= reopening_size(hand)
    return replace(
        hand,
        stacks=with_chips(hand.stacks, seat, stack),
        bets=with_chips(hand.bets, seat, to),
        to_act=hand.to_act[1:] + hand.acted,
        acted=(seat,) if stack else (),
        all_in=hand.all_in if stack else (*hand.all_in, seat),
        again=hand.again + hand.acted,
        to_match=to,
        last_raise=raised_by if full else hand.last_raise,
        raises=hand.raises + reopens,
        aggressors=(*hand.aggressors, seat),
    )


def board_dealt(hand: Hand, event: BoardDealt) -> Hand:
    """On a new street the first to act is left of the button (PP-ORDER)."""
    board = hand.board + event.cards
    with_stacks = hand.to_act + hand.acted
    last_round_only = hand.rules.showdown == "last_round_aggressor"
    return replace(
        hand,
        board=board,
        paid=tuple(map(add, hand.paid, hand.bets)),
        bets=(0,) * len(hand.bets),
        to_act=tuple([seat for seat in hand.order if seat in with_stacks]),
        acted=(),
        again=(),
        to_match=0,
        last_raise=min_bet(hand, len(board)),
        raises=0,
        aggressors=() if last_round_only else hand.aggressors,
        asked=None,
    )


def uncalled_returned(hand: Hand, event: UncalledReturned) -> Hand:
    seat, chips = event.seat, event.by_chips
    return replace(
        hand,
        stacks=with_chips(hand.stacks, seat, hand.stacks[seat] + chips),
        bets=with_chips(hand.bets, seat, hand.bets[seat] - chips),
    )


def hand_shown(hand: Hand, event: HandShown) -> Hand:
    return replace(hand, shown=(*hand.shown, (event.seat, event.cards)), asked=None)


def hand_beaten(hand: Hand, event: HandBeaten) -> Hand:
    """The view is answered, and only this is kept of it."""
    return replace(hand, asked=None, choosing=event.seat)


def hand_mucked(hand: Hand, event: HandMucked) -> Hand:
    """A mucked hand is out of every queue, as a folded one; nothing of it is kept."""
    return replace(
        hand,
        acted=tuple([seat for seat in hand.acted if seat != event.seat]),
        asked=None,
        choosing=None,
    )


def pot_awarded(hand: Hand, event: PotAwarded) -> Hand:
    stacks = list(hand.stacks)
    for share in event.shares:
        stacks[share.seat] += share.chips
    return replace(hand, stacks=tuple(stacks))


EVOLVE: dict[type, Callable[[Hand, Any], Hand]] = {
    AntePosted: ante_posted,
    BlindPosted: blind_posted,
    DealAwaited: asked,
    HandsDealt: hands_dealt,
    PlayerFolded: player_folded,
    PlayerChecked: player_checked,
    PlayerCalled: player_called,
    PlayerRaised: player_raised,
    BoardAwaited: asked,
    BoardDealt: board_dealt,
    UncalledReturned: uncalled_returned,
    ViewAwaited: asked,
    OpeningAwaited: opening_asked,
    HandShown: hand_shown,
    HandBeaten: hand_beaten,
    HandMucked: hand_mucked,
    PotAwarded: pot_awarded,
}
