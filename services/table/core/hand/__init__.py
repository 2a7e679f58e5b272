"""One hold'em hand in any limit, from explicit positions to the pots; no clock, no seats to come.

    events, hand = start_hand(rules, started)           antes, blinds, then `hand.asked` is set
    events, hand = deal_hands(hand, root, sealed)       answers DealAwaited
    events, hand = fold(hand, seat)                     check, call, raise_to(hand, seat, chips)
    events, hand = deal_board(hand, "flop", cards)      answers BoardAwaited
    events, hand = open_hands(hand, ((seat, cards),))   answers OpeningAwaited
    events, hand = view_hand(hand, seat, cards)         answers ViewAwaited
    events, hand = show(hand, seat)                     muck: only after view_hand(choice=True)

Every function returns the events and the hand after them, or `Refused`. After each step one of
these is true: `hand.asked` is an open question, and its answer is the only step that will be
taken; `actor(hand)` is the seat to act, with exactly `options(hand)`; `hand.choosing` is a
seat that may show or muck; or none of them, and the hand is over: `hand.stacks[seat]` holds the
final stacks, `PotAwarded` and `UncalledReturned` said why, `knock_outs` who took the last ones.
`started.seats` is in dealing order, first left of the button; `started` itself is not among the
events of `start_hand`. Cards are tuples such as `("Ah", "Td")`.

A record of a real hand is replayed by answering `hand.asked` with the recorded cards before
each recorded action: hands that are turned up when all are all-in are asked for before the
remaining board, and at a showdown one at a time: who is beaten mucks at once, unless `choice`
is asked for. The limit is `rules.limit`. With `raise_nobody_can_pay="accepted"` what
sites accepted is accepted.
"""

from services.table.core.hand.betting import call, check, default_action, fold, raise_to
from services.table.core.hand.choice import muck, show
from services.table.core.hand.closing import Stepped
from services.table.core.hand.dealing import deal_board, deal_hands, open_hands, view_hand
from services.table.core.hand.evolve import HandEvent, evolve, new_hand
from services.table.core.hand.legal import Options, actor, options
from services.table.core.hand.pots import knock_outs
from services.table.core.hand.start import start_hand
from services.table.core.hand.state import Hand

__all__ = [
    "Hand",
    "HandEvent",
    "Options",
    "Stepped",
    "actor",
    "call",
    "check",
    "deal_board",
    "deal_hands",
    "default_action",
    "evolve",
    "fold",
    "knock_outs",
    "muck",
    "new_hand",
    "open_hands",
    "options",
    "raise_to",
    "show",
    "start_hand",
    "view_hand",
]
