"""The course of one exported hand: that everything happened, once, and in its order.

This is what only an export has to be asked, since a log is judged whole: that the hand is there
from its scheduling to its end, that nobody acted before the deck was committed to, and that those
who stayed in showed or mucked. Its chips are added up, which binds the commit that ends it.
"""

from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from typing import NamedTuple

from services.cli.verdicts.hand_sums import wrong_sums
from services.cli.verdicts.history import Fact, History, PlayedHand
from shared.contracts.dealer import BoardOpened, DeckCommitted, SeatsOpened, SeatViewed
from shared.contracts.hand import (
    ActionEvent,
    BoardAwaited,
    BoardDealt,
    DealAwaited,
    HandMucked,
    HandScheduled,
    HandsDealt,
    HandShown,
    PlayerFolded,
    PotAwarded,
    ViewAwaited,
)

OPENED = (BoardOpened, SeatsOpened, SeatViewed)


class Around(NamedTuple):
    """What else was recorded of a hand: when the table scheduled it, and what the dealer did."""

    scheduled: list[tuple[Fact, HandScheduled]]
    dealing: list[Fact]


def around_hands(history: History) -> Mapping[str, Around]:
    """Collect by hand; what the dealer recorded in another hand's stream is with both."""
    around: defaultdict[str, Around] = defaultdict(lambda: Around([], []))
    for fact in history.of("table"):
        if isinstance(fact.event, HandScheduled):
            around[fact.event.hand].scheduled.append((fact, fact.event))
    for fact in history.of("dealer"):
        names = {fact.stream: None, getattr(fact.event, "hand", fact.stream): None}
        for name in names:
            around[name].dealing.append(fact)
    return around


def wrong_course(hand: PlayedHand, around: Around) -> Iterator[str]:
    """Go through a hand, on the table's side and on the dealer's."""
    events = [fact.event for fact in hand.facts]
    yield from wrong_start(hand, around.scheduled)
    yield from wrong_end(hand)
    yield from wrong_names(hand, events)
    yield from wrong_question(events, around.dealing)
    yield from wrong_deal(events)
    yield from wrong_streets(events)
    yield from wrong_showdown(hand, events)
    yield from wrong_looks(events, around.dealing)
    yield from wrong_dealing(hand.name, around.dealing)
    yield from (what.removeprefix(f"{hand.name}: ") for what in wrong_sums(hand))


def wrong_start(hand: PlayedHand, scheduled: Sequence[tuple[Fact, HandScheduled]]) -> Iterator[str]:
    """It was scheduled once, by its table, for those who were dealt in."""
    before = [
        event
        for fact, event in scheduled
        if fact.stream == hand.table and fact.n <= hand.facts[0].n
    ]
    if (len(before), len(scheduled)) != (1, 1):
        yield "its scheduling is not in the file, once, before its start"
        return
    (event,) = before
    due = [(at.seat, at.player) for at in event.roster]
    if due != sorted((at.seat, at.player) for at in hand.started.seats):
        yield "it was scheduled for other players"
    if event.number != hand.started.number:
        yield "it was scheduled as another hand"


def wrong_end(hand: PlayedHand) -> Iterator[str]:
    """Its end is there, and is the end of what was started."""
    started, ended = hand.started, hand.ended
    if ended is None:
        yield "its end is not in the file"
        return
    start = started.number, started.button_seat, started.small_blind_seat, started.big_blind_seat
    end = ended.number, ended.button_seat, ended.small_blind_seat, ended.big_blind_seat
    seats = [at_end.seat for at_end in ended.seats]
    if ended.table != hand.table or start != end or seats != sorted(set(seats)):
        yield "it ended as another hand than it started"


def wrong_names(hand: PlayedHand, events: Sequence[object]) -> Iterator[str]:
    """Whatever names a hand while it is played names this one."""
    if any(getattr(event, "hand", hand.name) != hand.name for event in events):
        yield "another hand is spoken of within it"


def wrong_question(events: Sequence[object], dealing: Sequence[Fact]) -> Iterator[str]:
    """The dealer was asked once, and committed to just what it was asked for."""
    asked = [event for event in events if isinstance(event, DealAwaited)]
    committed = [fact.event for fact in dealing if isinstance(fact.event, DeckCommitted)]
    if len(asked) != 1:
        yield f"the dealer was asked for it {len(asked)} times"
        return
    (question,) = asked
    if any(
        (deck.roster, deck.promise, deck.seeds)
        != (question.roster, question.promise, question.seeds)
        for deck in committed
    ):
        yield "its deck was made for another question than the table asked"


def wrong_deal(events: Sequence[object]) -> Iterator[str]:
    """Nobody acts before the dealer's commitment is on the table."""
    kinds = [type(event) for event in events]
    dealt = kinds.index(HandsDealt) if HandsDealt in kinds else len(kinds)
    if any(isinstance(event, ActionEvent | BoardAwaited | BoardDealt) for event in events[:dealt]):
        yield "somebody acted before the deck was committed to"


def wrong_streets(events: Sequence[object]) -> Iterator[str]:
    """Each street is asked for before it is dealt, and dealt before the next one is asked for."""
    steps = [event for event in events if isinstance(event, BoardAwaited | BoardDealt)]
    asked = [event.street for event in steps[::2] if isinstance(event, BoardAwaited)]
    dealt = [event.street for event in steps[1::2] if isinstance(event, BoardDealt)]
    if asked != dealt or len(steps) != len(asked) + len(dealt):
        yield "the streets were not asked for and dealt one after the other"


def wrong_showdown(hand: PlayedHand, events: Sequence[object]) -> Iterator[str]:
    """Whoever stayed in shows or mucks, once; nobody does when all others folded."""
    folded = {event.seat for event in events if isinstance(event, PlayerFolded)}
    live = sorted({dealt.seat for dealt in hand.started.seats} - folded)
    mucked = [event.seat for event in events if isinstance(event, HandMucked)]
    shown = [event.seat for event in events if isinstance(event, HandShown)]
    yield from (f"seat {seat} mucked and was shown" for seat in sorted({*mucked} & {*shown}))
    due = live if len(live) > 1 else []
    if hand.ended is not None and sorted(mucked + shown) != due:
        yield f"seats {due} had to show or muck, and {sorted(mucked + shown)} did"
    pots = [event for event in events if isinstance(event, PotAwarded)]
    if any(share.seat not in live for pot in pots for share in pot.shares):
        yield "somebody who had not stayed in got chips of a pot"


def wrong_looks(events: Sequence[object], dealing: Sequence[Fact]) -> Iterator[str]:
    """The dealer let the table look at the seats that it asked for, in that order, and no other."""
    asked = [event.seat for event in events if isinstance(event, ViewAwaited)]
    if asked != [fact.event.seat for fact in dealing if isinstance(fact.event, SeatViewed)]:
        yield "the hands looked at are not those that the table asked for"


def wrong_dealing(hand: str, facts: Sequence[Fact]) -> Iterator[str]:
    """The dealer says it all in the hand's own stream, and commits before it opens anything."""
    if any((fact.stream, getattr(fact.event, "hand", "")) != (hand, hand) for fact in facts):
        yield "the dealer's facts of two hands are mixed up"
    kinds = [type(fact.event) for fact in facts]
    committed = kinds.index(DeckCommitted) if DeckCommitted in kinds else len(kinds)
    if any(kind in OPENED for kind in kinds[:committed]):
        yield "something was opened before the deck was committed to"
